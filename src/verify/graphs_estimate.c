/* SPDX-License-Identifier: MIT
 *
 * Now and then, while all workers rest, one of them makes random descents
 * (STRATEGY_DESCENT): never for more than a small part of the time.
 */
#include "base/log.h"
#include "verify/verify_graphs.h"

#define FIRST_MS 1000 /* what ends before that is not estimated */
#define PART 40       /* of the time since the last ones */
#define LEAST_MS 20
#define GRACE_MS 2000 /* for the descent under way: most take less than 1 */

bool graphs_estimate_is_due(const struct graphs *g)
{
    uint64_t at = g->estimate_at ? g->estimate_at : g->begun + FIRST_MS;

    return g->s->phase && !g->s->fence_count && worker_now_ms() >= at;
}

static bool take_descents(struct task *t, struct err *e)
{
    struct graphs *g = t->owner;
    const struct channel_graph *c = &t->worker.channel->graph;

    (void)e;
    if (t->worker.end == WORKER_DONE && !c->lost && !*c->refused)
        estimate_add(&g->estimate, &t->worker, g->s->v->arena);
    return true;
}

/* Of the whole tree, with what the first part knows of the program. */
static void fill_orders(const struct graphs *g, struct channel_graph *orders)
{
    *orders = (struct channel_graph){.only_counts = 1,
                                     .only_learns = 1,
                                     .shared = g->shared,
                                     .tree = g->tree,
                                     .symmetric = g->s->v->o->symmetric,
                                     .state_size = g->parts->now.state.count};
}

static struct job job_of(const struct graphs *g, struct channel_graph *orders,
                         struct channel_explore *explore)
{
    const struct search *s = g->s;
    struct job j = s->v->o->base;

    fill_orders(g, orders);
    *explore =
        (struct channel_explore){.unroll = s->v->o->unroll, .tree_fd = -1};
    j.model = s->model->name;
    j.strategy = STRATEGY_DESCENT;
    j.first = g->estimate.weights.count; /* others than before */
    j.count = CHANNEL_WEIGHTS_MAX;
    j.explore = explore;
    j.graph = orders;
    j.state = g->parts->now.state.bytes;
    j.stay = true;
    return j;
}

static bool descend(struct graphs *g, uint64_t until, struct err *e)
{
    struct channel_graph orders;
    struct channel_explore explore;
    struct job j = job_of(g, &orders, &explore);
    struct task t = {.ended = take_descents, .owner = g};
    bool ok = pool_start(&g->pool, &t, &j, e) && pool_wait(&g->pool, until, e);

    if (ok && t.running) {
        worker_pause(&t.worker);
        ok = pool_wait(&g->pool, worker_now_ms() + GRACE_MS, e);
    }
    if (t.running) {
        pool_stop(&g->pool, &t);
        pool_release(&g->pool, &t.worker);
    }
    return ok;
}

bool graphs_estimate(struct graphs *g, struct err *e)
{
    uint64_t now = worker_now_ms();
    uint64_t since = now - (g->estimated_at ? g->estimated_at : g->begun);
    uint64_t budget = since / PART > LEAST_MS ? since / PART : LEAST_MS;
    bool ok = descend(g, now + budget, e);

    g->estimated_at = worker_now_ms();
    g->estimate_at = g->due_at; /* the next time that they rest */
    LOG(VERIFY, "%s: %zu descents", g->s->model->name,
        g->estimate.weights.count);
    return ok;
}
