/* SPDX-License-Identifier: MIT
 *
 * All executions on one model, as graphs (src/target/graph): one worker does
 * the whole search.  It ends where it found something: an execution that fails,
 * one that observes what it should not, one that SC does not have.  That is a
 * list of steps, which the machine of the model then takes
 * (schedule/strategy_witness.c); what comes of it passes the gate or is not
 * told.  Then the search begins again and passes by what is known.
 *
 * Programs that cannot be explored so are left to verify_search.c.
 */
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/point.h"
#include "finding/gate.h"
#include "session/progress.h"
#include "verify/verify_inside.h"
#include "worker/pool.h"

#define AT_MOST (1ull << 40) /* executions: no limit */
#define TICK_MS 100
#define FAILURES_MOST 16 /* on SC, where all are looked for */

/* These mean something to the machines alone. */
#define OF_MACHINES                                                            \
    (CHANNEL_LOCKS_PAPER | CHANNEL_CAS_BUFFERABLE | CHANNEL_DEPS |             \
     CHANNEL_BY_PROCESS | CHANNEL_SERIAL)

bool graphs_can_run(const struct verify *v)
{
    const struct verify_options *o = v->o;

    return !v->refused && !o->plain && !o->bounded && !o->races &&
           !o->count_distinct && !o->count_reports && !o->own_monitors &&
           !(o->base.flags & OF_MACHINES) && !o->base.buffer &&
           !o->base.max_events && !o->base.allowed;
}

/* ---- One search ---- */

struct graphs {
    struct search *s;
    struct channel_graph orders;
    struct spec_text *allowed; /* what SC observes */
    size_t allowed_count;
    bool missed; /* something was found that could not be shown */
};

static struct job job_of(const struct graphs *g, struct channel_explore *x)
{
    const struct search *s = g->s;
    struct job j = s->v->o->base;

    *x = (struct channel_explore){.unroll = s->v->o->unroll, .tree_fd = -1};
    j.model = s->model->name;
    j.strategy = STRATEGY_GRAPH;
    j.first = 0;
    j.count = AT_MOST;
    j.explore = x;
    j.graph = &g->orders;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    j.allowed = g->allowed;
    j.allowed_count = g->allowed_count;
    j.stay = false;
    return j;
}

static void tell_progress(const struct search *s, const struct worker *w)
{
    volatile const struct channel *c = w->channel;

    if (!s->phase || !progress_begin(s->phase))
        return;
    progress_put(": %" PRIu64 " executions", c->done);
    if (c->failed)
        progress_put(", %" PRIu64 " failed", c->failed);
    progress_flush();
}

/* Runs it to its end, or until it is time to stop. */
static bool run_search(struct graphs *g, struct worker *w, struct err *e)
{
    struct channel_explore x;
    struct job j = job_of(g, &x);
    struct verify *v = g->s->v;

    if (!worker_start(w, &j, e))
        return false;
    while (w->end == WORKER_RUNS && !stop_now(&v->r->stop)) {
        uint64_t look_at = worker_now_ms() + TICK_MS;

        if (v->o->until_ms && v->o->until_ms < look_at)
            look_at = v->o->until_ms;
        worker_wait(&(struct worker *){w}, 1, look_at);
        tell_progress(g->s, w);
    }
    if (w->end == WORKER_RUNS)
        worker_stop(w);
    return true;
}

/* ---- What it found ---- */

/* The steps, taken by the machine of the model.  NULL: it could not. */
static struct shown *bring_about(struct graphs *g, const struct worker *found,
                                 struct err *e)
{
    const struct search *s = g->s;
    struct verify *v = s->v;
    struct shown *shown = arena_alloc(v->arena, sizeof(*shown));
    struct finding *f = &shown->finding;
    struct worker w;
    struct replayed r;
    struct job j = v->o->base;

    memset(shown, 0, sizeof(*shown));
    j.model = s->model->name;
    j.strategy = STRATEGY_WITNESS;
    j.flags = (j.flags & FINDING_FLAGS) | CHANNEL_LOG | CHANNEL_TRACE |
              CHANNEL_RECORD;
    j.first = 0;
    j.count = 1;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    j.witness = (const struct witness_step *)((const char *)found->channel +
                                              CHANNEL_STEPS_AT);
    j.witness_count = found->channel->graph.step_count;
    if (!worker_run(&w, &j, v->o->until_ms, e))
        return NULL;
    finding_of_job(&j, 0, v->o->tables, f);
    finding_results(&w, f, v->o->tables, v->arena, &r);
    worker_free(&w);
    if (!r.traced || (r.failed ? r.failure.kind == FAIL_UNSUPPORTED : r.misfit))
        return NULL;
    shown->trace = r.trace;
    f->decisions = r.decisions;
    f->decision_count = r.decision_count;
    f->outcome = r.outcome;
    if (r.failed)
        f->failure = r.failure;
    shown->cycles = 1;
    return shown;
}

static bool is_of_use(const struct shown *shown, enum graph_found what)
{
    if (what == FOUND_FAILURE)
        return shown_failed(shown);
    return what == FOUND_STRANGE || shown->cycle.length > 0;
}

static bool take_found(struct graphs *g, const struct worker *w,
                       enum graph_found what, struct err *e)
{
    struct search *s = g->s;
    struct verify *v = s->v;
    struct shown *shown = bring_about(g, w, e);

    if (!shown && *e->text)
        return false;
    if (shown) {
        shown->class = class_of_failure(s->model);
        if (what == FOUND_NOT_SC && !shown_failed(shown))
            shown->class = CLASS_BENIGN;
        if (what == FOUND_STRANGE && !shown_failed(shown))
            shown->error = STRANGE_ERROR;
        if (!shown_passes(v, shown))
            shown = NULL;
    }
    if (shown && s->model != &model_sc)
        shown_explain(shown, VERIFY_CYCLE_LENGTH);
    if (!shown || !is_of_use(shown, what)) {
        LOG(VERIFY, "%s: an execution could not be brought about",
            s->model->name);
        g->missed = true;
        return true;
    }
    s->enough = what != FOUND_NOT_SC && s->model != &model_sc;
    return s->fence_count || shown_add(v, shown, e);
}

/* ---- Search after search ---- */

/* What was found is passed by from now on.  False: it is enough. */
static bool know(struct graphs *g, const struct channel_graph *c)
{
    if (c->found == FOUND_NOT_SC) {
        g->orders.wants_not_sc = 0;
        return true;
    }
    if (c->found == FOUND_STRANGE || g->s->enough ||
        g->orders.known_count == FAILURES_MOST)
        return false;
    g->orders.known[g->orders.known_count++] = c->signature;
    return true;
}

static void take_counts(struct graphs *g, const struct worker *w)
{
    struct search *s = g->s;
    struct counts none = {.executions = 0};

    *s->counts = none;
    *s->outcomes = (struct tally){0};
    counts_take(s->counts, w, s->outcomes, s->v->arena);
    tally_sort(s->outcomes);
    if (s->counts->unroll_site >= s->v->o->tables->site_count)
        s->counts->unroll_site = 0;
    if (!s->counts->exhausted)
        s->counts->cuts |= CUT_STOPPED;
    if (w->channel->graph.not_sc)
        s->left_sc = true;
}

/* *refused: that program is not explored so. */
static bool search_once(struct graphs *g, bool *again, bool *refused,
                        struct err *e)
{
    struct worker w;
    bool ok = true;

    *again = *refused = false;
    if (!run_search(g, &w, e))
        return false;
    if (w.end == WORKER_DONE && !*w.channel->graph.refused) {
        take_counts(g, &w);
        if (w.channel->graph.found != FOUND_NOTHING) {
            ok = take_found(g, &w, w.channel->graph.found, e);
            *again = ok && know(g, &w.channel->graph);
        }
    } else if (w.end == WORKER_STOPPED) {
        take_counts(g, &w);
    } else {
        *refused = true;
        g->s->v->refused = arena_copy(
            g->s->v->arena,
            *w.channel->graph.refused ? w.channel->graph.refused : "it died");
        LOG(VERIFY, "not explored as graphs: %s", g->s->v->refused);
    }
    worker_free(&w);
    return ok;
}

bool graphs_run(struct search *s, bool *done, struct err *e)
{
    struct graphs g = {
        .s = s,
        .orders = {.wants_not_sc = s->wants_not_sc, .all_known = s->all_known},
        .allowed = s->allowed,
        .allowed_count = s->allowed_count};
    uint64_t begun = worker_now_ms();
    bool again = true, refused = false;

    *done = true;
    while (again && !stop_now(&s->v->r->stop)) {
        if (!search_once(&g, &again, &refused, e))
            return false;
    }
    *done = !refused;
    if (g.missed) {
        s->counts->cuts |= CUT_ENGINE;
        counts_set_text(s->counts->why,
                        "one of them could not be brought about");
    }
    s->counts->seconds = (double)(worker_now_ms() - begun) / 1000;
    LOG(VERIFY, "%s: %llu executions as graphs, cuts %#x%s", s->model->name,
        (unsigned long long)s->counts->executions, s->counts->cuts,
        s->counts->exhausted ? ", all" : "");
    return true;
}
