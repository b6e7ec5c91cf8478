/* SPDX-License-Identifier: MIT
 *
 * What src/check/engine found, as a report.
 */
#include "cmd/check_tell.h"

#include <string.h>

#include "cmd/keep.h"

/* ---- Models ---- */

static bool fails_on_sc(const struct report *r, const char *test)
{
    for (size_t i = 0; i < r->test_count; i++) {
        if (r->tests[i].model == &model_sc && r->tests[i].done.failed &&
            strcmp(r->tests[i].test, test) == 0)
            return true;
    }
    return false;
}

/* A failure that SC has not, on the same test, is an execution that is not
 * SC's; that there is none is nothing we look for. */
static bool leaves_sc(const struct checking *c, const struct model *m)
{
    const struct report *r = &c->call.report;
    bool has_sc = c->call.options->models[0] == &model_sc;

    for (size_t i = 0; has_sc && i < r->test_count; i++) {
        if (r->tests[i].model == m && r->tests[i].done.failed &&
            !fails_on_sc(r, r->tests[i].test))
            return true;
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        if (r->findings[i]->finding.model == m &&
            r->findings[i]->cycle.length > 0)
            return true;
    }
    return false;
}

static void fill_model(struct checking *c, const struct model *m)
{
    const struct report *r = &c->call.report;
    struct report_model *to = command_add_model(&c->call, m);
    bool first = true;

    for (size_t i = 0; i < r->test_count; i++) {
        const struct tested *from = &r->tests[i];

        if (from->model != m)
            continue;
        to->seconds += from->effort.seconds;
        if (first)
            to->done = from->done;
        done_join(&to->done, &from->done);
        first = false;
    }
    to->done.only_sc = m == &model_sc;
    to->done.left_sc = leaves_sc(c, m);
}

/* ---- Findings ---- */

/* That test shows it, too. */
static void add_name(struct checking *c, struct shown *f,
                     const struct test *test)
{
    if (!test)
        return;
    if (f->test_count == 0) {
        f->tests = arena_array(&c->call.arena, c->result.shown_count,
                               sizeof(*f->tests));
        f->notation = test->notation;
    }
    f->tests[f->test_count++] = test->name;
}

/* Does each pair that was swapped in x have its like in y? */
static bool pairs_within(const struct shown *x, const struct shown *y)
{
    const struct shown_cycle *c = &x->cycle, *d = &y->cycle;

    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *a = &x->trace.events[c->events[i]];
        const struct event *b =
            &x->trace.events[c->events[(i + 1) % c->length]];
        bool found = !(c->reordered >> i & 1);

        for (uint32_t k = 0; !found && k < d->length; k++)
            found =
                d->reordered >> k & 1 &&
                y->trace.events[d->events[k]].site == a->site &&
                y->trace.events[d->events[(k + 1) % d->length]].site == b->site;
        if (!found)
            return false;
    }
    return true;
}

/* Accesses of the same sites were swapped: one cause, and one finding. */
static bool same_cause(const struct shown *x, const struct shown *y)
{
    return x->finding.model == y->finding.model && x->cycle.length > 0 &&
           y->cycle.length > 0 && pairs_within(x, y) && pairs_within(y, x);
}

/* An earlier test that shows the same; it names this one too. */
static bool joins_another(struct checking *c, size_t number)
{
    const struct check_result *r = &c->result;

    for (size_t i = 0; i < c->call.report.finding_count; i++) {
        if (!same_cause(c->findings[i], r->shown[number]))
            continue;
        add_name(c, c->findings[i], r->shown_test[number]);
        return true;
    }
    return false;
}

static bool add_finding(struct checking *c, size_t number, struct err *e)
{
    struct shown *s = c->result.shown[number];

    if (joins_another(c, number))
        return true;
    if (!keep_shown(c->call.options, &c->call.target, s, &c->call.arena, e))
        return false;
    add_name(c, s, c->result.shown_test[number]);
    c->findings[c->call.report.finding_count++] = s;
    return true;
}

/* Strongest model first, whatever the test. */
static bool fill_findings(struct checking *c, struct err *e)
{
    const struct check_result *r = &c->result;
    struct arena *a = &c->call.arena;

    c->findings = arena_array(a, r->shown_count, sizeof(*c->findings));
    for (size_t m = 0; m < c->call.options->model_count; m++) {
        for (size_t i = 0; i < r->shown_count; i++) {
            if (r->shown[i]->finding.model == c->call.options->models[m] &&
                !add_finding(c, i, e))
                return false;
        }
    }
    c->call.report.findings = (const struct shown *const *)c->findings;
    return true;
}

/* ---- All of it ---- */

static void fill_limits(struct checking *c)
{
    const struct lines *from = &c->result.limits;

    for (size_t i = 0; i < from->count; i++)
        lines_add(&c->call.limits, "%s", from->list[i]);
    if (c->result.stopped && c->call.interrupted)
        lines_add(&c->call.limits, "what is unknown: stopped by the user");
    else if (c->result.stopped)
        lines_add(&c->call.limits,
                  "what is unknown: the time is up (--time %g)",
                  (double)c->call.options->time_ms / 1000);
    if (c->test_count)
        lines_add(&c->call.limits,
                  "tests other than these: more operations, more "
                  "threads, other arguments");
}

bool check_tell(struct call *call, struct err *e)
{
    struct checking *c = (struct checking *)call;
    const struct check_result *r = &c->result;
    struct report *to = &call->report;

    to->tests = r->tests;
    to->test_count = r->test_count;
    if (!fill_findings(c, e))
        return false;
    for (size_t i = 0; i < call->options->model_count; i++)
        fill_model(c, call->options->models[i]);
    to->fences_sought = call->options->fences;
    to->fence_set = r->fence_set;
    to->fence_set_count = r->fence_set_count;
    to->not_needed = r->not_needed;
    to->not_needed_count = r->not_needed_count;
    fill_limits(c);
    return true;
}
