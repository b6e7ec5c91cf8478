/* SPDX-License-Identifier: MIT
 *
 * All executions on one model, as graphs (src/target/graph).  One worker begins
 * alone; what it has not done after a moment, all of them do, each some parts
 * of the tree.  They share nothing.  A job ends where something was found: an
 * execution that fails, one that observes what it should not, one that SC does
 * not have.  That is a list of steps, which the machine of the model then takes
 * (schedule/strategy_witness.c); what comes of it passes the gate or is not
 * told.  Then the worker goes on from where it was.
 *
 * Now and then all of them stop, and how far they are is kept: some numbers a
 * worker.  A worker that is lost does again what it did since then.
 *
 * Programs that cannot be explored so are left to verify_search.c.
 */
#include "verify/verify_graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/point.h"
#include "finding/every.h"
#include "finding/gate.h"
#include "session/progress.h"

#define AT_MOST (1ull << 40) /* executions: no limit */
#define TICK_MS 100
/* Before the other workers come: what a small program is told does not depend
 * on their number. */
#define ALONE_MS 300
#define ALONE 20000  /* executions */
#define SAVE_MS 1000 /* between two saves; then more */
#define SAVE_MOST_MS 16000
/* Parts differ in size: a worker that is done early takes another one. */
#define PARTS_A_WORKER 8
#define LOSSES 16
#define FAILURES_MOST 16 /* on SC, where all are looked for */

/* Where one model needs the monitors, SC is explored with them. */
static bool is_of_machines(const struct verify_options *o)
{
    struct job base = o->base;
    bool is;

    /* Graphs know dependencies by a model of terms, which has neither other
     * locks nor a buffer. */
    if (!(base.flags & CHANNEL_LOCKS_PAPER) && !base.buffer)
        base.flags &= ~(uint32_t)CHANNEL_DEPS;
    is = every_is_of_machines(&base, &model_sc);
    for (size_t i = 0; i < o->model_count; i++)
        is = is || every_is_of_machines(&base, o->models[i]);
    return is;
}

bool graphs_can_run(const struct verify *v)
{
    const struct verify_options *o = v->o;

    return !v->refused && !o->plain && !o->bounded && !o->count_distinct &&
           !o->count_reports && !o->own_monitors &&
           !(o->base.flags & CHANNEL_SERIAL) && !is_of_machines(o);
}

/* ---- Jobs ---- */

static void fill_orders(struct graphs *g, struct graphs_seat *k)
{
    k->explore =
        (struct channel_explore){.unroll = g->s->v->o->unroll, .tree_fd = -1};
    k->orders = g->orders;
    k->orders.judges = g->s->v->o->base.allowed != NULL;
    k->orders.symmetric = g->s->v->o->symmetric;
    k->orders.part = (uint32_t)(k - g->seats);
    k->orders.parts = g->seat_count > 1 ? g->seat_count : 0;
    k->orders.state_size = k->state.count;
    k->orders.only_learns = k->only_learns;
}

static bool give_job(struct graphs *g, struct graphs_seat *k, struct err *e)
{
    const struct search *s = g->s;
    struct job j = s->v->o->base;

    fill_orders(g, k);
    j.model = s->model->name;
    j.strategy = STRATEGY_GRAPH;
    j.first = 0;
    j.count = s->most ? s->most : AT_MOST;
    j.explore = &k->explore;
    j.graph = &k->orders;
    j.state = k->state.bytes;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    if (!j.allowed) {
        j.allowed = s->allowed;
        j.allowed_count = s->allowed_count;
    }
    j.stay = true;
    return pool_start(&g->pool, &k->task, &j, e);
}

static unsigned count_running(const struct graphs *g)
{
    unsigned count = 0;

    for (unsigned i = 0; i < g->seat_count; i++)
        count += g->seats[i].task.running;
    return count;
}

/* Who is done takes the next part. */
static bool give_jobs(struct graphs *g, struct err *e)
{
    unsigned running = count_running(g), jobs = g->s->v->o->jobs;

    for (unsigned i = 0; i < g->seat_count && (!running || running < jobs);
         i++) {
        struct graphs_seat *k = &g->seats[i];

        if (k->task.running || k->over)
            continue;
        if (!give_job(g, k, e))
            return false;
        running++;
    }
    return true;
}

static bool is_over(const struct graphs *g)
{
    for (unsigned i = 0; i < g->seat_count; i++) {
        if (!g->seats[i].over)
            return false;
    }
    return true;
}

/* ---- What was found ---- */

/* The steps, taken by the machine of the model.  NULL: it could not, or there
 * is no time left. */
static struct shown *bring_about(struct graphs *g, const struct worker *found,
                                 struct err *e)
{
    const struct search *s = g->s;
    struct verify *v = s->v;
    struct shown *shown = arena_alloc(v->arena, sizeof(*shown));
    struct job j = steps_job(v->o, s->model);
    bool done = false;

    /* What --deps forbids is not among the steps; the machine knows less of
     * dependencies than the graphs do, and would keep more in order. */
    j.flags &= ~(uint32_t)CHANNEL_DEPS;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    j.witness = (const struct witness_step *)((const char *)found->channel +
                                              CHANNEL_STEPS_AT);
    j.witness_count = found->channel->graph.step_count;
    if (!steps_take(v->o, &j, v->arena, shown, &done, e) &&
        stop_now(&v->r->stop))
        e->text[0] = '\0';
    return done ? shown : NULL;
}

static bool is_of_use(const struct shown *shown, enum graph_found what)
{
    if (what == FOUND_FAILURE)
        return shown_failed(shown);
    return what == FOUND_STRANGE || what == FOUND_RACE ||
           shown->cycle.length > 0;
}

static void classify(const struct search *s, struct shown *shown,
                     enum graph_found what)
{
    shown->class = class_of_failure(s->model);
    if (shown_failed(shown))
        return;
    if (what == FOUND_NOT_SC)
        shown->class = CLASS_BENIGN;
    if (what == FOUND_STRANGE)
        shown->error = STRANGE_ERROR;
}

/* NULL: it is not to be shown. */
static struct shown *make_shown(struct graphs *g, const struct worker *w,
                                enum graph_found what, struct err *e)
{
    const struct search *s = g->s;
    struct shown *shown;

    if (!model_has_machine(s->model))
        return verify_tell_found(s->v->o, s->model, w, s->v->arena);
    shown = bring_about(g, w, e);
    if (!shown)
        return NULL;
    classify(s, shown, what);
    if (s->fence_count) { /* of another program: it is not told */
        shown_explain(shown, VERIFY_CYCLE_LENGTH);
        return shown;
    }
    if (!shown_passes(s->v, shown))
        return NULL;
    if (s->model != &model_sc)
        shown_explain(shown, VERIFY_CYCLE_LENGTH);
    return is_of_use(shown, what) ? shown : NULL;
}

/* Was the execution found for its races on SC alone? */
static bool is_only_race(const struct search *s, const struct channel_graph *c)
{
    return c->found == FOUND_RACE && !s->model->by_language;
}

static bool knows_signature(const struct graphs *g, uint64_t signature)
{
    for (uint32_t i = 0; i < g->orders.known_count; i++) {
        if (g->orders.known[i] == signature)
            return true;
    }
    return false;
}

static bool has_new_race(const struct graphs *g, const struct channel_graph *c)
{
    for (uint32_t i = 0; i < c->race_count; i++) {
        if (!knows_signature(g, c->races[i].signature))
            return true;
    }
    return false;
}

static bool is_known(const struct graphs *g, const struct channel_graph *c)
{
    if (c->found == FOUND_NOT_SC)
        return !g->orders.wants_not_sc;
    if (is_only_race(g->s, c) || has_new_race(g, c))
        return !has_new_race(g, c);
    return c->found != FOUND_STRANGE && knows_signature(g, c->signature);
}

static void know_signature(struct graphs *g, uint64_t signature)
{
    uint32_t most = g->orders.wants_races ? CHANNEL_KNOWN_MAX : FAILURES_MOST;

    if (knows_signature(g, signature))
        return;
    if (g->orders.known_count == most)
        g->enough = true;
    else
        g->orders.known[g->orders.known_count++] = signature;
}

/* It is passed by from now on; or it is enough. */
static void know(struct graphs *g, const struct channel_graph *c)
{
    if (c->found == FOUND_NOT_SC)
        g->orders.wants_not_sc = 0;
    else if (c->found == FOUND_STRANGE)
        g->enough = true;
    else if (!is_only_race(g->s, c))
        know_signature(g, c->signature);
    for (uint32_t i = 0; i < c->race_count; i++)
        know_signature(g, c->races[i].signature);
}

/* The races of SC that this execution has. */
static bool tell_races(struct graphs *g, const struct channel_graph *c,
                       const struct shown *shown, struct err *e)
{
    struct verify *v = g->s->v;

    for (uint32_t i = 0; i < c->race_count; i++) {
        struct sc_race r = {{c->races[i].first, c->races[i].second}, {0}};

        if (knows_signature(g, c->races[i].signature))
            continue;
        if (r.sites[0] >= v->o->tables->site_count ||
            r.sites[1] >= v->o->tables->site_count ||
            !race_find(&shown->trace, &r)) {
            LOG(VERIFY, "a data race that the execution does not have");
            g->missed = true;
        } else if (!race_is_shown(v, &r) && !race_add(v, shown, &r, e)) {
            return false;
        }
    }
    return true;
}

/* A finding, unless the same was told before (a run that was killed finds it
 * again). */
static bool tell_found(struct graphs *g, const struct channel_graph *c,
                       struct shown *shown, struct err *e)
{
    struct search *s = g->s;

    s->last = shown;
    if (s->fence_count || (is_only_race(s, c) && !shown_failed(shown)) ||
        (shown->class == CLASS_RACE && told_has_race(s->v, shown)) ||
        (shown_failed(shown) &&
         shown_has_failure(s->v, s->model, &shown->finding.failure)))
        return true;
    return shown_add(s->v, shown, e);
}

/* A data race of an execution that is none to the model. */
static bool take_unordered(struct graphs *g, const struct worker *w)
{
    if (!g->orders.knows_unordered)
        told_race(g->s->v->o, w, g->s->v->arena, &g->race);
    g->orders.knows_unordered = 1;
    return true;
}

/* *late: there was no time to look at it. */
static bool take_found(struct graphs *g, const struct worker *w, bool *late,
                       struct err *e)
{
    const struct channel_graph *c = &w->channel->graph;
    const struct search *s = g->s;
    struct shown *shown;

    *late = false;
    if (c->found == FOUND_UNORDERED)
        return take_unordered(g, w);
    if (c->found == FOUND_NOTHING || is_known(g, c))
        return true;
    shown = make_shown(g, w, c->found, e);
    if (!shown && *e->text)
        return false;
    *late = !shown && stop_now(&s->v->r->stop);
    if (*late)
        return true;
    if (shown && (!tell_found(g, c, shown, e) || !tell_races(g, c, shown, e)))
        return false;
    know(g, c);
    if (!shown) {
        LOG(VERIFY, "%s: an execution could not be brought about",
            s->model->name);
        g->missed = true;
        return true;
    }
    if (c->found == FOUND_RACE && shown->cycle.length)
        g->orders.wants_not_sc = 0; /* it says that, too */
    g->enough = g->enough || s->fence_count ||
                (c->found != FOUND_NOT_SC && c->found != FOUND_RACE &&
                 s->model != &model_sc);
    return true;
}

/* ---- What came of a job ---- */

/* None of the counts so far are of the tree that is explored now. */
static void forget_counts(struct graphs *g)
{
    *g->s->counts = (struct counts){.executions = 0};
    *g->s->outcomes = (struct tally){0};
}

static void take_counts(struct graphs *g, const struct worker *w)
{
    struct search *s = g->s;
    bool all = s->counts->exhausted;

    if (w->channel->graph.begun_anew)
        forget_counts(g);
    counts_take(s->counts, w, s->outcomes, s->v->arena);
    s->counts->exhausted = all;
    s->counts->as_graphs = 1;
    if (g->race.count)
        snprintf(s->counts->race, sizeof(s->counts->race), "%s", g->race.bytes);
    if (g->missed) {
        s->counts->cuts |= CUT_ENGINE;
        counts_set_text(s->counts->why,
                        "one of them could not be brought about");
    }
    tally_sort(s->outcomes);
    if (s->counts->unroll_site >= s->v->o->tables->site_count)
        s->counts->unroll_site = 0;
}

static void keep_state(struct graphs_seat *k)
{
    const struct channel *c = k->task.worker.channel;

    buf_clear(&k->state);
    buf_add(&k->state, (const char *)c + CHANNEL_SEARCH_AT,
            c->graph.state_size);
    k->only_learns = false;
}

/* One of several learnt that the tree is another: all begin anew. */
static void begin_together(struct graphs *g, const struct graphs_seat *with)
{
    struct buf state = {0};

    buf_add(&state, with->state.bytes, with->state.count);
    forget_counts(g);
    for (unsigned i = 0; i < g->seat_count; i++) {
        struct graphs_seat *k = &g->seats[i];

        if (k->task.running) {
            pool_stop(&g->pool, &k->task);
            pool_release(&g->pool, &k->task.worker);
        }
        k->over = false;
        buf_clear(&k->state);
        buf_add(&k->state, state.bytes, state.count);
        k->only_learns = true;
    }
    buf_free(&state);
}

static void refuse(struct graphs *g, const char *why)
{
    struct verify *v = g->s->v;

    v->refused = arena_copy(v->arena, why);
    g->refused = true;
    LOG(VERIFY, "not explored as graphs: %s", why);
}

/* Somebody killed it: it goes on from its last state. */
static void take_loss(struct graphs *g)
{
    LOG(VERIFY, "%s: a worker was lost", g->s->model->name);
    if (++g->losses >= LOSSES)
        refuse(g, "its workers die");
}

/* The job of that seat has ended. */
static bool take_end(struct task *t, struct err *e)
{
    struct graphs_seat *k = t->owner;
    struct graphs *g = k->graphs;
    const struct search *s = g->s;
    const struct worker *w = &t->worker;
    const struct channel *c = w->channel;
    bool late;

    if (w->end == WORKER_STOPPED)
        return true;
    if (c->graph.lost || (w->end == WORKER_DIED && !*c->graph.refused)) {
        take_loss(g);
        return true;
    }
    if (w->end != WORKER_DONE || *c->graph.refused) {
        refuse(g, *c->graph.refused ? c->graph.refused : "it cannot be run");
        return true;
    }
    if (c->graph.begun_anew && g->seat_count > 1) {
        keep_state(k);
        begin_together(g, k);
        return true;
    }
    /* What is found too late is found again, from the state before. */
    if (!take_found(g, w, &late, e) || late)
        return late;
    keep_state(k);
    g->relies = g->relies || c->graph.relies;
    take_counts(g, w);
    k->over = c->exhausted;
    g->enough = g->enough || (s->most && s->counts->executions >= s->most);
    return true;
}

/* ---- From beginning to end ---- */

static void tell_progress(const struct graphs *g)
{
    uint64_t executions = g->s->counts->executions;
    struct magnitude m;

    if (!g->s->phase || !progress_begin(g->s->phase))
        return;
    for (unsigned i = 0; i < g->seat_count; i++) {
        const struct task *t = &g->seats[i].task;

        if (t->running)
            executions +=
                ((volatile const struct channel *)t->worker.channel)->done;
    }
    progress_put(": %" PRIu64 " executions", executions);
    if (estimate_magnitude(&g->estimate, executions, &m))
        progress_put(" of about 10^%d (10^%d to 10^%d)", m.about, m.low,
                     m.high);
    if (g->s->counts->failed)
        progress_put(", %" PRIu64 " failed", g->s->counts->failed);
    progress_flush();
}

static bool wait_for_some(struct graphs *g, struct err *e)
{
    uint64_t until = g->s->v->o->until_ms, look_at = worker_now_ms() + TICK_MS;

    if (until && until < look_at)
        look_at = until;
    if (g->due_at < look_at)
        look_at = g->due_at;
    return pool_wait(&g->pool, look_at, e);
}

/* All of them rest: more may come, and how far it is is kept. */
static bool take_rest(struct graphs *g, struct err *e)
{
    unsigned jobs = g->s->v->o->jobs;

    g->pausing = false;
    if (g->seat_count == 1 && jobs > 1 && !g->seats[0].over && !g->relies &&
        g->s->counts->executions >= ALONE) {
        g->seat_count = jobs < GRAPHS_SEATS_MAX / PARTS_A_WORKER
                            ? jobs * PARTS_A_WORKER
                            : GRAPHS_SEATS_MAX;
        for (unsigned i = 1; i < g->seat_count; i++)
            buf_add(&g->seats[i].state, g->seats[0].state.bytes,
                    g->seats[0].state.count);
    }
    if (g->save_ms < SAVE_MOST_MS)
        g->save_ms *= 2;
    g->due_at = worker_now_ms() + g->save_ms;
    if (!graphs_save(g, e))
        return false;
    point_reached("verify.saved");
    return !graphs_estimate_is_due(g) || graphs_estimate(g, e);
}

static bool is_due(const struct graphs *g)
{
    return worker_now_ms() >= g->due_at || graphs_estimate_is_due(g) ||
           point_is_wanted("verify.saved");
}

static bool take_turn(struct graphs *g, struct err *e)
{
    if (!g->pausing && !give_jobs(g, e))
        return false;
    if (!g->pausing && is_due(g)) {
        pool_pause(&g->pool);
        g->pausing = true;
    }
    if (!wait_for_some(g, e))
        return false;
    tell_progress(g);
    return !g->pausing || g->pool.running || is_over(g) || take_rest(g, e);
}

static bool is_done(struct graphs *g)
{
    return g->refused || g->enough || is_over(g) || stop_now(&g->s->v->r->stop);
}

/* Those that still run stop where they are, if that is soon. */
static bool wind_up(struct graphs *g, struct err *e)
{
    bool ok = true;

    worker_go_on();
    pool_pause(&g->pool);
    g->due_at = worker_now_ms() + TICK_MS;
    if (g->pool.running && !g->refused && !g->enough)
        ok = wait_for_some(g, e);
    pool_dismiss(&g->pool);
    return ok;
}

static void settle(struct graphs *g)
{
    struct counts *n = g->s->counts;

    n->exhausted = is_over(g) && !g->refused;
    if (!n->exhausted)
        n->cuts |= CUT_STOPPED;
    LOG(VERIFY, "%s: %llu executions as graphs, %llu blocked, cuts %#x%s",
        g->s->model->name, (unsigned long long)n->executions,
        (unsigned long long)n->blocked, n->cuts, n->exhausted ? ", all" : "");
}

/* One is enough. */
static void take_kept_race(struct graphs *g)
{
    if (!*g->s->counts->race)
        return;
    buf_puts(&g->race, g->s->counts->race);
    g->orders.knows_unordered = 1;
}

bool graphs_run(struct search *s, bool *done, struct err *e)
{
    struct graphs g = {.s = s,
                       .seat_count = 1,
                       .save_ms = SAVE_MS,
                       .orders = {.wants_not_sc = s->wants_not_sc,
                                  .wants_races = s->raced != NULL,
                                  .wants_unordered = s->wants_unordered,
                                  .wants_pairs = s->wants_pairs,
                                  .all_known = s->all_known}};
    uint64_t begun = worker_now_ms();
    double before;
    bool ok;

    for (unsigned i = 0; i < GRAPHS_SEATS_MAX; i++)
        g.seats[i] = (struct graphs_seat){
            .graphs = &g, .task = {.ended = take_end, .owner = &g.seats[i]}};
    ok = graphs_load(&g, e);
    take_kept_race(&g);
    before = s->counts->seconds;
    g.begun = begun;
    g.due_at = begun + ALONE_MS;
    while (ok && !is_done(&g))
        ok = take_turn(&g, e);
    ok = wind_up(&g, e) && ok;
    settle(&g);
    s->counts->seconds = before + (double)(worker_now_ms() - begun) / 1000;
    g.stopped = !g.refused && !g.enough && !is_over(&g);
    if (g.stopped && s->phase)
        estimate_tell(&g.estimate, s, &s->v->left);
    ok = ok && (g.refused || graphs_save(&g, e));
    for (unsigned i = 0; i < GRAPHS_SEATS_MAX; i++)
        buf_free(&g.seats[i].state);
    buf_free(&g.race);
    *done = !g.refused;
    return ok;
}
