/* SPDX-License-Identifier: MIT
 *
 * The compiler driver's readers: command lines, ELF files, archives, inline
 * assembly.
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
#include "instrument/args.h"
#include "instrument/carrier.h"
#include "instrument/template.h"

/* ---- Command lines ---- */

static struct args parsed;

static bool parse(const char *line, struct err *e)
{
    struct strs words = {0};
    bool ok;

    assert_true(args_split(&words, line, e));
    ok = args_parse(&parsed, (int)words.count, words.list, e);
    strs_free(&words);
    return ok;
}

static void modes_follow_the_flags(void **state)
{
    static const struct {
        const char *line;
        enum cc_mode mode;
    } rows[] = {
        {"a.c", CC_LINK},
        {"-c a.c", CC_COMPILE},
        {"-E a.c", CC_PASS},
        {"-c -E a.c", CC_PASS},
        {"-MM a.c", CC_PASS},
        {"-MMD -c a.c", CC_COMPILE},
        {"--version", CC_PASS},
        {"-v", CC_PASS},
        {"-v a.c", CC_LINK},
        {"-print-file-name=x", CC_PASS},
        {"a.o -lm", CC_LINK},
        {"-", CC_LINK},
        {"-static a.c", CC_LINK},
        {"-S a.c", CC_PASS},
        {"-std=c11 -c a.c", CC_COMPILE},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_true(parse(rows[i].line, &e));
        if (parsed.mode != rows[i].mode)
            fail_msg("%s", rows[i].line);
        args_free(&parsed);
    }
}

static void flags_go_where_they_belong(void **state)
{
    struct err e;

    (void)state;
    assert_true(parse("-O2 -DX=1 -I inc -flto=auto -L lib a.c -lfoo b.o -o out "
                      "-Wl,-z,now -fsanitize=thread -pthread -include h.h",
                      &e));
    assert_false(strs_has(&parsed.compile, "-O2"));
    assert_false(strs_has(&parsed.compile, "-flto=auto"));
    assert_false(strs_has(&parsed.compile, "-fsanitize=thread"));
    assert_true(strs_has(&parsed.compile, "-DX=1"));
    assert_true(strs_has(&parsed.compile, "inc"));
    assert_true(strs_has(&parsed.compile, "h.h"));
    assert_true(strs_has(&parsed.compile, "-pthread"));
    assert_true(strs_has(&parsed.link, "lib"));
    assert_string_equal(parsed.output, "out");
    assert_int_equal(parsed.inputs.count, 4);
    assert_int_equal(parsed.inputs.list[0].kind, INPUT_C);
    assert_string_equal(parsed.inputs.list[1].text, "-lfoo");
    assert_string_equal(parsed.inputs.list[2].text, "b.o");
    assert_string_equal(parsed.inputs.list[3].text, "-Wl,-z,now");
    args_free(&parsed);
}

static void languages_hold_until_the_next(void **state)
{
    struct err e;

    (void)state;
    assert_true(parse("-x c a.txt -x assembler b -x none c.o d.S", &e));
    assert_int_equal(parsed.inputs.list[0].kind, INPUT_C);
    assert_int_equal(parsed.inputs.list[1].kind, INPUT_NATIVE);
    assert_int_equal(parsed.inputs.list[2].kind, INPUT_LINK);
    assert_int_equal(parsed.inputs.list[3].kind, INPUT_NATIVE);
    args_free(&parsed);
}

static void nonsense_is_refused(void **state)
{
    struct strs words = {0};
    struct err e;

    (void)state;
    assert_false(parse("a.c -o", &e));
    args_free(&parsed);
    assert_false(parse("-c a.c b.c -o x.o", &e));
    args_free(&parsed);
    assert_false(args_split(&words, "a 'b", &e));
    strs_free(&words);
}

static void quotes_hold_words_together(void **state)
{
    struct strs words = {0};
    struct err e;

    (void)state;
    assert_true(args_split(&words, "a  'b c' \"d\\\"e\" f\\ g ''\n", &e));
    assert_int_equal(words.count, 5);
    assert_string_equal(words.list[1], "b c");
    assert_string_equal(words.list[2], "d\"e");
    assert_string_equal(words.list[3], "f g");
    assert_string_equal(words.list[4], "");
    strs_free(&words);
}

/* ---- Objects and archives ---- */

static void damaged_elf_files_are_refused(void **state)
{
    struct buf self = {0};
    struct bytes section;
    struct err e;

    (void)state;
    assert_true(buf_read_file(&self, "/proc/self/exe", 1u << 30, &e));

    struct bytes whole = {self.bytes, self.count};

    assert_true(carrier_section(whole, ".text", &section, &e));
    assert_true(section.size > 0);
    assert_true(carrier_section(whole, ".no-such", &section, &e));
    assert_int_equal(section.size, 0);
    for (size_t n = 0; n < 64; n++) {
        assert_false(carrier_section((struct bytes){self.bytes, n}, ".text",
                                     &section, &e));
    }
    assert_false(carrier_section((struct bytes){self.bytes, self.count / 2},
                                 ".text", &section, &e));
    /* Any header byte may be wrong: never a crash. */
    for (size_t i = 0; i < 64; i++) {
        char kept = self.bytes[i];

        for (int flip = 1; flip < 256; flip *= 2) {
            self.bytes[i] = (char)(kept ^ flip);
            carrier_section(whole, ".text", &section, &e);
        }
        self.bytes[i] = kept;
    }
    buf_free(&self);
}

static bool count_record(void *context, struct bytes bitcode, struct err *e)
{
    size_t *sum = context;

    (void)e;
    *sum += bitcode.size;
    return true;
}

static void records_are_found_one_behind_the_other(void **state)
{
    char section[96] = {0};
    uint64_t five = 5, seven = 7, huge = UINT64_MAX - 20;
    size_t sum = 0;
    struct err e;

    (void)state;
    memcpy(section, "FENCERBC", 8);
    memcpy(section + 8, &five, 8);
    /* a gap of 16 at 32 */
    memcpy(section + 48, "FENCERBC", 8);
    memcpy(section + 56, &seven, 8);
    assert_true(
        carrier_each((struct bytes){section, 96}, count_record, &sum, &e));
    assert_int_equal(sum, 12);
    memcpy(section + 56, &huge, 8);
    assert_false(
        carrier_each((struct bytes){section, 96}, count_record, &sum, &e));
}

static void add_member(struct buf *out, const char *name, const char *content)
{
    char head[96];

    snprintf(head, sizeof(head), "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0,
             0, 644, strlen(content));
    buf_add(out, head, 60);
    buf_puts(out, content);
    if (strlen(content) % 2)
        buf_putc(out, '\n');
}

static void archive_members_are_found_by_name(void **state)
{
    struct buf ar = {0};
    struct bytes m;
    struct err e;

    (void)state;
    buf_puts(&ar, "!<arch>\n");
    add_member(&ar, "//", "a-member-with-a-long-name.o/\n");
    add_member(&ar, "a.o/", "first");
    add_member(&ar, "/0", "long one");
    add_member(&ar, "a.o/", "second");

    struct bytes all = {ar.bytes, ar.count};

    assert_true(archive_member(all, "a.o", 0, &m, &e));
    assert_memory_equal(m.at, "first", 5);
    assert_true(archive_member(all, "a.o", 1, &m, &e));
    assert_memory_equal(m.at, "second", 6);
    assert_true(archive_member(all, "a-member-with-a-long-name.o", 0, &m, &e));
    assert_int_equal(m.size, 8);
    assert_false(archive_member(all, "b.o", 0, &m, &e));
    for (size_t n = 0; n < ar.count; n++)
        archive_member((struct bytes){ar.bytes, n}, "a.o", 1, &m, &e);
    buf_free(&ar);
}

/* ---- Inline assembly ---- */

static void templates_are_taken_apart(void **state)
{
    struct template t;

    (void)state;
    assert_true(template_parse(&t, "lock; xaddl $0, $1",
                               "=r,=*m,0,*m,~{memory},~{flags}"));
    assert_int_equal(t.step_count, 1);
    assert_string_equal(t.steps[0].name, "xadd");
    assert_int_equal(t.steps[0].size, 4);
    assert_true(t.steps[0].lock);
    assert_int_equal(t.steps[0].a.kind, PLACE_CELL);
    assert_int_equal(t.steps[0].b.kind, PLACE_MEMORY);
    assert_int_equal(t.slots[2].cell, t.slots[0].cell);

    assert_true(template_parse(&t, "lock; addl $$0,0(%rsp)", "~{memory}"));
    assert_int_equal(t.steps[0].b.kind, PLACE_STACK);
    assert_true(template_parse(&t, "rep; nop", ""));
    assert_string_equal(t.steps[0].name, "pause");
    assert_true(template_parse(&t, "", "~{memory}"));
    assert_int_equal(t.step_count, 0);
    assert_true(
        template_parse(&t, "mov 8($1), %rax; setz ${0:b}", "=q,r,~{rax}"));
    assert_int_equal(t.steps[0].a.number, 8);
    assert_int_equal(t.steps[1].b.size, 1);
}

static void odd_templates_are_not_understood(void **state)
{
    static const char *const odd[] = {
        "lock",        "rep",
        "movl $9, $0", "movl ${0, $1",
        ".byte 1",     "movl (,",
        "1: jmp 1b",   "lock; xaddl $0,",
        "mov $0 $1",   "a_very_long_mnemonic_that_does_not_fit $0",
    };
    struct template t;

    (void)state;
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        if (template_parse(&t, odd[i], "=r,=*m"))
            fail_msg("%s", odd[i]);
    }
    assert_false(template_parse(&t, "nop", "={xmm0}"));
}

/* ---- The table of library functions ---- */

static void every_function_has_one_row(void **state)
{
    size_t count;
    const struct extern_row *rows = extern_rows(&count);

    (void)state;
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(rows[i - 1].name, rows[i].name) == 0)
            fail_msg("two rows for %s", rows[i].name);
        assert_ptr_equal(extern_find(rows[i].name), &rows[i]);
        if (strspn(rows[i].captures, "nwcro-*") != strlen(rows[i].captures))
            fail_msg("captures of %s", rows[i].name);
    }
    assert_null(extern_find("no_such_function"));
    assert_true(extern_captures(extern_find("pthread_create"), 3));
    assert_false(extern_captures(extern_find("pthread_create"), 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_follow_the_flags),
        cmocka_unit_test(flags_go_where_they_belong),
        cmocka_unit_test(languages_hold_until_the_next),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(quotes_hold_words_together),
        cmocka_unit_test(damaged_elf_files_are_refused),
        cmocka_unit_test(records_are_found_one_behind_the_other),
        cmocka_unit_test(archive_members_are_found_by_name),
        cmocka_unit_test(templates_are_taken_apart),
        cmocka_unit_test(odd_templates_are_not_understood),
        cmocka_unit_test(every_function_has_one_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
