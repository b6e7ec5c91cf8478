/* SPDX-License-Identifier: MIT
 *
 * Reads tests as the paper writes them:
 *
 *     test     = calls [ "(" calls { "|" calls } ")" ]
 *     calls    = { operation [ "'" ] }
 *
 * Spaces separate and mean nothing else.  The calls of a thread are counted
 * first and then kept, so that a test takes no more memory than it has calls.
 */
#include "lsl/notation.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"

struct reader {
    const struct lsl_program *program;
    struct arena *arena;
    const char *at;
    struct err *err;
};

static void skip_space(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

/* The operation with the longest name that fits here, or LSL_NONE. */
static uint32_t longest_fit(const struct reader *r)
{
    uint32_t best = LSL_NONE;
    size_t length = 0;

    for (uint32_t i = 0; i < r->program->operation_count; i++) {
        const char *name = r->program->operations[i].name;
        size_t n = strlen(name);

        if (n > length && strncmp(r->at, name, n) == 0) {
            best = i;
            length = n;
        }
    }
    return best;
}

static bool at_end_of_calls(struct reader *r)
{
    skip_space(r);
    return *r->at == '\0' || strchr("(|)", *r->at) != NULL;
}

static bool refuse_here(struct reader *r)
{
    struct buf names = {0};

    for (uint32_t i = 0; i < r->program->operation_count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "",
                   r->program->operations[i].name);
    err_set(r->err, "no operation at \"%.40s\"; there %s%s", r->at,
            names.count ? "are " : "is none", names.count ? names.bytes : "");
    buf_free(&names);
    return false;
}

static bool read_call(struct reader *r, struct test_call *out)
{
    out->operation = longest_fit(r);
    if (out->operation == LSL_NONE)
        return refuse_here(r);
    r->at += strlen(r->program->operations[out->operation].name);
    out->once = *r->at == '\'';
    r->at += out->once;
    return true;
}

static bool read_calls(struct reader *r, struct test_thread *out)
{
    const char *start = r->at;
    struct test_call call;
    uint32_t count = 0;

    for (; !at_end_of_calls(r); count++)
        if (!read_call(r, &call))
            return false;
    *out = (struct test_thread){
        arena_array(r->arena, count, sizeof(*out->calls)), count};
    r->at = start;
    for (uint32_t i = 0; i < count; i++) {
        skip_space(r);
        CHECK(read_call(r, &out->calls[i]));
    }
    skip_space(r);
    return true;
}

static bool read_thread(struct reader *r, struct test_thread *out)
{
    if (!read_calls(r, out))
        return false;
    return out->count || err_set(r->err, "a thread without operations");
}

/* From behind "(" to behind ")". */
static bool read_threads(struct reader *r, struct test *out)
{
    uint32_t count = 1;

    for (const char *p = r->at; *p && *p != ')'; p++)
        count += *p == '|';
    out->threads = arena_array(r->arena, count, sizeof(*out->threads));
    for (uint32_t i = 0; i < count; i++) {
        char end = i + 1 < count ? '|' : ')';

        if (!read_thread(r, &out->threads[i]))
            return false;
        if (*r->at != end)
            return err_set(r->err, "\"%c\" expected at \"%.40s\"", end, r->at);
        r->at++;
    }
    out->thread_count = count;
    return true;
}

static bool read_test(struct reader *r, struct test *out)
{
    if (!read_calls(r, &out->init))
        return false;
    if (*r->at == '(') {
        r->at++;
        if (!read_threads(r, out))
            return false;
    } else {
        if (!out->init.count)
            return err_set(r->err, "a thread without operations");
        out->threads = arena_alloc(r->arena, sizeof(*out->threads));
        out->threads[0] = out->init;
        out->thread_count = 1;
        out->init = (struct test_thread){NULL, 0};
    }
    skip_space(r);
    return *r->at == '\0' ||
           err_set(r->err, "nothing expected at \"%.40s\"", r->at);
}

static const char *notation_of(const struct lsl_program *p, const char *text)
{
    for (uint32_t i = 0; i < p->test_count; i++)
        if (strcmp(p->tests[i].name, text) == 0)
            return p->tests[i].notation;
    return text;
}

bool notation_parse(const struct lsl_program *p, const char *text,
                    struct arena *a, struct test *out, struct err *e)
{
    const char *notation = notation_of(p, text);
    struct reader r = {p, a, notation, e};

    *out = (struct test){.name = arena_copy(a, text),
                         .notation = arena_copy(a, notation)};
    r.at = out->notation;
    return read_test(&r, out) || err_in(e, "test \"%.200s\"", text);
}
