/* SPDX-License-Identifier: MIT
 *
 * Models of order: sc, tso, pso, pslo, and whatever else struct model can say.
 * The table of preserved program order is preserved_loads and preserved_stores;
 * all the rest is the same for every model (docs/models.md has the axioms).
 */
#include "event/must.h"
#include "graph/rules.h"

/* ---- Preserved program order ---- */

static int kind_number(enum model_fence kind)
{
    return __builtin_ctz((unsigned)kind);
}

/* An event that is to be the last of its thread, or both halves of an RMW. */
struct newcomer {
    unsigned thread, location;
    row own;         /* the thread's events before it */
    unsigned fences; /* directly before it: enum model_fence bits */
    bool reads, writes, is_rmw, is_ghost;
};

/* Events of the thread before its last fence of that kind. */
static row before_fence(const struct graph *g, const struct newcomer *y,
                        enum model_fence kind)
{
    int k = kind_number(kind);
    row at = g->fences[BEFORE_IT][k] & y->own;
    row past = g->fences[AFTER_IT][k] & y->own;
    row cut = row_none();

    if (y->fences & kind)
        return y->own;
    if (row_any(at))
        cut |= row_below(row_last(at));
    if (row_any(past))
        cut |= row_below(row_last(past) + 1);
    return cut & y->own;
}

static row preserved_loads(const struct model *m, const struct graph *g,
                           const struct newcomer *y)
{
    row loads = y->own & g->prompt;

    if (y->writes || y->is_rmw || !m->reorders_loads)
        return loads;
    return loads & (g->reads[y->location] | before_fence(g, y, FENCE_LL));
}

static row preserved_stores(const struct model *m, const struct graph *g,
                            const struct newcomer *y)
{
    row kept = row_none();

    if ((y->writes && !m->reorders_stores) || (y->is_rmw && m->rmw_drains_all))
        return y->own & g->stores & ~g->ghosts;
    if (y->writes)
        kept |= g->writes[y->location] | before_fence(g, y, FENCE_SS);
    if (y->reads)
        kept |= before_fence(g, y, FENCE_SL);
    if (y->is_rmw)
        kept |= g->writes[y->location];
    return y->own & g->stores & ~g->ghosts & kept;
}

static row preserved(const struct model *m, const struct graph *g,
                     const struct newcomer *y)
{
    int by = g->created_by[y->thread];
    row kept = by >= 0 ? row_of(by) : row_none();

    if (!m->delays_stores)
        return kept | y->own;
    kept |= before_fence(g, y, FENCE_FULL) | (y->own & g->joins);
    if (y->is_ghost)
        return kept | (y->own & g->prompt);
    return kept | preserved_loads(m, g, y) | preserved_stores(m, g, y);
}

/* ---- The order ---- */

/* An RMW is one node: who has one half has the other. */
static row with_mates(const struct graph *g, row set)
{
    row all = set;
    int e;

    ROW_EACH (e, set & g->halves)
        all |= row_of(g->events[e].mate);
    return all;
}

static row with_all_before(const struct graph *g, row set)
{
    row all = set;

    /* What is before one of them brings nothing new.  Most are before the
     * youngest. */
    while (row_any(set)) {
        int e = row_last(set);

        all |= g->before[e];
        set &= ~(g->before[e] | row_of(e));
    }
    return all;
}

/* The node `me` comes after `in` and before `out`; false: that is a cycle. */
static bool put_between(struct graph *g, row me, row in, row out)
{
    row all = with_all_before(g, with_mates(g, in));
    int e;

    ROW_EACH (e, me)
        g->before[e] = all;
    if (!row_any(out))
        return true;
    out = with_mates(g, out);
    if (row_any(all & out))
        return false;
    for (e = 0; e < g->count; e++) {
        if (row_has(out, e) || row_any(g->before[e] & out))
            g->before[e] |= all | me;
    }
    return true;
}

/* ---- Fences ---- */

static void put_fences(struct graph *g, int e, enum fence_side side,
                       unsigned fences)
{
    for (; fences; fences &= fences - 1)
        g->fences[side][__builtin_ctz(fences)] |= row_of(e);
}

static void put_recipe(const struct model *m, struct graph *g, int first,
                       int last)
{
    const struct model_recipe *r = &m->recipe[g->events[first].construct];

    put_fences(g, first, BEFORE_IT, r->before);
    put_fences(g, last, AFTER_IT, r->after);
}

/* ---- Additions ---- */

static struct newcomer newcomer(const struct model *m, const struct graph *g,
                                int e)
{
    const struct node_event *n = &g->events[e];

    return (struct newcomer){.thread = n->thread,
                             .location = n->location,
                             .own = graph_po_before(g, e),
                             .fences = m->recipe[n->construct].before,
                             .is_rmw = row_has(g->rmws, e),
                             .is_ghost = row_has(g->ghosts, e)};
}

static bool add_read(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    struct newcomer y = newcomer(m, g, read);
    row out = graph_co_after(g, e->rf, e->location), in;

    y.reads = true;
    put_recipe(m, g, read, read);
    if (row_any(out & y.own))
        return false; /* its thread has written something later */
    in = preserved(m, g, &y);
    /* Before it is in memory a thread reads its own store from its buffer. */
    if (e->rf >= 0 &&
        (!m->delays_stores || !row_has(y.own, e->rf) || y.is_ghost))
        in |= row_of(e->rf);
    return put_between(g, row_of(read), in, out);
}

static bool add_write(const struct model *m, struct graph *g, int write,
                      int after)
{
    struct newcomer y = newcomer(m, g, write);
    row out = graph_co_after(g, after, y.location), in;

    y.writes = true;
    put_recipe(m, g, write, write);
    in = preserved(m, g, &y) | graph_readers(g, after, y.location);
    if (after >= 0)
        in |= row_of(after);
    graph_place_write(g, write, after);
    return put_between(g, row_of(write), in, out);
}

static bool begin_rmw(const struct model *m, struct graph *g, int read)
{
    (void)m;
    g->before[read] = row_none(); /* comes with its write */
    return true;
}

static bool add_rmw(const struct model *m, struct graph *g, int read, int write)
{
    const struct node_event *e = &g->events[read];
    struct newcomer y = newcomer(m, g, read);
    row out = graph_co_after(g, e->rf, e->location), in;

    y.reads = y.is_rmw; /* else it is a store to its thread */
    y.writes = true;
    put_recipe(m, g, read, write);
    graph_join_halves(g, read, write);
    if (row_any(out & y.own))
        return false;
    in = preserved(m, g, &y);
    in |= graph_readers(g, e->rf, e->location) & ~row_of(read);
    if (e->rf >= 0)
        in |= row_of(e->rf);
    graph_place_write(g, write, e->rf);
    return put_between(g, row_of(read) | row_of(write), in, out);
}

/* All that its thread has done, but for stores that wait. */
static row done_so_far(const struct model *m, const struct graph *g, int e)
{
    struct newcomer y = {.own = graph_po_before(g, e)};

    if (!m->delays_stores)
        return y.own;
    return before_fence(g, &y, FENCE_FULL) |
           (y.own & (g->prompt | g->rmws | g->joins | g->frees));
}

/* A creation waits for its thread's stores.  A join does not, but it waits for
 * all that the other thread did; what is freed is so at once, but for stores to
 * it (docs/monitors.md, section 2). */
static void add_other(const struct model *m, struct graph *g, int e,
                      const struct op *op, row touching)
{
    int by = g->created_by[g->events[e].thread];
    row in = row_none();

    if (op->kind == OP_FENCE)
        put_fences(g, e, BEFORE_IT, op->fence);
    if (op->kind == OP_CREATE)
        in = graph_po_before(g, e);
    if (op->kind == OP_JOIN) {
        int end = graph_end_of(g, op->thread);

        in = done_so_far(m, g, e) | g->of_thread[op->thread];
        if (end >= 0)
            in |= row_of(end);
    }
    if (op->kind == OP_FREE)
        in = done_so_far(m, g, e) | touching;
    if (op->kind == OP_FENCE || op->kind == OP_CHOOSE)
        return;
    g->before[e] =
        with_all_before(g, with_mates(g, by >= 0 ? in | row_of(by) : in));
}

/* The order before it, as far as that does not depend on what it reads; and its
 * thread's own writes. */
static row known(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op)
{
    struct newcomer y = {.thread = thread,
                         .location = op->location,
                         .own = g->of_thread[thread],
                         .reads = op->kind == OP_LOAD,
                         .writes = op->kind == OP_STORE,
                         .is_ghost = op->ghost};

    return y.own | with_all_before(g, with_mates(g, preserved(m, g, &y)));
}

const struct rules rules_order = {add_read,  add_write, begin_rmw, add_rmw,
                                  add_other, known,     false};
