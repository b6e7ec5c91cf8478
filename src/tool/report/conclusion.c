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

static const char *machine_of(const struct report_model *m)
{
    if (m->every_machine)
        return "every machine that C11 compiles to";
    return m->model->machine ? m->model->machine : m->model->words;
}

static enum answer answer_on(const struct report_model *m)
{
    return answers_of(&m->done).property_broken;
}

/* SC is no machine. */
static bool is_machine(const struct report_model *m)
{
    return m->model != &model_sc;
}

static size_t count_machines(const struct report *r, enum answer a)
{
    size_t count = 0;

    for (size_t i = 0; i < r->model_count; i++)
        count += is_machine(&r->models[i]) && answer_on(&r->models[i]) == a;
    return count;
}

/* "x86, ARM and RISC-V": those with that answer; if it is SC's alone, "SC". */
static void put_machines(const struct report *r, enum answer a, struct buf *out)
{
    size_t count = count_machines(r, a), n = 0;

    for (size_t i = 0; i < r->model_count; i++) {
        const struct report_model *m = &r->models[i];

        if (answer_on(m) != a || (count && !is_machine(m)))
            continue;
        buf_printf(out, "%s%s",
                   n == 0           ? ""
                   : n + 1 == count ? " and "
                                    : ", ",
                   machine_of(m));
        n++;
    }
}

static bool is_on_sc(const struct report *r, enum answer a)
{
    for (size_t i = 0; i < r->model_count; i++) {
        if (!is_machine(&r->models[i]))
            return answer_on(&r->models[i]) == a;
    }
    return false;
}

static bool has_answer(const struct report *r, enum answer a)
{
    return count_machines(r, a) || is_on_sc(r, a);
}

/* "; right on x86; not known for ARM" */
static void put_others(const struct report *r, struct buf *out)
{
    if (has_answer(r, ANSWER_NO)) {
        buf_puts(out, "; right on ");
        put_machines(r, ANSWER_NO, out);
    }
    if (count_machines(r, ANSWER_UNKNOWN)) {
        buf_puts(out, "; not known for ");
        put_machines(r, ANSWER_UNKNOWN, out);
    }
}

bool report_fails_where(const struct report *r, struct buf *out)
{
    if (strcmp(r->command, "verify") != 0 || !has_answer(r, ANSWER_YES))
        return false;
    if (is_on_sc(r, ANSWER_YES)) {
        buf_puts(out, "fails on every machine: on SC already\n");
        return true;
    }
    buf_puts(out, "fails on ");
    put_machines(r, ANSWER_YES, out);
    put_others(r, out);
    buf_putc(out, '\n');
    return true;
}

static void put_program(const struct report *r, struct buf *out)
{
    buf_printf(out, " in %s", r->program);
    if (r->checks == CHECKS_NONE)
        buf_puts(out, " (which checks nothing)");
    else if (r->checks == CHECKS_UNREACHED)
        buf_puts(out, " (of which no check was reached)");
}

/* " in sb.c, on SC, x86 (TSO), PSO and PSLO": what the answer is about. */
static void put_subject(const struct report *r, struct buf *out)
{
    put_program(r, out);
    for (size_t i = 0; i < r->model_count; i++)
        buf_printf(out, "%s%s",
                   i == 0                    ? ", on "
                   : i + 1 == r->model_count ? " and "
                                             : ", ",
                   r->models[i].model->words);
    buf_putc(out, '\n');
}

/* Which machines a verification speaks of comes first. */
static void put_verified(const struct report *r, struct buf *out)
{
    buf_puts(out, "verified for ");
    put_machines(r, ANSWER_NO, out);
    buf_puts(out, ": no execution fails");
    put_program(r, out);
    buf_putc(out, '\n');
}

static void put_unfinished(const struct report *r, const char *none,
                           struct buf *out)
{
    buf_printf(out, "not finished: %s so far", none);
    if (strcmp(r->command, "verify") != 0 || !count_machines(r, ANSWER_NO)) {
        put_subject(r, out);
        return;
    }
    put_program(r, out);
    put_others(r, out);
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
        put_unfinished(r, none, out);
        return;
    case CONCLUSION_SOME:
        buf_printf(out, "%s%s", none,
                   tested ? "" : " within the bounds asked for");
        break;
    case CONCLUSION_ALL:
        if (strcmp(r->command, "verify") == 0) {
            put_verified(r, out);
            return;
        }
        buf_puts(out, tested    ? "no harm: every execution was looked at"
                      : checked ? "passed: no execution of these tests fails"
                                : "verified: no execution fails");
        break;
    }
    put_subject(r, out);
}
