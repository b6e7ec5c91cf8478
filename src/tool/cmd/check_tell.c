/* SPDX-License-Identifier: MIT
 *
 * Verdicts, findings and fences of src/check/engine as a report.
 */
#include "cmd/check_tell.h"

#include <string.h>

#include "cmd/keep.h"

/* ---- Verdicts ---- */

static const char *const specifications[] = {
    [CHECK_SPEC_NONE] = NULL,         [CHECK_SPEC_MINED] = "mined",
    [CHECK_SPEC_KEPT] = "kept",       [CHECK_SPEC_REFERENCE] = "reference",
    [CHECK_SPEC_FORMULA] = "formula",
};

static const struct check_verdict *find_verdict(const struct check_result *r,
                                                const struct test *t,
                                                const struct model *m)
{
    for (size_t i = 0; i < r->verdict_count; i++) {
        if (r->verdicts[i].test == t && r->verdicts[i].model == m)
            return &r->verdicts[i];
    }
    return NULL;
}

static void fill_test(struct report_test *to, const struct test *t,
                      const struct model *m, const struct check_verdict *v)
{
    *to = (struct report_test){.test = t ? t->name : "main",
                               .notation = t ? t->notation : NULL,
                               .model = m};
    if (!v)
        return; /* nobody came to it */
    to->done = v->done;
    to->specification = specifications[v->specification];
    to->counted = v->specification != CHECK_SPEC_NONE &&
                  v->specification != CHECK_SPEC_FORMULA;
    to->observations = v->observations;
    to->accesses = v->accesses;
    to->instructions = v->instructions;
    to->variables = v->variables;
    to->clauses = v->clauses;
    to->solves = v->solves;
    to->cycle_clauses = v->cycle_clauses;
    to->rounds = v->rounds;
    to->mining_seconds = v->mining_seconds;
    to->encode_seconds = v->encode_seconds;
    to->solve_seconds = v->solve_seconds;
    to->bounds_seconds = v->bounds_seconds;
    to->seconds = v->seconds;
    to->memory_mib = v->memory_mib;
}

static void fill_tests(struct checking *c)
{
    size_t tests = c->test_count ? c->test_count : 1;
    size_t models = c->call.options->model_count;
    struct report_test *to =
        arena_array(&c->call.arena, tests * models, sizeof(*to));

    for (size_t i = 0; i < tests * models; i++) {
        const struct test *t = c->test_count ? &c->tests[i / models] : NULL;
        const struct model *m = c->call.options->models[i % models];

        fill_test(&to[i], t, m, find_verdict(&c->result, t, m));
    }
    c->call.report.tests = to;
    c->call.report.test_count = tests * models;
}

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
        const struct report_test *from = &r->tests[i];

        if (from->model != m)
            continue;
        to->seconds += from->seconds;
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

/* ---- Fences ---- */

static const struct report_fence *
fences_of(struct checking *c, const struct check_fence *from, size_t count)
{
    struct report_fence *list =
        arena_array(&c->call.arena, count, sizeof(*list));

    for (size_t i = 0; i < count; i++)
        list[i] = (struct report_fence){
            .site = from[i].site,
            .kind = report_fence_kind(from[i].bits),
            .test = from[i].test ? from[i].test->name : NULL,
            .model = from[i].model,
        };
    return list;
}

static void fill_fences(struct checking *c)
{
    const struct check_result *r = &c->result;
    struct report *to = &c->call.report;

    to->fences_sought = c->call.options->fences;
    to->fence_set = fences_of(c, r->fence_set, r->fence_set_count);
    to->fence_set_count = r->fence_set_count;
    to->not_needed = fences_of(c, r->not_needed, r->not_needed_count);
    to->not_needed_count = r->not_needed_count;
}

static void fill_limits(struct checking *c)
{
    const struct lines *from = &c->result.limits;

    for (size_t i = 0; i < from->count; i++)
        lines_add(&c->call.limits, "%s", from->list[i]);
    if (c->result.stopped && c->interrupted)
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

bool check_tell(struct checking *c, struct err *e)
{
    c->call.report.program = c->call.target.program;
    fill_tests(c);
    if (!fill_findings(c, e))
        return false;
    for (size_t i = 0; i < c->call.options->model_count; i++)
        fill_model(c, c->call.options->models[i]);
    fill_fences(c);
    fill_limits(c);
    return true;
}
