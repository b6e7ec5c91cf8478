/* SPDX-License-Identifier: MIT
 *
 * All executions on one model, as graphs (src/target/graph).  One worker begins
 * alone, with the whole tree.  When another has nothing to do, one that has
 * gives part of its tree away: it pauses, cuts off some of what is left to it,
 * and goes on.  Workers share nothing but that.  A job ends, too, where
 * something was found: an execution that fails, one that observes what it
 * should not, one that SC does not have.  That is a list of steps, which the
 * machine of the model then takes (schedule/strategy_witness.c); what comes of
 * it passes the gate or is not told.  Then the worker goes on from where it
 * was.
 *
 * Now and then all of them stop, and how far they are is kept: some numbers a
 * part.  A worker that is lost does again what it did since its last job.
 *
 * Programs that cannot be explored so are left to verify_search.c.
 */
#include "verify/verify_graphs.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "base/point.h"
#include "finding/every.h"
#include "session/progress.h"

#define AT_MOST (1ull << 40) /* executions: no limit */
#define TICK_MS 100
#define LAST_MS 500 /* for those who are to end */
/* Before the other workers come: a program has shown by then what its tree
 * depends on.  Where executions take long, so does that. */
#define ALONE_MS 100
#define ALONE_MOST_MS 250
#define ALONE 1000 /* executions */
/* On processors who sees part of the tree alone cannot tell which pairs of
 * accesses matter (thread_order_pairs.c): small programs are not shared. */
#define ALONE_ON_PROCESSOR 20000
#define ALONE_WEAKEST_MS 1000 /* where that decides whether it is of use */
/* A job that is younger is not asked for part of its tree, and what is done
 * sooner was not worth it. */
#define LEAST_MS 5
#define DEEPEST 64
#define SAVE_MS 1000 /* between two saves; then more */
#define SAVE_MOST_MS 16000
#define LOSSES 16

/* Is there an option that graphs of that model do not know? */
static bool is_of_machine(const struct verify_options *o, const struct model *m)
{
    struct job base = o->base;

    base.flags &= ~(uint32_t)CHANNEL_DEPS;
    if (model_has_machine(m))
        base.flags &= ~(uint32_t)CHANNEL_CAS_BUFFERABLE;
    return every_is_of_machines(&base, m);
}

/* Where one model needs the monitors, SC is explored with them. */
static bool is_of_machines(const struct verify_options *o)
{
    bool is = is_of_machine(o, &model_sc);

    for (size_t i = 0; i < o->model_count; i++)
        is = is || is_of_machine(o, o->models[i]);
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

static void fill_orders(struct graphs_part *k)
{
    const struct graphs *g = k->graphs;

    k->explore =
        (struct channel_explore){.unroll = g->s->v->o->unroll, .tree_fd = -1};
    k->orders = g->orders;
    found_put_known(k, &k->orders);
    k->orders.judges = g->s->v->o->base.allowed != NULL;
    k->orders.symmetric = g->s->v->o->symmetric;
    k->orders.shared = g->shared;
    k->orders.doubts = part_has_doubts(k);
    k->orders.tree = g->tree;
    k->orders.state_size = k->now.state.count;
    k->orders.only_learns = k->now.only_learns;
}

static bool give_job(struct graphs *g, struct graphs_part *k, struct err *e)
{
    const struct search *s = g->s;
    struct job j = s->v->o->base;

    fill_orders(k);
    j.model = s->model->name;
    j.strategy = STRATEGY_GRAPH;
    j.first = 0;
    j.count = s->most ? s->most : AT_MOST;
    j.explore = &k->explore;
    j.graph = &k->orders;
    j.state = k->now.state.bytes;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    if (!j.allowed) {
        j.allowed = s->allowed;
        j.allowed_count = s->allowed_count;
    }
    j.stay = true;
    k->asked = false;
    k->begun = worker_now_ms();
    return pool_start(&g->pool, &k->task, &j, e);
}

static unsigned count_running(const struct graphs *g)
{
    unsigned count = 0;

    for (const struct graphs_part *k = g->parts; k; k = k->next)
        count += k->task.running;
    return count;
}

/* The first that can be done: what comes before others counts before them. */
static bool give_jobs(struct graphs *g, struct err *e)
{
    unsigned running = count_running(g), jobs = g->s->v->o->jobs;

    for (struct graphs_part *k = g->parts; k && (!running || running < jobs);
         k = k->next) {
        if (!part_is_ready(k))
            continue;
        if (!give_job(g, k, e))
            return false;
        running++;
    }
    return true;
}

/* ---- Part of the tree for somebody who has none ---- */

/* A search that counts up to some number is the same only if one does it. */
static bool may_share(const struct graphs *g)
{
    return !g->s->most && !g->pausing && !g->alone;
}

static bool shares_at_once(void)
{
    return point_is_wanted("verify.given");
}

static uint64_t executions_of(const struct graphs_part *k)
{
    return k->graphs->s->counts->executions +
           ((volatile const struct channel *)k->task.worker.channel)->done;
}

/* From when on it may be asked. */
static uint64_t ask_at(const struct graphs_part *k)
{
    uint64_t since = k->graphs->alone_since + k->graphs->alone_ms;

    if (k->graphs->shared)
        return k->begun + (shares_at_once() ? 0 : LEAST_MS);
    if (shares_at_once())
        return k->begun + k->graphs->alone_ms / (8 * ALONE_MS);
    if (k->graphs->s->model->by_axioms)
        return executions_of(k) < ALONE_ON_PROCESSOR  ? UINT64_MAX
               : k->graphs->s->model->axioms->weakest ? since + ALONE_WEAKEST_MS
                                                      : since + ALONE_MOST_MS;
    return since + (executions_of(k) < ALONE ? ALONE_MOST_MS : ALONE_MS);
}

static bool can_be_asked(const struct graphs_part *k)
{
    return k->task.running && !k->asked && worker_now_ms() >= ask_at(k);
}

/* Who has been at it for longest has most, perhaps. */
static struct graphs_part *whom_to_ask(const struct graphs *g)
{
    struct graphs_part *best = NULL;

    for (struct graphs_part *k = g->parts; k; k = k->next) {
        if (can_be_asked(k) && (!best || k->begun < best->begun))
            best = k;
    }
    return best;
}

static void ask(struct graphs_part *k)
{
    k->asked = true;
    __atomic_store_n(&k->task.worker.channel->graph.gives,
                     k->graphs->deeper + 1, __ATOMIC_RELEASE);
    worker_pause(&k->task.worker);
}

/* One is asked for each worker that has nothing to do. */
static void ask_for_parts(struct graphs *g)
{
    unsigned needed = g->s->v->o->jobs, coming = 0;
    struct graphs_part *k;

    if (!may_share(g))
        return;
    for (k = g->parts; k; k = k->next)
        coming += k->task.running + k->asked;
    while (coming < needed && (k = whom_to_ask(g))) {
        ask(k);
        coming++;
    }
}

/* When somebody can be asked next, if somebody waits for that. */
static uint64_t next_ask(const struct graphs *g)
{
    uint64_t first = UINT64_MAX;

    if (!may_share(g) || count_running(g) >= g->s->v->o->jobs)
        return first;
    for (const struct graphs_part *k = g->parts; k; k = k->next) {
        if (k->task.running && !k->asked && ask_at(k) < first)
            first = ask_at(k);
    }
    return first;
}

/* If what was given away is done at once, it was cut off too high up, where
 * little follows; if what was kept is, too deep down. */
static void learn_from(struct graphs *g, struct graphs_part *k)
{
    bool over = k->task.worker.channel->exhausted;

    if (g->shared && over && worker_now_ms() - k->begun < LEAST_MS) {
        if (!k->given)
            g->deeper /= 2;
        else if (g->deeper < DEEPEST)
            g->deeper = 2 * g->deeper + 1;
    }
    k->given = false;
}

/* ---- What came of a job ---- */

/* What workers know is of no use any more. */
static void begin_tree(struct graphs *g)
{
    static uint32_t trees;

    g->tree = ++trees;
    g->shared = false;
    g->deeper = 0;
    VEC_CLEAR(&g->facts);
    g->alone_since = worker_now_ms();
}

static bool take_end(struct task *t, struct err *e);

/* The whole tree again, by one worker that knows what the program is like. */
static void begin_again(struct graphs *g)
{
    struct graphs_part *k = part_add(g, NULL);

    begin_tree(g);
    k->task.ended = take_end;
    buf_add(&k->now.state, g->known.bytes, g->known.count);
    k->now.only_learns = true;
    parts_drop_after(g, k);
    parts_forget_counts(g);
}

/* One of several learnt that the tree is another: one worker begins it, alone,
 * and each time for longer.  It begins with all that was learnt. */
static void begin_alone(struct graphs *g, const struct graphs_part *k)
{
    const struct channel *c = k->task.worker.channel;

    LOG(VERIFY, "%s: the tree is another", g->s->model->name);
    if (c->graph.begun_anew) {
        buf_clear(&g->known);
        buf_add(&g->known, (const char *)c + CHANNEL_SEARCH_AT,
                c->graph.state_size);
        g->hinted = true;
    }
    begin_again(g);
    g->alone_ms = g->alone_ms ? 2 * g->alone_ms : ALONE_MS;
}

/* Which tree it is depends on the order in which such things are learnt, and
 * with the tree what is found in it first.  Where something is found it is to
 * be what one worker finds: so one looks for it that knows nothing before. */
static void begin_as_one(struct graphs *g, const char *why)
{
    LOG(VERIFY, "%s: once more, %s", g->s->model->name, why);
    buf_clear(&g->known);
    g->hinted = false;
    begin_again(g);
    g->alone = true;
}

/* Loads that may be late are explored by who sees the whole tree (decision 23).
 * If several shared it, and it is not too large for that, one does it again:
 * the answer must not depend on how many there are. */
static bool looks_again(struct graphs *g)
{
    const struct counts *n = g->s->counts;

    if (g->parts || !g->shared || g->refused || g->enough || n->failed ||
        !g->s->model->by_axioms || !n->unprotected ||
        n->executions > CHANNEL_LATE_MAX || stop_now(&g->s->v->r->stop))
        return false;
    begin_as_one(g, "for loads that may be late");
    return true;
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

static bool take_result(struct graphs_part *k, struct err *e)
{
    struct graphs *g = k->graphs;
    const struct channel_graph *c = &k->task.worker.channel->graph;
    struct graphs_found *found;
    bool late;

    /* What is found too late is found again, from the state before. */
    if (!found_take(k, &found, &late, e) || late)
        return late;
    if (found && found->what == FOUND_LATE) {
        g->enough = true; /* wherever that is */
        return true;
    }
    if (found && g->hinted && !g->s->fence_count) {
        begin_as_one(g, "as one worker has it");
        return true;
    }
    if (c->begun_anew) {
        parts_forget_counts(g);
        VEC_CLEAR(&g->facts);
    }
    if (c->given_size) {
        LOG(VERIFY, "%s: a part of the tree for another worker",
            g->s->model->name);
        point_reached("verify.given");
    }
    learn_from(g, k);
    part_take(k, found);
    return parts_settle(g, e);
}

/* The job of that part has ended. */
static bool take_end(struct task *t, struct err *e)
{
    struct graphs_part *k = t->owner;
    struct graphs *g = k->graphs;
    const struct worker *w = &t->worker;
    const struct channel *c = w->channel;

    k->asked = false;
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
    if (g->shared && (c->graph.begun_anew || !parts_agree(g, k))) {
        begin_alone(g, k);
        return true;
    }
    if (!take_result(k, e))
        return false;
    g->enough =
        g->enough || (g->s->most && g->s->counts->executions >= g->s->most);
    return true;
}

/* ---- From beginning to end ---- */

static void tell_progress(const struct graphs *g)
{
    uint64_t executions = g->s->counts->executions;
    struct magnitude m;

    if (!g->s->phase || !progress_begin(g->s->phase))
        return;
    for (const struct graphs_part *k = g->parts; k; k = k->next) {
        executions += k->now.counts.executions;
        for (const struct graphs_found *f = k->found; f; f = f->next)
            executions += f->counts.executions;
        if (k->task.running)
            executions +=
                ((volatile const struct channel *)k->task.worker.channel)->done;
    }
    progress_put(": %" PRIu64 " executions", executions);
    if (estimate_magnitude(&g->estimate, executions, &m))
        progress_put(" of about 10^%d (10^%d to 10^%d)", m.about, m.low,
                     m.high);
    progress_put_rate(executions);
    if (g->s->counts->failed)
        progress_put(", %" PRIu64 " failed", g->s->counts->failed);
    progress_flush();
}

static bool wait_for_some(struct graphs *g, struct err *e)
{
    uint64_t until = g->s->v->o->until_ms, look_at = worker_now_ms() + TICK_MS;

    if (until && until < look_at)
        look_at = until;
    if (!g->pausing && g->due_at < look_at)
        look_at = g->due_at;
    if (next_ask(g) < look_at)
        look_at = next_ask(g);
    return pool_wait(&g->pool, look_at, e);
}

/* Counts may be forgotten; an execution with a race stays one. */
static void put_race(struct graphs *g)
{
    struct counts *n = g->s->counts;

    if (g->race.count)
        snprintf(n->race, sizeof(n->race), "%s", g->race.bytes);
}

/* One is enough. */
static void take_kept_race(struct graphs *g)
{
    if (!*g->s->counts->race)
        return;
    buf_puts(&g->race, g->s->counts->race);
    g->orders.knows_unordered = 1;
}

/* All of them rest: how far it is is kept. */
static bool take_rest(struct graphs *g, struct err *e)
{
    g->pausing = false;
    put_race(g);
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

static void look_for_late(const struct graphs *g)
{
    for (const struct graphs_part *k = g->parts; k; k = k->next) {
        if (k->task.running &&
            ((volatile const struct channel *)k->task.worker.channel)
                ->graph.late)
            point_reached("verify.late");
    }
}

static bool take_turn(struct graphs *g, struct err *e)
{
    if (!g->pausing && !give_jobs(g, e))
        return false;
    ask_for_parts(g);
    if (!g->pausing && is_due(g)) {
        pool_pause(&g->pool);
        g->pausing = true;
    }
    if (!wait_for_some(g, e))
        return false;
    tell_progress(g);
    look_for_late(g);
    return !g->pausing || g->pool.running || !g->parts || take_rest(g, e);
}

static bool is_done(struct graphs *g)
{
    return g->refused || g->enough || !g->parts || stop_now(&g->s->v->r->stop);
}

static void end_jobs(struct graphs *g)
{
    for (struct graphs_part *k = g->parts; k; k = k->next) {
        if (k->task.running)
            __atomic_store_n(&k->task.worker.channel->graph.ends, 1,
                             __ATOMIC_RELEASE);
    }
    pool_pause(&g->pool);
}

/* Those that still run stop where they are, if that is soon. */
static bool wind_up(struct graphs *g, struct err *e)
{
    uint64_t until = worker_now_ms() + LAST_MS;
    bool ok = true;

    if (worker_interrupted())
        stop_now(&g->s->v->r->stop); /* that is not forgotten */
    worker_go_on();
    end_jobs(g);
    while (ok && g->pool.running && !g->refused && !g->enough &&
           worker_now_ms() < until)
        ok = pool_wait(&g->pool, until, e);
    pool_dismiss(&g->pool);
    return ok;
}

static void settle(struct graphs *g)
{
    struct counts *n = g->s->counts;

    put_race(g);
    n->exhausted = !g->parts && !g->refused;
    if (!n->exhausted)
        n->cuts |= CUT_STOPPED;
    LOG(VERIFY, "%s: %llu executions as graphs, %llu blocked, cuts %#x%s",
        g->s->model->name, (unsigned long long)n->executions,
        (unsigned long long)n->blocked, n->cuts, n->exhausted ? ", all" : "");
}

static void free_parts(struct graphs *g)
{
    while (g->parts)
        part_drop(g, g->parts);
}

bool graphs_run(struct search *s, bool *done, struct err *e)
{
    struct graphs g = {.s = s,
                       .save_ms = SAVE_MS,
                       .orders = {.wants_not_sc = s->wants_not_sc,
                                  .wants_races = s->raced != NULL,
                                  .wants_unordered = s->wants_unordered,
                                  .wants_pairs = s->wants_pairs,
                                  .forgets = point_is_wanted("verify.forgets"),
                                  .all_known = s->all_known}};
    uint64_t begun = worker_now_ms();
    double before;
    bool ok;

    begin_tree(&g);
    ok = graphs_load(&g, e);
    take_kept_race(&g);
    for (struct graphs_part *k = g.parts; k; k = k->next)
        k->task.ended = take_end;
    before = s->counts->seconds;
    g.begun = begun;
    g.due_at = begun + SAVE_MS;
    while (ok && (!is_done(&g) || looks_again(&g)))
        ok = take_turn(&g, e);
    ok = wind_up(&g, e) && ok;
    settle(&g);
    s->counts->seconds = before + (double)(worker_now_ms() - begun) / 1000;
    g.stopped = !g.refused && !g.enough && g.parts;
    ok = ok && (g.refused || graphs_save(&g, e));
    if (ok && g.stopped)
        ok = parts_tell_waiting(&g, e);
    if (g.stopped && s->phase)
        estimate_tell(&g.estimate, s, &s->v->left);
    free_parts(&g);
    buf_free(&g.known);
    buf_free(&g.race);
    VEC_FREE(&g.facts);
    *done = !g.refused;
    return ok;
}
