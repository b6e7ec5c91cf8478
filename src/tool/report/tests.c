/* SPDX-License-Identifier: MIT
 *
 * Tests of a data type against models, as a table; and the fences that they
 * need.
 */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "report/steps.h"

/* Tests with the same name and notation follow one another. */
static bool begins_row(const struct report *r, size_t i)
{
    const struct tested *t = &r->tests[i];

    return i == 0 || strcmp(t[-1].test, t->test) != 0;
}

/* "T0 ( e | d )"; what has no name is its notation. */
static void put_name(const char *name, const char *notation, struct buf *out)
{
    buf_puts(out, name);
    if (notation && strcmp(notation, name) != 0)
        buf_printf(out, " %s", notation);
}

void report_test_names(const struct shown *f, struct buf *out)
{
    buf_puts(out, "test ");
    for (size_t i = 0; i < f->test_count; i++) {
        if (i)
            buf_puts(out, i == 1 ? "; also " : ", ");
        put_name(f->tests[i], i ? NULL : f->notation, out);
    }
}

static size_t name_width(const struct report *r)
{
    struct buf name = {0};
    size_t width = strlen("test");

    for (size_t i = 0; i < r->test_count; i++) {
        buf_clear(&name);
        put_name(r->tests[i].test, r->tests[i].notation, &name);
        if (name.count > width)
            width = name.count;
    }
    buf_free(&name);
    return width;
}

/* As wide as the model's name, "unknown" and a gap. */
static int column(const struct model *m)
{
    size_t n = strlen(m->words);

    return (int)(n < 7 ? 7 : n) + 2;
}

static const char *verdict(const struct tested *t)
{
    enum answer broken = answers_of(&t->done).property_broken;

    return broken == ANSWER_YES  ? "fail"
           : broken == ANSWER_NO ? "pass"
                                 : "unknown";
}

static bool has_observations(const struct report *r)
{
    for (size_t i = 0; i < r->test_count; i++) {
        if (tested_counts_observations(&r->tests[i]))
            return true;
    }
    return false;
}

/* The number of observations, from whichever model knows it. */
static void put_observations(const struct report *r, size_t first,
                             struct buf *out)
{
    for (size_t i = first;
         i < r->test_count && (i == first || !begins_row(r, i)); i++) {
        if (tested_counts_observations(&r->tests[i])) {
            buf_printf(out, "%14" PRIu64, r->tests[i].observations);
            return;
        }
    }
    buf_printf(out, "%14s", "");
}

void report_tests(const struct report *r, struct buf *out)
{
    size_t width = name_width(r);
    bool counted = has_observations(r);

    buf_printf(out, "\n%-*s%*s", (int)width, "test", counted ? 14 : 0,
               counted ? "observations" : "");
    for (size_t i = 0; i < r->model_count; i++)
        buf_printf(out, "%*s", column(r->models[i].model),
                   r->models[i].model->words);
    for (size_t i = 0; i < r->test_count; i++) {
        const struct tested *t = &r->tests[i];

        if (begins_row(r, i)) {
            size_t before;

            buf_putc(out, '\n');
            before = out->count;
            put_name(t->test, t->notation, out);
            buf_pad(out, ' ', width - (out->count - before));
            if (counted)
                put_observations(r, i, out);
        }
        buf_printf(out, "%*s", column(t->model), verdict(t));
    }
    buf_putc(out, '\n');
}

static bool some_fail(const struct report *r)
{
    for (size_t i = 0; i < r->test_count; i++) {
        if (r->tests[i].done.failed)
            return true;
    }
    return false;
}

static void put_needed(const struct report *r, struct buf *out)
{
    if (r->fence_set_count == 0) {
        buf_puts(out, some_fail(r) ? "\nNo fences were found with which these "
                                     "tests pass.\n"
                                   : "\nThese tests need no other fences.\n");
        return;
    }
    buf_puts(out, "\nThese tests need these fences:\n");
    for (size_t i = 0; i < r->fence_set_count; i++) {
        const struct needed_fence *f = &r->fence_set[i];

        buf_printf(out, "  fencer_fence_%s() after line %u of %s",
                   report_fence_kind(f->bits),
                   report_line_before_fence(&f->site), steps_file(&f->site));
        if (f->model)
            buf_printf(out, ": else %s fails on %s", f->test ? f->test : "main",
                       f->model->words);
        buf_putc(out, '\n');
    }
}

void report_fence_set(const struct report *r, struct buf *out)
{
    if (!r->fences_sought)
        return;
    put_needed(r, out);
    if (r->not_needed_count == 0)
        return;
    buf_puts(out, "\nFences in the source that these tests do not need:\n");
    for (size_t i = 0; i < r->not_needed_count; i++) {
        const struct needed_fence *f = &r->not_needed[i];

        buf_printf(out, "  %s:%u  %s\n", steps_file(&f->site), f->site.line,
                   report_fence_kind(f->bits));
    }
}
