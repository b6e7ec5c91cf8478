/* SPDX-License-Identifier: MIT
 *
 * Which fences make all tests pass, as cheaply as possible?
 *
 * Any set that does must hold, for each execution that breaks a test, a fence
 * which that execution does not respect.  So: take the cheapest set that holds
 * one for every such execution known so far (a hitting set), ask for a
 * violation with these fences, and learn from it, until there is none.  The
 * last set is sufficient, and no cheaper one is.
 *
 * A fence that is in the program and without which all tests pass is not
 * needed by them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/seconds.h"
#include "base/vec.h"
#include "engine/engine_inside.h"
#include "engine/hitting.h"

/* How long the cure of a finding may take: so much, and so many times what its
 * test took. */
#define CURE_SECONDS 1
#define CURE_FACTOR 10

struct plan {
    struct session *s;
    VEC(struct encode_fence) fences; /* those tried, then those present */
    size_t tried;
    struct trial *trials; /* every test on every model */
    bool *hopeless;       /* per trial: no fence helps */
    size_t trial_count;
    struct hitting *hitting;
    bool *chosen; /* per fence tried */
    double until; /* processor seconds; 0: no limit of its own */
};

/* ---- Candidates ---- */

/* The order is the issue's: what machines do anyway is cheap.  Two cheap fences
 * cost more than one of any kind but sl and full. */
static const struct {
    uint8_t kind;
    unsigned weight;
} kinds[] = {{FENCE_LL, 10},
             {FENCE_LS, 11},
             {FENCE_SS, 12},
             {FENCE_SL, 30},
             {FENCE_FULL, 40}};
#define FINE 64 /* what is between two weights: more than fences in a set */
#define KINDS (sizeof kinds / sizeof *kinds)

static bool known(const struct plan *p, uint32_t site, bool present)
{
    for (size_t i = 0; i < p->fences.count; i++) {
        if (p->fences.list[i].site == site &&
            p->fences.list[i].present == present)
            return true;
    }
    return false;
}

static bool can_have_fence(const struct flat_event *e)
{
    return (e->kind == FLAT_LOAD || e->kind == FLAT_STORE) &&
           !(e->flags & FLAT_GHOST) && e->site;
}

static void add_places(struct plan *p, const struct flat *f, bool present)
{
    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *e = &f->events[i];

        if (present ? e->kind != FLAT_FENCE : !can_have_fence(e))
            continue;
        if (known(p, e->site, present))
            continue;
        for (size_t k = 0; k < (present ? 1 : KINDS); k++)
            VEC_PUSH(&p->fences,
                     {e->site, present ? e->fences : kinds[k].kind, present});
    }
}

/* Every site shows in the tests as they are unrolled at first. */
static bool find_places(struct plan *p, bool present, struct err *e)
{
    const struct check_options *o = p->s->options;
    struct flat_bounds *bounds = flat_bounds_new();
    bool ok = true;

    for (size_t i = 0; i < o->test_count && ok; i++) {
        struct arena scratch = ARENA_INIT;
        struct flat f;

        ok = flat_unroll(o->program, &o->tests[i], o->program->main, bounds,
                         &scratch, &f, e);
        if (ok)
            add_places(p, &f, present);
        arena_free(&scratch);
    }
    flat_bounds_free(bounds);
    return ok;
}

/* ---- What an execution respects ---- */

struct timeline {
    const struct flat *flat;
    const struct flat_run *run;
    uint32_t *place; /* per event: in memory order, from 1; 0: not executed */
};

static bool is_of(const struct flat_event *e, bool store)
{
    /* Inside an RMW or block an access counts as both. */
    return e->flags & FLAT_RMW || (e->kind == FLAT_STORE) == store;
}

static unsigned sides(uint8_t kind, bool first)
{
    switch (kind) {
    case FENCE_LL:
        return 1;
    case FENCE_SS:
        return 2;
    case FENCE_LS:
        return first ? 1 : 2;
    case FENCE_SL:
        return first ? 2 : 1;
    default:
        return 3;
    }
}

static bool on_side(const struct flat_event *e, unsigned side)
{
    return (side & 1 && is_of(e, false)) || (side & 2 && is_of(e, true));
}

/* With a fence after event `at`: is there anything of its thread before it
 * that takes effect after something after it? */
static bool respects_here(const struct timeline *t, uint32_t at, uint8_t kind)
{
    const struct flat_thread *thread =
        &t->flat->threads[t->flat->events[at].thread];
    uint32_t last = 0, next = UINT32_MAX;

    for (uint32_t e = thread->first; e < thread->first + thread->count; e++) {
        const struct flat_event *event = &t->flat->events[e];

        if (!t->place[e])
            continue;
        if (e <= at) {
            if (on_side(event, sides(kind, true)) && t->place[e] > last)
                last = t->place[e];
        } else if (on_side(event, sides(kind, false)) && t->place[e] < next &&
                   !(event->unit && event->unit == t->flat->events[at].unit)) {
            next = t->place[e];
        }
    }
    return last < next;
}

static bool respects(const struct timeline *t, const struct encode_fence *f)
{
    for (uint32_t e = 0; e < t->flat->event_count; e++) {
        if (t->place[e] && t->flat->events[e].site == f->site &&
            !respects_here(t, e, f->kind))
            return false;
    }
    return true;
}

/* The execution must not be: one of the fences that it does not respect has to
 * be there.  False: it respects them all. */
static bool learn(struct plan *p, const struct violation *v)
{
    struct timeline t = {v->flat, &v->found->run, NULL};
    bool *set = calloc(p->tried + 1, sizeof *set);
    bool any = false;

    t.place = calloc(v->flat->event_count + 1, sizeof *t.place);
    CHECK(set && t.place);
    for (uint32_t i = 0; i < v->found->run.order_count; i++)
        t.place[v->found->run.order[i]] = i + 1;
    for (size_t i = 0; i < p->tried; i++) {
        set[i] = !p->chosen[i] && !respects(&t, &p->fences.list[i]);
        any |= set[i];
    }
    if (any)
        hitting_add(p->hitting, set);
    free(set);
    free(t.place);
    return any;
}

/* ---- The search ---- */

static void run_with(struct plan *p, struct trial *t)
{
    for (size_t i = 0; i < p->tried; i++)
        t->fence_on[i] = p->chosen[i];
    trial_run(t);
}

/* A trial that is broken with the fences chosen, from `first` on, or
 * trial_count. */
static size_t find_broken(struct plan *p, size_t first)
{
    for (size_t n = 0; n < p->trial_count && !session_ended(p->s); n++) {
        size_t i = (first + n) % p->trial_count;

        if (p->hopeless[i])
            continue;
        run_with(p, &p->trials[i]);
        if (p->trials[i].violation.found && p->trials[i].out.done.failed)
            return i;
    }
    return p->trial_count;
}

static const char *test_words(const struct trial *t)
{
    return t->test ? t->test->name : "main";
}

/* Of two places that are as good, the one after an access that the fence is
 * about is easier to understand: ss after a store. */
static bool is_natural(const struct plan *p, size_t i)
{
    const struct fencer_site *site =
        &p->s->options->program->sites[p->fences.list[i].site];
    unsigned side = sides(p->fences.list[i].kind, true);

    return (side == 1 && site->kind == EV_LOAD) ||
           (side == 2 && site->kind == EV_STORE);
}

/* Forgets what was learnt. */
static void learn_nothing(struct plan *p)
{
    unsigned *weights = calloc(p->tried + 1, sizeof *weights);

    CHECK(weights);
    for (size_t i = 0; i < p->tried; i++) {
        weights[i] = FINE * kinds[i % KINDS].weight - is_natural(p, i);
        p->chosen[i] = false;
    }
    hitting_free(p->hitting);
    p->hitting = hitting_new(p->tried, weights);
    free(weights);
}

/* What a hopeless trial taught would ask for fences that do not cure it. */
static void give_up(struct plan *p, size_t at)
{
    const struct trial *t = &p->trials[at];

    p->hopeless[at] = true;
    learn_nothing(p);
    if (!p->until)
        lines_add(&p->s->result->limits, "%s on %s: no fence cures it",
                  test_words(t), t->model->words);
}

static void search(struct plan *p)
{
    size_t at = 0;

    while (!session_ended(p->s) && (at = find_broken(p, at)) < p->trial_count) {
        if (learn(p, &p->trials[at].violation))
            hitting_solve(p->hitting, p->chosen);
        else
            give_up(p, at);
    }
}

/* ---- What is told ---- */

static struct needed_fence as_told(const struct plan *p, size_t i,
                                   const struct trial *t)
{
    return (struct needed_fence){
        .site = p->s->options->program->sites[p->fences.list[i].site],
        .bits = p->fences.list[i].kind,
        .test = t && t->test ? t->test->name : NULL,
        .model = t ? t->model : NULL};
}

static void tell_chosen(struct plan *p)
{
    struct check_result *r = p->s->result;

    r->fence_set = arena_array(p->s->arena, p->tried + 1, sizeof *r->fence_set);
    for (size_t i = 0; i < p->tried; i++) {
        size_t needs;

        if (!p->chosen[i])
            continue;
        p->chosen[i] = false;
        needs = find_broken(p, 0);
        p->chosen[i] = true;
        r->fence_set[r->fence_set_count++] =
            as_told(p, i, needs < p->trial_count ? &p->trials[needs] : NULL);
    }
}

static void switch_present(struct plan *p, size_t fence, bool on)
{
    for (size_t i = 0; i < p->trial_count; i++)
        p->trials[i].fence_on[fence] = on;
}

static void tell_not_needed(struct plan *p)
{
    struct check_result *r = p->s->result;

    r->not_needed = arena_array(p->s->arena, p->fences.count - p->tried + 1,
                                sizeof *r->not_needed);
    for (size_t i = p->tried; i < p->fences.count && !session_ended(p->s);
         i++) {
        switch_present(p, i, false);
        if (find_broken(p, 0) < p->trial_count)
            switch_present(p, i, true);
        else if (!session_ended(p->s))
            r->not_needed[r->not_needed_count++] = as_told(p, i, NULL);
    }
}

/* The trials are there already. */
static void begin(struct plan *p)
{
    p->hopeless = calloc(p->trial_count + 1, sizeof *p->hopeless);
    p->chosen = calloc(p->tried + 1, sizeof *p->chosen);
    CHECK(p->hopeless && p->chosen);
    learn_nothing(p);
}

/* What a violation says about fences is read off the order in which its
 * accesses take effect: there has to be one (docs/decisions/25). */
static bool has_one_order(const struct model *m)
{
    return !m->by_language && !(m->by_axioms && m->axioms->edges != EDGE_ALL);
}

/* Names the models that are left out, and returns how many. */
static size_t name_left_out(const struct plan *p)
{
    const struct check_options *o = p->s->options;
    size_t n = 0;

    for (size_t k = 0; k < o->model_count; k++) {
        if (has_one_order(o->models[k]))
            continue;
        n++;
        lines_add(&p->s->result->limits, "fences that %s needs",
                  o->models[k]->words);
    }
    return n;
}

static void begin_trials(struct plan *p, const struct expected *expected)
{
    const struct check_options *o = p->s->options;

    p->trials = calloc(o->test_count * o->model_count + 1, sizeof *p->trials);
    CHECK(p->trials);
    for (size_t i = 0; i < o->test_count; i++) {
        for (size_t k = 0; k < o->model_count && !expected[i].unknown; k++)
            if (has_one_order(o->models[k]))
                trial_begin(&p->trials[p->trial_count++], p->s, &o->tests[i],
                            o->models[k], &expected[i], p->fences.list,
                            p->fences.count);
    }
}

static void end(struct plan *p)
{
    for (size_t i = 0; i < p->trial_count; i++)
        trial_end(&p->trials[i]);
    hitting_free(p->hitting);
    free(p->trials);
    free(p->hopeless);
    free(p->chosen);
    VEC_FREE(&p->fences);
}

void check_fences(struct session *s, const struct expected *expected)
{
    struct plan p = {.s = s};
    struct err e;
    bool found = find_places(&p, false, &e);
    size_t left_out = 0;

    p.tried = p.fences.count;
    if (!found || !find_places(&p, true, &e)) {
        lines_add(&s->result->limits, "fences were not looked for: %s", e.text);
        VEC_FREE(&p.fences);
        return;
    }
    left_out = name_left_out(&p);
    begin_trials(&p, expected);
    begin(&p);
    search(&p);
    if (session_ended(s)) {
        lines_add(&s->result->limits, "stopped while looking for fences");
    } else {
        tell_chosen(&p);
        if (!left_out)
            tell_not_needed(&p);
    }
    end(&p);
}

/* ---- One finding ---- */

size_t check_cure(const struct trial *t, struct encode_fence *out, size_t most)
{
    struct plan p = {.s = t->s,
                     .until = seconds_worked() + CURE_SECONDS +
                              CURE_FACTOR * t->out.effort.solve_seconds};
    size_t n = 0;

    add_places(&p, t->flat, false);
    p.tried = p.fences.count;
    p.trials = calloc(1, sizeof *p.trials);
    CHECK(p.trials);
    p.trial_count = 1;
    trial_begin(&p.trials[0], t->s, t->test, t->model, t->expected,
                p.fences.list, p.fences.count);
    begin(&p);
    search(&p);
    if (answers_of(&p.trials[0].out.done).property_broken == ANSWER_NO) {
        for (size_t i = 0; i < p.tried && n <= most; i++) {
            if (p.chosen[i] && n++ < most)
                out[n - 1] = p.fences.list[i];
        }
    }
    end(&p);
    return n > most ? 0 : n;
}
