/* SPDX-License-Identifier: MIT
 *
 * The table of library functions against the runtime: a row that promises a
 * model must have one, or no program that calls it links.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "event/externs.h"

/* The names in an archive's index, one after the other. */
struct names {
    char *bytes;
    size_t size;
};

static uint32_t big_endian(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
}

/* An archive is "!<arch>\n", then members with heads of 60 bytes; the first
 * one, "/", is the index: a count, as many offsets, and the names. */
static struct names read_index(const char *path)
{
    FILE *f = fopen(path, "rb");
    char head[68];
    struct names n = {NULL, 0};
    size_t count;

    assert_non_null(f);
    assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
    assert_memory_equal(head, "!<arch>\n/ ", 10);
    n.size = strtoul(head + 8 + 48, NULL, 10);
    n.bytes = malloc(n.size);
    assert_non_null(n.bytes);
    assert_int_equal(fread(n.bytes, 1, n.size, f), n.size);
    fclose(f);
    count = big_endian((unsigned char *)n.bytes);
    n.size -= 4 + 4 * count;
    memmove(n.bytes, n.bytes + 4 + 4 * count, n.size);
    return n;
}

static bool has_name(const struct names *n, const char *name)
{
    const char *end = n->bytes + n->size;

    for (const char *at = n->bytes; at < end; at += strlen(at) + 1) {
        if (strcmp(at, name) == 0)
            return true;
    }
    return false;
}

static void every_modelled_row_has_its_function(void **state)
{
    struct names names = read_index(TEST_BIN_DIR "/libfencer_rt.a");
    size_t count, missing = 0;
    const struct extern_row *rows = extern_rows(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        char name[128];

        if (rows[i].class != EXTERN_MODELLED)
            continue;
        snprintf(name, sizeof(name), "__fencer_%s", rows[i].name);
        if (!has_name(&names, name)) {
            print_error("%s is modelled but has no function\n", rows[i].name);
            missing++;
        }
    }
    free(names.bytes);
    assert_int_equal(missing, 0);
}

/* The runtime's hooks and variables are called __fencer_NAME too. */
static void no_modelled_name_is_taken(void **state)
{
    static const char *const taken[] = {
#define HOOK(name, result, parameters) #name,
        FENCER_HOOKS(HOOK)
#undef HOOK
            "mask",
        "countdown",
        "count",
        "tls",
        "site",
        "program",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        const struct extern_row *row = extern_find(taken[i]);

        if (row && row->class == EXTERN_MODELLED)
            fail_msg("__fencer_%s is something else", taken[i]);
    }
}

static void rows_are_unique(void **state)
{
    size_t count;
    const struct extern_row *rows = extern_rows(&count);

    (void)state;
    assert_true(count > 1500);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(rows[i - 1].name, rows[i].name) >= 0)
            fail_msg("%s has two rows", rows[i].name);
    }
}

static void captures_have_a_letter_per_parameter(void **state)
{
    size_t count;
    const struct extern_row *rows = extern_rows(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const char *c = rows[i].captures, *rest = c + strspn(c, "nwcro-");

        if (!*c || strlen(c) > 8 || (*rest && strcmp(rest, "*") != 0))
            fail_msg("%s: captures \"%s\"", rows[i].name, c);
    }
}

static void well_known_functions_have_the_right_class(void **state)
{
    static const struct {
        const char *name;
        enum extern_class class;
    } known[] = {
        {"malloc", EXTERN_MODELLED}, {"printf", EXTERN_MODELLED},
        {"sqrt", EXTERN_PURE},       {"__errno_location", EXTERN_PURE},
        {"getenv", EXTERN_READS},    {"fopen", EXTERN_STATE},
        {"getmsg", EXTERN_BLOCKS},   {"fork", EXTERN_REFUSED},
        {"read", EXTERN_MODELLED},   {"__isoc99_sscanf", EXTERN_MODELLED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct extern_row *row = extern_find(known[i].name);

        assert_non_null(row);
        if (row->class != known[i].class)
            fail_msg("%s has the wrong class", known[i].name);
    }
    assert_null(extern_find("no_such_function"));
}

static void captures_tell_which_pointer_is_kept(void **state)
{
    (void)state;
    assert_false(extern_captures(extern_find("strlen"), 0));
    assert_false(extern_captures(extern_find("printf"), 5));
    assert_true(extern_captures(extern_find("strtok"), 0));
    assert_false(extern_captures(extern_find("strtok"), 1));
    assert_true(extern_captures(extern_find("putenv"), 0));
    assert_true(extern_captures(extern_find("strlen"), 1));
    assert_false(extern_captures(extern_find("snprintf"), 0));
    assert_false(extern_captures(extern_find("snprintf"), 7));
    assert_true(extern_tells(extern_find("strcmp"), 1));
    assert_true(extern_tells(extern_find("snprintf"), 0));
    assert_false(extern_tells(extern_find("snprintf"), 3));
    assert_false(extern_tells(extern_find("strtok"), 1));
    assert_int_equal(extern_written(extern_find("snprintf")), 0);
    assert_int_equal(extern_written(extern_find("strtol")), 1);
    assert_int_equal(extern_written(extern_find("strtok_r")), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_modelled_row_has_its_function),
        cmocka_unit_test(no_modelled_name_is_taken),
        cmocka_unit_test(rows_are_unique),
        cmocka_unit_test(captures_have_a_letter_per_parameter),
        cmocka_unit_test(well_known_functions_have_the_right_class),
        cmocka_unit_test(captures_tell_which_pointer_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
