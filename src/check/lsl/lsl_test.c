/* SPDX-License-Identifier: MIT
 *
 * A test's notation is read twice: its calls are counted first and then kept,
 * so that a test takes no more memory than it has calls.
 */
#include "lsl/lsl_test.h"

#include <string.h>

#include "base/err.h"
#include "event/notation.h"

static const char *operation_name(const void *program, uint32_t i)
{
    const struct lsl_program *p = program;

    return i < p->operation_count ? p->operations[i].name : NULL;
}

static bool refuse_name(const struct lsl_program *p, const char *at,
                        struct err *e)
{
    struct buf names = {0};

    for (uint32_t i = 0; i < p->operation_count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", p->operations[i].name);
    err_set(e, "no operation at \"%.40s\"; there %s%s", at,
            names.count ? "are " : "is none", names.count ? names.bytes : "");
    buf_free(&names);
    return false;
}

static bool refuse(const struct lsl_program *p, const struct notation *n,
                   struct err *e)
{
    switch (n->mistake) {
    case NOTATION_UNKNOWN:
        return refuse_name(p, n->at, e);
    case NOTATION_EMPTY:
        return err_set(e, "a thread without operations");
    case NOTATION_UNCLOSED:
        return err_set(e, "\")\" expected at \"%.40s\"", n->at);
    case NOTATION_MORE:
        break;
    }
    return err_set(e, "nothing expected at \"%.40s\"", n->at);
}

static void keep_calls(const struct lsl_program *p, struct test_call *room,
                       struct test *out)
{
    struct notation n = notation_begin(out->notation, operation_name, p);
    struct notation_call call;

    while (notation_next(&n, &call) == NOTATION_CALL) {
        struct test_thread *t =
            call.thread ? &out->threads[call.thread - 1] : &out->init;

        CHECK(call.thread <= out->thread_count);
        if (!t->count)
            t->calls = room;
        t->calls[t->count++] = (struct test_call){call.operation, call.once};
        room++;
    }
}

static const char *notation_of(const struct lsl_program *p, const char *text)
{
    for (uint32_t i = 0; i < p->test_count; i++)
        if (strcmp(p->tests[i].name, text) == 0)
            return p->tests[i].notation;
    return text;
}

bool lsl_parse_test(const struct lsl_program *p, const char *text,
                    struct arena *a, struct test *out, struct err *e)
{
    const char *notation = arena_copy(a, notation_of(p, text));
    struct notation n = notation_begin(notation, operation_name, p);
    struct notation_call call;
    enum notation_step step;
    size_t calls = 0;

    while ((step = notation_next(&n, &call)) == NOTATION_CALL)
        calls++;
    if (step == NOTATION_WRONG) {
        refuse(p, &n, e);
        return err_in(e, "test \"%.200s\"", text);
    }
    *out =
        (struct test){.name = arena_copy(a, text),
                      .notation = notation,
                      .threads = arena_array(a, n.thread, sizeof *out->threads),
                      .thread_count = n.thread};
    keep_calls(p, arena_array(a, calls, sizeof(struct test_call)), out);
    return true;
}
