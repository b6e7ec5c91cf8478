/* SPDX-License-Identifier: MIT
 *
 * What all of it amounts to: one conclusion, from which the exit code and the
 * first line of the report come.
 */
#include <string.h>

#include "report/report.h"

enum conclusion {
    CONCLUSION_FOUND,
    CONCLUSION_NOT_FINISHED,
    CONCLUSION_SOME, /* nothing found; by a budget, or a bound asked for */
    CONCLUSION_ALL   /* nothing found, and nothing was left out */
};

static bool counts_as_found(const struct report *r, const struct shown *s)
{
    return s->class != CLASS_BENIGN || r->strict;
}

static enum conclusion conclude(const struct report *r)
{
    bool open = r->unfinished, all = true;

    for (size_t i = 0; i < r->finding_count; i++) {
        if (counts_as_found(r, r->findings[i]))
            return CONCLUSION_FOUND;
    }
    for (size_t i = 0; i < r->model_count; i++) {
        open = open || answers_are_open(&r->models[i].done);
        all = all && answers_of(&r->models[i].done).complete;
    }
    return open  ? CONCLUSION_NOT_FINISHED
           : all ? CONCLUSION_ALL
                 : CONCLUSION_SOME;
}

enum exit_code report_exit_code(const struct report *r)
{
    switch (conclude(r)) {
    case CONCLUSION_FOUND:
        return EXIT_FOUND;
    case CONCLUSION_NOT_FINISHED:
        return EXIT_UNFINISHED;
    case CONCLUSION_SOME:
    case CONCLUSION_ALL:
        break;
    }
    return EXIT_NOTHING_FOUND;
}

/* ---- --fail-on ---- */

bool report_counts(const struct report *r, const struct shown *f)
{
    switch (r->fail_on) {
    case FAIL_ON_DEFAULT:
        break;
    case FAIL_ON_HARMFUL:
        return f->class != CLASS_BENIGN;
    case FAIL_ON_ANY:
    case FAIL_ON_UNKNOWN:
        return true;
    case FAIL_ON_NONE:
        return false;
    }
    return counts_as_found(r, f);
}

bool report_is_open(const struct report *r, const struct done *d)
{
    if (r->fail_on == FAIL_ON_UNKNOWN)
        return answers_of(d).property_broken == ANSWER_UNKNOWN;
    return r->fail_on == FAIL_ON_DEFAULT && answers_are_open(d);
}

enum exit_code report_exit_status(const struct report *r)
{
    bool strict = r->fail_on == FAIL_ON_UNKNOWN;
    bool open = strict && r->unfinished;

    if (r->fail_on == FAIL_ON_DEFAULT)
        return report_exit_code(r);
    for (size_t i = 0; i < r->finding_count; i++) {
        if (report_counts(r, r->findings[i]))
            return EXIT_FOUND;
    }
    for (size_t i = 0; i < r->model_count; i++)
        open = open || report_is_open(r, &r->models[i].done);
    return open ? EXIT_UNFINISHED : EXIT_NOTHING_FOUND;
}

/* ---- The first line ---- */

/* " in sb.c, on SC, x86 (TSO), PSO and PSLO": what the answer is about. */
static void put_subject(const struct report *r, struct buf *out)
{
    buf_printf(out, " in %s", r->program);
    if (r->checks_nothing)
        buf_puts(out, " (which checks nothing)");
    for (size_t i = 0; i < r->model_count; i++)
        buf_printf(out, "%s%s",
                   i == 0                    ? ", on "
                   : i + 1 == r->model_count ? " and "
                                             : ", ",
                   r->models[i].model->words);
    buf_putc(out, '\n');
}

void report_heading(const struct report *r, struct buf *out)
{
    bool tested = strcmp(r->command, "test") == 0;
    bool checked = strcmp(r->command, "check") == 0;
    const char *none = tested ? "no harm found" : "no failure found";

    switch (conclude(r)) {
    case CONCLUSION_FOUND: /* the finding has a headline of its own */
        return;
    case CONCLUSION_NOT_FINISHED:
        buf_printf(out, "not finished: %s so far", none);
        break;
    case CONCLUSION_SOME:
        buf_printf(out, "%s%s", none,
                   tested ? "" : " within the bounds asked for");
        break;
    case CONCLUSION_ALL:
        buf_puts(out, tested    ? "no harm: every execution was looked at"
                      : checked ? "passed: no execution of these tests fails"
                                : "verified: no execution fails");
        break;
    }
    put_subject(r, out);
}
