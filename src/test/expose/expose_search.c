/* SPDX-License-Identifier: MIT
 *
 * One search after the other, several side by side: the program runs with a
 * cycle to create until the strategy believes that it has, or its budget of
 * executions is spent.  What it believes is looked up in the trace.  A cycle
 * that was created without harm is created again, for harm: what follows it
 * differs from execution to execution.
 */
#include <string.h>

#include "base/log.h"
#include "base/point.h"
#include "base/seconds.h"
#include "expose/expose_inside.h"
#include "session/progress.h"

#define STARTS_MAX 60 /* of the program, for one search */
#define SEARCH_MS 500 /* a search may take that, be there ever so many */
#define SHAKE_FENCED 500
#define FENCED_EVENTS                                                          \
    100000           /* of one execution; a luckless one has millions          \
                      */
#define SHAKES_MAX 8 /* failing ones of those to look at */

struct search {
    struct expose *x;
    size_t cycle, model;
    struct channel_goal goal;
    struct job job;
    struct worker worker;
    int pair;           /* that is sought for harm, or SEARCH_WHOLE */
    uint64_t next, end; /* executions */
    unsigned starts;
    bool created;
    uint32_t pairs; /* not yet sought for harm */
    bool tried;     /* whether what it has now does harm on its own */
    double begun;
};

static void log_cycle(const struct search *s, const char *what)
{
    struct buf text = {0};

    if (!log_is_on[LOG_EXPOSE])
        return;
    cycle_text(&s->x->known.list[s->cycle].cycle, s->x->o->tables->sites,
               &text);
    LOG(EXPOSE, "%s: %s %s, %llu executions", s->x->o->models[s->model]->name,
        what, text.bytes,
        (unsigned long long)s->x->known.list[s->cycle]
            .verdicts[s->model]
            .executions);
    buf_free(&text);
}

/* ---- The job ---- */

static struct channel_goal goal_of(const struct expose *x,
                                   const struct cycle *c, const struct model *m)
{
    struct channel_goal g = {.node_count = c->length,
                             .reorder = c->reorderable[model_number(m)],
                             .stop = GOAL_STOP_AT_HIT};

    for (uint32_t i = 0; i < c->length; i++)
        g.nodes[i] = (struct goal_node){c->nodes[i].site, c->nodes[i].role,
                                        c->nodes[i].pair, c->nodes[i].reads,
                                        c->nodes[i].writes};
    /* Orion reorders one pair unless told otherwise (its section III.B). */
    if (x->o->strategy == STRATEGY_ORION && !x->o->all_pairs)
        g.reorder &= -g.reorder;
    return g;
}

/* Each search has random numbers of its own, whatever was searched before. */
static uint64_t seed_of(uint64_t seed, const struct cycle *c,
                        const struct model *m)
{
    uint64_t h = seed * 0x9e3779b97f4a7c15ull + model_number(m);

    for (uint32_t i = 0; i < c->length; i++)
        h = (h ^ (c->nodes[i].site * 3u + c->nodes[i].pair)) *
            0x9e3779b97f4a7c15ull;
    return h >> 1;
}

static struct job job_of(const struct expose *x, const struct model *m,
                         uint32_t strategy)
{
    struct job j = x->o->base;

    j.model = m->name;
    j.strategy = strategy;
    j.flags |= CHANNEL_RECORD;
    return j;
}

/* Was it not found on the stronger model, where the same pairs may be
 * swapped?  Then a quarter of the executions must do: what is new here is only
 * how the program gets there. */
bool search_is_unlikely(const struct expose *x, size_t cycle, size_t model)
{
    const struct known *k = &x->known.list[cycle];
    size_t here = model_number(x->o->models[model]);

    return model > 0 && k->verdicts[model - 1].searched &&
           !k->verdicts[model - 1].confirmed &&
           k->cycle.reorderable[here] ==
               k->cycle.reorderable[model_number(x->o->models[model - 1])];
}

/* Executions of a search. */
static uint64_t budget_of(const struct expose *x, size_t cycle, size_t model,
                          int pair)
{
    if (pair != SEARCH_WHOLE || search_is_unlikely(x, cycle, model))
        return (x->o->budget + 3) / 4;
    return x->o->budget;
}

struct channel_goal search_goal(const struct expose *x, size_t cycle,
                                size_t model, int pair)
{
    struct channel_goal g =
        goal_of(x, &x->known.list[cycle].cycle, x->o->models[model]);

    if (pair == SEARCH_WHOLE)
        return g;
    g.reorder = 1u << pair;
    g.stop =
        x->sc_outcomes.count <= 1 ? GOAL_STOP_AT_FAILURE : GOAL_STOP_AT_HIT;
    return g;
}

struct job search_first_job(const struct expose *x, size_t cycle, size_t model,
                            int pair)
{
    const struct model *m = x->o->models[model];
    struct job j = job_of(x, m, x->o->strategy);

    /* A pair's search is one of its own: the first executions of a search are
     * those in which nothing else is late. */
    j.seed = seed_of(x->o->base.seed + (uint64_t)(pair + 1),
                     &x->known.list[cycle].cycle, m);
    j.count = budget_of(x, cycle, model, pair);
    j.stay = true;
    /* Failures on the way to the cycle are another cycle's. */
    j.flags |= CHANNEL_KEEP_GOING;
    return j;
}

static void seek(struct search *s, int pair)
{
    s->pair = pair;
    s->goal = search_goal(s->x, s->cycle, s->model, pair);
    s->job = search_first_job(s->x, s->cycle, s->model, pair);
    s->next = 0;
    s->end = s->job.count;
    s->starts = 0;
    s->tried = false;
}

/* The next job of the search, to its end. */
static bool run_next(struct search *s, struct err *e)
{
    s->job.first = s->next;
    s->job.count = s->end - s->next;
    s->job.goal = &s->goal;
    s->starts++;
    return ahead_run(s->x, s->cycle, s->pair, &s->job, &s->worker, e);
}

/* ---- What came of it ---- */

static void note_first(struct search *s)
{
    struct verdict *v = &s->x->known.list[s->cycle].verdicts[s->model];

    s->created = true;
    v->first_hit = s->worker.channel->run + 1;
    v->seconds = seconds_passed() - s->begun;
}

/* The cycle was created and does no harm so far.  Pair by pair: what follows
 * it differs from execution to execution.  False: no pair is left. */
static bool seek_harm(struct search *s)
{
    const struct cycle *c = &s->x->known.list[s->cycle].cycle;

    while (s->pairs) {
        uint32_t i = (uint32_t)__builtin_ctz(s->pairs);
        uint32_t first = c->nodes[i].site;
        uint32_t second = c->nodes[(i + 1) % c->length].site;

        s->pairs &= s->pairs - 1;
        if (cause_is_harmful(s->x, first, second))
            continue;
        seek(s, (int)i);
        return true;
    }
    return false;
}

/* More than the sought pair was swapped in a failing execution.  Does it fail
 * too if all else is kept in order? */
static bool try_alone(struct search *s, struct shown **found, struct err *e)
{
    struct channel_fence fences[CHANNEL_FENCES_MAX];
    struct fenced f = {.shown = *found,
                       .fences = fences,
                       .reorder = (*found)->witness.reordered,
                       .failing = true};
    struct shown *alone = NULL;

    s->tried = true;
    if (!judge_others_late(*found, fences, CHANNEL_FENCES_MAX, &f.count))
        return true;
    if (!search_with_fences(s->x, &f, &alone, e))
        return false;
    if (alone) {
        shown_free(*found);
        *found = alone;
    }
    return true;
}

/* Looks at the last execution. */
static bool look_at_last(struct search *s, struct err *e)
{
    struct expose *x = s->x;
    struct shown *found = expose_again(x, &s->worker, e);
    enum harm harm;
    bool ok = true;

    if (!found)
        return batch_was_stopped(x);
    ok = doubt_failure(x, found, e);
    harm = judge_harm(x, found);
    if (ok && harm == HARM_YES)
        announce(x, found);
    found->sought = x->known.list[s->cycle].cycle;
    if (ok && predict_find(&found->trace, &found->sought, &found->witness)) {
        if (!s->created)
            note_first(s);
        if (harm == HARM_YES && !s->tried && !judge_is_clean(x, found))
            ok = try_alone(s, &found, e);
        if (ok)
            judge_take(x, s->model, s->cycle, found, harm);
    }
    shown_free(found);
    return ok;
}

/* The pair it is at is known to do harm, or its executions are spent. */
static bool is_over(const struct search *s)
{
    const struct cycle *c = &s->x->known.list[s->cycle].cycle;
    uint32_t i = (uint32_t)__builtin_ctz(s->goal.reorder);

    if (s->next >= s->end || s->starts >= STARTS_MAX)
        return true;
    return s->created && (s->goal.reorder & (s->goal.reorder - 1)) == 0 &&
           cause_is_harmful(s->x, c->nodes[i].site,
                            c->nodes[(i + 1) % c->length].site);
}

/* What came of the last job.  *more: there is another one to run. */
static bool take_job(struct search *s, bool *more, struct err *e)
{
    const struct channel *c = s->worker.channel;
    bool hit = c->goal.hits && c->goal.hit_run == c->run;
    bool was_created = s->created, ok = true;

    batch_account(s->x, s->x->o->models[s->model], &s->worker);
    s->x->known.list[s->cycle].verdicts[s->model].executions +=
        c->run + 1 - s->job.first;
    s->next = hit ? c->run + 1 : s->end;
    if (hit && s->worker.end != WORKER_HUNG)
        ok = look_at_last(s, e);
    pool_release(&s->x->pool, &s->worker);
    *more = false;
    if (!ok || batch_was_stopped(s->x) ||
        (s->created && !was_created && !seek_harm(s)))
        return ok;
    while (is_over(s)) {
        if (!s->created || !seek_harm(s))
            return true;
    }
    *more = true;
    return true;
}

/* ---- All cycles of a model ---- */

bool search_is_wanted(const struct expose *x, size_t cycle, size_t model)
{
    const struct known *k = &x->known.list[cycle];

    return k->cycle.reorderable[model_number(x->o->models[model])] &&
           !k->verdicts[model].searched;
}

static void tell_cycles(struct expose *x, size_t model, size_t done)
{
    size_t harmful = 0, benign = 0;

    if (!progress_begin(x->o->models[model]->words))
        return;
    for (size_t i = 0; i < x->known.count; i++) {
        harmful += x->known.list[i].verdicts[model].class == VERDICT_HARMFUL;
        benign += x->known.list[i].verdicts[model].class == VERDICT_BENIGN;
    }
    progress_put(": %zu of %zu cycles, %zu harmful, %zu benign", done,
                 x->known.count, harmful, benign);
    progress_put_left((double)done / (double)x->known.count);
    progress_flush();
}

static bool search_cycle(struct expose *x, size_t cycle, size_t model,
                         struct err *e)
{
    struct search s = {
        .x = x, .cycle = cycle, .model = model, .begun = seconds_passed()};
    bool more = true;

    s.pairs = x->known.list[cycle]
                  .cycle.reorderable[model_number(x->o->models[model])];
    ahead_turn_to(x, cycle);
    seek(&s, SEARCH_WHOLE);
    log_cycle(&s, "searching");
    while (more) {
        if (!run_next(&s, e) || !take_job(&s, &more, e))
            return false;
    }
    if (stop_now(&x->r->stop))
        return true; /* it is to be done again */
    x->known.list[cycle].verdicts[model].searched = true;
    log_cycle(&s, verdict_words(x->known.list[cycle].verdicts[model].class));
    if (!store_verdict(x, cycle, model, e))
        return false;
    point_reached("test.judged");
    return true;
}

/* Twice what it had if all that are left took as long as each other. */
static uint64_t share_of_search(const struct expose *x, size_t cycle,
                                size_t model)
{
    uint64_t until = x->model_until_ms ? x->model_until_ms : x->o->until_ms;
    uint64_t left = share_left_ms(until), wanted = 0, mine;

    for (size_t i = cycle; i < x->known.count; i++)
        wanted += search_is_wanted(x, i, model);
    mine = 2 * left / (wanted ? wanted : 1);
    return mine > SEARCH_MS ? mine : SEARCH_MS;
}

static bool search_all(struct expose *x, size_t model, struct err *e)
{
    size_t done = 0;
    bool ok = true;

    ahead_begin(x, model);
    for (size_t i = 0; ok && i < x->known.count && !stop_now(&x->r->stop);
         i++) {
        if (!search_is_wanted(x, i, model))
            continue;
        if (share_of_model_is_over(x))
            break;
        share_begin(x, share_of_search(x, i, model));
        ok = search_cycle(x, i, model, e);
        share_end(x);
        tell_cycles(x, model, ++done);
    }
    ahead_end(x);
    return ok;
}

void search_drawn(struct expose *x, size_t model)
{
    struct drawn *d = &x->drawn[model];

    for (; d->judged < d->failed.count; d->judged++) {
        struct shown *found = d->failed.list[d->judged];
        enum harm harm = judge_harm(x, found);

        if (harm == HARM_YES && !judge_is_explained(x, found))
            judge_cycles(x, model, found, harm);
    }
}

/* Failures that no predicted cycle stands for: executions by chance, and the
 * cycles in those that fail. */
static bool shake(struct expose *x, size_t model, struct err *e)
{
    if (!draw_all(x, model, e))
        return false;
    search_drawn(x, model);
    return true;
}

static bool does_harm(const struct expose *x, const struct model *m)
{
    for (size_t i = 0; i < x->r->causes.count; i++) {
        const struct cause *c = &x->r->causes.list[i];

        if (c->harmful && model_number(c->model) <= model_number(m))
            return true;
    }
    return x->r->sc.count > 0;
}

static bool take_failure(struct expose *x, size_t model, struct shown *found,
                         struct err *e)
{
    bool ok = doubt_failure(x, found, e);
    enum harm harm = judge_harm(x, found);

    if (ok && harm == HARM_YES && !judge_is_explained(x, found))
        judge_cycles(x, model, found, harm);
    shown_free(found);
    return ok;
}

/* Where nothing failed so far. */
static bool hunt(struct expose *x, size_t model, struct err *e)
{
    const struct model *m = x->o->models[model];
    uint64_t until = x->model_until_ms ? x->model_until_ms : x->o->until_ms;
    struct shown *found;
    bool ok;

    if (does_harm(x, m) || stop_now(&x->r->stop))
        return true;
    share_begin(x, share_left_ms(until) / 2);
    ok = hunt_failure(x, m, &found, e);
    share_end(x);
    return ok && (!found || take_failure(x, model, found, e));
}

bool search_model(struct expose *x, size_t model, struct err *e)
{
    const struct expose_model *m = &x->r->models[model];

    if (m->phase < PHASE_SEARCHED) {
        if (!search_all(x, model, e))
            return false;
        judge_suspects(x);
        if (x->model_cut)
            return true;
        if (!store_phase(x, model, PHASE_SEARCHED, e))
            return false;
    }
    /* What shaking brings to light is then sought for itself. */
    if (m->phase < PHASE_SHAKEN && (!shake(x, model, e) || !hunt(x, model, e) ||
                                    !store_phase(x, model, PHASE_SHAKEN, e)))
        return false;
    if (!search_all(x, model, e))
        return false;
    judge_suspects(x);
    return true;
}

/* ---- With fences ---- */

/* The last execution, if it is of that sort. */
static bool take_fenced(struct expose *x, const struct fenced *f,
                        const struct worker *w, struct shown **found,
                        struct err *e)
{
    struct shown *it = expose_again(x, w, e);

    if (!it)
        return batch_was_stopped(x);
    it->sought = f->shown->sought;
    if (predict_find(&it->trace, &it->sought, &it->witness) &&
        (!f->failing ||
         (judge_harm(x, it) == HARM_YES && judge_is_clean(x, it))))
        *found = it;
    else
        shown_free(it);
    return true;
}

bool search_with_fences(struct expose *x, const struct fenced *f,
                        struct shown **found, struct err *e)
{
    const struct shown *shown = f->shown;
    struct channel_goal goal = goal_of(x, &shown->sought, shown->finding.model);
    struct job j = job_of(x, shown->finding.model, STRATEGY_DIRECTED);
    /* The cycle is known to be within reach: what a quarter of the executions
     * does not create, the rest rarely does. */
    uint64_t budget = (x->o->budget + 3) / 4;
    unsigned starts = 0;

    if (!j.max_events)
        j.max_events = FENCED_EVENTS;
    if (f->reorder)
        goal.reorder = f->reorder;
    if (f->failing && shown_failed(shown))
        goal.stop = GOAL_STOP_AT_FAILURE;
    j.seed = seed_of(x->o->base.seed + f->count, &shown->sought,
                     shown->finding.model);
    j.flags |= CHANNEL_KEEP_GOING;
    j.goal = &goal;
    j.fences = f->fences;
    j.fence_count = f->count;
    while (j.first < budget && !*found && !stop_now(&x->r->stop) &&
           starts++ < STARTS_MAX) {
        struct worker w;
        bool ok = true, hit;

        j.count = budget - j.first;
        if (!batch_run(x, &j, &w, e))
            return false;
        hit = w.channel->goal.hits && w.channel->goal.hit_run == w.channel->run;
        j.first = hit ? w.channel->run + 1 : budget;
        if (hit)
            ok = take_fenced(x, f, &w, found, e);
        pool_release(&x->pool, &w);
        if (!ok)
            return false;
    }
    return true;
}

bool shake_with_fences(struct expose *x, const struct fenced *f,
                       struct shown **found, struct err *e)
{
    struct job j = job_of(x, f->shown->finding.model, STRATEGY_RANDOM);
    unsigned starts = 0;

    j.fences = f->fences;
    j.fence_count = f->count;
    while (j.first < SHAKE_FENCED && !*found && starts++ < SHAKES_MAX &&
           !stop_now(&x->r->stop)) {
        struct worker w;
        struct channel_failure failure;
        bool ok = true;

        j.count = SHAKE_FENCED - j.first;
        if (!batch_run(x, &j, &w, e))
            return false;
        j.first = w.channel->run + 1;
        if (w.end != WORKER_HUNG && worker_failure(&w, &failure))
            ok = take_fenced(x, f, &w, found, e);
        pool_release(&x->pool, &w);
        if (!ok)
            return false;
    }
    return true;
}
