/* SPDX-License-Identifier: MIT
 *
 * Verdicts, findings and fences of src/check/engine as a report.
 */
#include "cmd/check_tell.h"

#include <string.h>

#include "cmd/run_keep.h"
#include "cmd/run_tell.h"

struct telling {
    struct checking *c;
    struct report report;
    struct report_model models[OPTIONS_MODELS_MAX];
    struct report_test *tests;
    struct shown **findings;
    struct lines limits;
};

/* ---- Verdicts ---- */

static const char *const specifications[] = {
    [CHECK_SPEC_NONE] = NULL,         [CHECK_SPEC_MINED] = "mined",
    [CHECK_SPEC_KEPT] = "kept",       [CHECK_SPEC_REFERENCE] = "reference",
    [CHECK_SPEC_FORMULA] = "formula",
};

static const struct check_verdict *
find(const struct check_result *r, const struct test *t, const struct model *m)
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
    to->property_broken = v->broken;
    to->complete = v->complete;
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

/* An answer that is missing is unknown.  What --unroll cut was wanted. */
static void weigh(struct telling *t, const struct check_verdict *v)
{
    if (v && v->broken == ANSWER_YES)
        t->c->broken = true;
    else if (!v || v->broken == ANSWER_UNKNOWN || v->cut_by_default)
        t->c->open = true;
}

static void fill_tests(struct telling *t)
{
    const struct checking *c = t->c;
    size_t tests = c->test_count ? c->test_count : 1;
    size_t models = c->options->model_count;

    t->tests = arena_array(&t->c->arena, tests * models, sizeof(*t->tests));
    for (size_t i = 0; i < tests; i++) {
        const struct test *test = c->test_count ? &c->tests[i] : NULL;

        for (size_t k = 0; k < models; k++) {
            const struct model *m = c->options->models[k];
            const struct check_verdict *v = find(&c->result, test, m);

            fill_test(&t->tests[i * models + k], test, m, v);
            weigh(t, v);
        }
    }
    t->report.tests = t->tests;
    t->report.test_count = tests * models;
}

/* ---- Models ---- */

static bool fails(const struct telling *t, size_t test, const struct model *m)
{
    const struct report *r = &t->report;

    for (size_t i = 0; i < r->test_count; i++) {
        if (r->tests[i].model == m &&
            strcmp(r->tests[i].test, r->tests[test].test) == 0 &&
            r->tests[i].property_broken == ANSWER_YES)
            return true;
    }
    return false;
}

/* A failure that SC has not, on the same test, is an execution that is not
 * SC's; that there is none is nothing we look for. */
static enum answer leaves_sc(const struct telling *t, const struct model *m)
{
    const struct report *r = &t->report;
    bool has_sc = t->c->options->models[0] == &model_sc;

    if (m == &model_sc)
        return ANSWER_NO;
    for (size_t i = 0; has_sc && i < r->test_count; i++) {
        if (r->tests[i].model == m &&
            r->tests[i].property_broken == ANSWER_YES &&
            !fails(t, i, &model_sc))
            return ANSWER_YES;
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        if (r->findings[i]->finding.model == m &&
            r->findings[i]->cycle.length > 0)
            return ANSWER_YES;
    }
    return ANSWER_UNKNOWN;
}

static void fill_model(struct telling *t, size_t number)
{
    const struct report *r = &t->report;
    struct report_model *to = &t->models[number];

    to->model = t->c->options->models[number];
    to->property_broken = ANSWER_NO;
    to->complete = true;
    for (size_t i = 0; i < r->test_count; i++) {
        const struct report_test *from = &r->tests[i];

        if (from->model != to->model)
            continue;
        to->seconds += from->seconds;
        to->complete = to->complete && from->complete;
        if (from->property_broken == ANSWER_YES ||
            to->property_broken == ANSWER_NO)
            to->property_broken = from->property_broken;
    }
    to->sc_violation = leaves_sc(t, to->model);
}

/* ---- Findings ---- */

/* That test shows it, too. */
static void add_name(struct telling *t, struct shown *f,
                     const struct test *test)
{
    if (!test)
        return;
    if (f->test_count == 0) {
        f->tests = arena_array(&t->c->arena, t->c->result.shown_count,
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
static bool joins_another(struct telling *t, size_t number)
{
    const struct check_result *r = &t->c->result;

    for (size_t i = 0; i < t->report.finding_count; i++) {
        if (!same_cause(t->findings[i], r->shown[number]))
            continue;
        add_name(t, t->findings[i], r->shown_test[number]);
        return true;
    }
    return false;
}

static bool add_finding(struct telling *t, size_t number, struct err *e)
{
    struct checking *c = t->c;
    struct shown *s = c->result.shown[number];

    if (joins_another(t, number))
        return true;
    if (!keep_shown(c->options, &c->target, s, &c->arena, e))
        return false;
    add_name(t, s, c->result.shown_test[number]);
    t->findings[t->report.finding_count++] = s;
    return true;
}

/* Strongest model first, whatever the test. */
static bool fill_findings(struct telling *t, struct err *e)
{
    const struct check_result *r = &t->c->result;
    struct arena *a = &t->c->arena;

    t->findings = arena_array(a, r->shown_count, sizeof(*t->findings));
    for (size_t m = 0; m < t->c->options->model_count; m++) {
        for (size_t i = 0; i < r->shown_count; i++) {
            if (r->shown[i]->finding.model == t->c->options->models[m] &&
                !add_finding(t, i, e))
                return false;
        }
    }
    t->report.findings = (const struct shown *const *)t->findings;
    return true;
}

/* ---- Fences ---- */

static const struct report_fence *
fences_of(struct telling *t, const struct check_fence *from, size_t count)
{
    struct report_fence *list = arena_array(&t->c->arena, count, sizeof(*list));

    for (size_t i = 0; i < count; i++)
        list[i] = (struct report_fence){
            .file = from[i].file,
            .line = from[i].line,
            .kind = report_fence_kind(from[i].bits),
            .test = from[i].test ? from[i].test->name : NULL,
            .model = from[i].model,
        };
    return list;
}

static void fill_fences(struct telling *t)
{
    const struct check_result *r = &t->c->result;
    struct report *to = &t->report;

    to->fences_sought = t->c->options->fences;
    to->fence_set = fences_of(t, r->fence_set, r->fence_set_count);
    to->fence_set_count = r->fence_set_count;
    to->not_needed = fences_of(t, r->not_needed, r->not_needed_count);
    to->not_needed_count = r->not_needed_count;
}

static void fill_limits(struct telling *t)
{
    const struct lines *from = &t->c->result.limits;

    t->limits.arena = &t->c->arena;
    for (size_t i = 0; i < from->count; i++)
        lines_add(&t->limits, "%s", from->list[i]);
    if (t->c->result.stopped && t->c->interrupted)
        lines_add(&t->limits, "what is unknown: stopped by the user");
    else if (t->c->result.stopped)
        lines_add(&t->limits, "what is unknown: the time is up (--time %g)",
                  (double)t->c->options->time_ms / 1000);
    if (t->c->test_count)
        lines_add(&t->limits, "tests other than these: more operations, more "
                              "threads, other arguments");
    t->report.limits = t->limits.list;
    t->report.limit_count = t->limits.count;
}

bool check_tell(struct checking *c, struct err *e)
{
    struct telling t = {
        .c = c,
        .report = {.command = "check", .program = c->target.program},
    };

    fill_tests(&t);
    if (!fill_findings(&t, e))
        return false;
    for (size_t i = 0; i < c->options->model_count; i++)
        fill_model(&t, i);
    t.report.models = t.models;
    t.report.model_count = c->options->model_count;
    fill_fences(&t);
    fill_limits(&t);
    return tell_report(&t.report, c->options, e);
}
