/* SPDX-License-Identifier: MIT
 *
 * Models of order: sc, tso, pso, pslo, and whatever else struct model can say.
 * The table of preserved program order is preserved_loads and preserved_stores;
 * all the rest is the same for every model (docs/models.md has the axioms).
 */
#include <string.h>

#include "event/must.h"
#include "graph/rules.h"

/* ---- Preserved program order ---- */

static int kind_number(enum model_fence kind)
{
    return __builtin_ctz((unsigned)kind);
}

/* An event that is to be the last of its thread, or both halves of an RMW. */
struct newcomer {
    unsigned thread, location, parts;
    const struct node_event *events; /* of its parts; NULL: they are neighbours
                                      */
    row own;                         /* the thread's events before it */
    behaviour_node at;               /* it is announced there */
    unsigned fences; /* directly before it: enum model_fence bits */
    bool reads, writes, is_rmw, is_ghost;
};

/* What the thread announced with the event: its fences stand before it. */
static unsigned fences_at(const struct graph *g, int e)
{
    return behaviour_op(g->behaviour, g->events[e].before)->fence;
}

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

static unsigned location_of(const struct newcomer *y, unsigned part)
{
    return y->events ? y->events[part].location : y->location + part;
}

/* Reads, writes of what it touches. */
static row same_reads(const struct graph *g, const struct newcomer *y)
{
    row all = g->reads[y->location];

    for (unsigned i = 1; i < y->parts; i++)
        all |= g->reads[location_of(y, i)];
    return all;
}

static row same_writes(const struct graph *g, const struct newcomer *y)
{
    row all = g->writes[y->location];

    for (unsigned i = 1; i < y->parts; i++)
        all |= g->writes[location_of(y, i)];
    return all;
}

/* The newest plain store of its thread to that part, from which the newcomer
 * takes it, or, where that is not known yet, may take it; or NONE. */
static int own_source(const struct graph *g, const struct newcomer *y,
                      unsigned part)
{
    row stores = y->own & g->stores & g->writes[location_of(y, part)];
    int e = y->events         ? y->events[part].rf
            : row_any(stores) ? row_last(stores)
                              : NONE;

    if (e < 0 || !row_has(stores, e) || g->events[e].mate >= 0)
        return NONE;
    return e;
}

/* The thread's reads of what the newcomer reads.  A part that it takes from a
 * store of its thread says nothing about those before the store, nor about
 * those that took it from there, too: the store may have waited in the buffer,
 * and if it was in memory, rules_torn.c puts it before the newcomer.  (A CAS
 * that failed has read memory.) */
static __attribute__((cold, noinline)) row
reads_of_parts(const struct graph *g, const struct newcomer *y)
{
    row all = row_none();

    for (unsigned i = 0; i < y->parts; i++) {
        row same = g->reads[location_of(y, i)];
        int own = own_source(g, y, i);

        if (own >= 0)
            same &= ~row_below(own) & ~(g->readers[own] & ~g->rmws);
        all |= same;
    }
    return all;
}

/* Loads of one place stay in order.  To its thread a load of several parts is
 * as old as each part that it returned, and not as the moment at which it
 * looked at all of them; so is a CAS that failed, which looked when its turn
 * came. */
static row same_loads(const struct graph *g, const struct newcomer *y)
{
    row same = y->own & g->prompt &
               (y->parts > 1 ? reads_of_parts(g, y) : same_reads(g, y));
    row loose = same & (g->bundles | g->rmws) & ~g->complete;
    row kept = same & ~loose;
    int e;

    ROW_EACH (e, loose) {
        int source = g->events[e].rf;

        if (source >= 0 && g->events[source].thread != y->thread)
            kept |= row_of(source);
    }
    return kept;
}

/* Where dependent loads stay in order, two loads of one place are no step of
 * the order: it would carry that of dependencies further than machines do.  Who
 * comes second sees what the first has seen, unless its own thread's store has
 * come between them, which it reads.  So a load of an RMW's store has nothing
 * to do with what that RMW read; one of more than that has, since memory was
 * at one moment what it takes from there. */
static __attribute__((cold, noinline)) row
same_loads_seen(const struct graph *g, const struct newcomer *y)
{
    row same = y->own & g->prompt;
    row kept = row_none();
    int from = NONE, e;

    if (!y->events)
        return kept; /* depends on what it reads */
    same &= y->parts > 1 ? reads_of_parts(g, y) : same_reads(g, y);
    if (y->parts == 1)
        same &= ~g->complete;
    if (y->parts == 1 && y->events->rf >= 0 && row_has(y->own, y->events->rf))
        from = y->events->rf;
    ROW_EACH (e, same) {
        int source = g->events[e].rf;

        if (source >= 0 && e > from && g->events[source].thread != y->thread)
            kept |= row_of(source);
    }
    return kept;
}

/* Reads of the thread that were announced there. */
static row reads_at(const struct graph *g, const struct newcomer *y,
                    behaviour_node at)
{
    row all = row_none();
    int e;

    ROW_EACH (e, y->own & (g->loads | g->rmws))
        if (g->events[e].before.ix == at.ix)
            all |= row_of(e);
    return all;
}

/* Those that its address depends on. */
static __attribute__((cold, noinline)) row
address_from(const struct graph *g, const struct newcomer *y)
{
    const struct behaviour *b = g->behaviour;
    const struct depends_set *s =
        &depends_get(&b->depends, behaviour_op(b, y->at)->depends)
             ->sets[DEPENDS_ADDR];
    behaviour_node at = behaviour_parent(b, y->at);
    unsigned place = behaviour_depth(b, y->at);
    row all = row_none();

    for (; place-- > 0; at = behaviour_parent(b, at))
        if (place < DEPENDS_PLACES && depends_has(s, place))
            all |= reads_at(g, y, at);
    return all;
}

static row preserved_loads(const struct model *m, const struct graph *g,
                           const struct newcomer *y)
{
    row loads = y->own & g->prompt;

    if (y->writes || y->is_rmw || !m->reorders_loads)
        return loads;
    loads &= before_fence(g, y, FENCE_LL);
    return m->keeps_dependent
               ? loads | same_loads_seen(g, y) | address_from(g, y)
               : loads | same_loads(g, y);
}

static row preserved_stores(const struct model *m, const struct graph *g,
                            const struct newcomer *y)
{
    row kept = row_none();

    if ((y->writes && !m->reorders_stores) || (y->is_rmw && m->rmw_drains_all))
        return y->own & g->stores & ~g->ghosts;
    if (y->writes)
        kept |= same_writes(g, y) | before_fence(g, y, FENCE_SS);
    if (y->reads)
        kept |= before_fence(g, y, FENCE_SL);
    if (y->is_rmw)
        kept |= same_writes(g, y);
    return y->own & g->stores & ~g->ghosts & kept;
}

/* Where stores wait in their order and there is room for some only: those that
 * cannot wait any more when that event has its turn. */
static __attribute__((cold, noinline)) row crowded_out(const struct model *m,
                                                       const struct graph *g,
                                                       row own)
{
    row stores = own & g->stores & ~g->ghosts;
    unsigned waiting = 0;

    while (row_any(stores) && waiting < m->buffer_room) {
        int e = row_last(stores);

        if (g->events[e].mate >= 0 && row_has(g->rmws, g->events[e].mate))
            break; /* nothing waits for longer than an RMW */
        stores &= ~graph_bundle(g, e);
        waiting++;
    }
    return stores;
}

static row preserved_weakly(const struct model *m, const struct graph *g,
                            const struct newcomer *y)
{
    row kept =
        before_fence(g, y, FENCE_FULL) | (y->own & (g->joins | g->everybody));

    if (m->buffer_room)
        kept |= crowded_out(m, g, y->own);
    if (y->is_ghost)
        return kept | (y->own & g->prompt);
    return kept | preserved_loads(m, g, y) | preserved_stores(m, g, y);
}

ROW_INLINE row preserved(const struct model *m, const struct graph *g,
                         const struct newcomer *y)
{
    int by = g->created_by[y->thread];
    row kept = by >= 0 ? row_of(by) : row_none();

    return kept | (m->delays_stores ? preserved_weakly(m, g, y) : y->own);
}

/* ---- The order ---- */

static __attribute__((noinline)) row with_bundles(const struct graph *g,
                                                  row set)
{
    row all = set;
    int e;

    ROW_EACH (e, set & g->halves)
        all |= graph_node(g, e);
    return all;
}

/* An RMW is one node: who has one half has the other; so is a bundle. */
ROW_INLINE row with_mates(const struct graph *g, row set)
{
    row all = set;
    int e;

    if (row_any(set & g->bundles))
        return with_bundles(g, set);
    ROW_EACH (e, set & g->halves)
        all |= row_of(g->events[e].mate);
    return all;
}

/* The nodes of the set, and all before them.  Rows have whole nodes, and both
 * halves of an RMW the same row. */
ROW_INLINE row with_all_before(const struct graph *g, const row *before,
                               row set)
{
    row all;

    if (row_any(set & g->bundles))
        set = with_bundles(g, set);
    all = set;
    /* What is before one of them brings nothing new.  Most are before the
     * youngest. */
    while (row_any(set)) {
        int e = row_last(set);

        if (row_has(g->halves, e) && !row_has(g->bundles, e)) {
            row mate = row_of(g->events[e].mate);

            all |= mate;
            set &= ~mate;
        }
        all |= before[e];
        set &= ~(before[e] | row_of(e));
    }
    return all;
}

/* Is there an order for the torn loads, too? */
static __attribute__((noinline)) bool can_mend(const struct graph *g)
{
    row before[GRAPH_EVENTS_MAX];

    memcpy(before, g->before, (size_t)g->count * sizeof *before);
    return rules_order_torn(g, before);
}

bool rules_put_between(const struct graph *g, row *before, row me, row in,
                       row out)
{
    row all = with_all_before(g, before, in);
    int e;

    ROW_EACH (e, me)
        before[e] = all;
    if (!row_any(out))
        return true;
    out = with_mates(g, out);
    if (row_any(all & out))
        return false;
    for (e = 0; e < g->count; e++) {
        if (row_has(out, e) || row_any(before[e] & out))
            before[e] |= all | me;
    }
    return true;
}

static bool put_between(struct graph *g, row me, row in, row out)
{
    return rules_put_between(g, g->before, me, in, out) &&
           (!row_any(g->everybody) || rules_order_everybody(g, g->before)) &&
           (!row_any(out) || !row_any(g->torn) || can_mend(g));
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

    put_fences(g, first, BEFORE_IT, r->before | fences_at(g, first));
    put_fences(g, last, AFTER_IT, r->after);
}

/* ---- Additions ---- */

static struct newcomer newcomer(const struct model *m, const struct graph *g,
                                int e)
{
    const struct node_event *n = &g->events[e];

    return (struct newcomer){.thread = n->thread,
                             .location = n->location,
                             .parts = n->parts,
                             .events = n,
                             .own = graph_po_before(g, e),
                             .at = n->before,
                             .fences = m->recipe[n->construct].before |
                                       fences_at(g, e),
                             .is_rmw = row_has(g->rmws, e),
                             .is_ghost = row_has(g->ghosts, e)};
}

/* To its thread an atomic block is an RMW of all that it touches, also of what
 * it only reads; ghosts go with the others. */
static __attribute__((cold, noinline)) void
make_block(const struct graph *g, int read, struct newcomer *y)
{
    row all = graph_bundle(g, read);

    y->writes = true;
    y->is_ghost = !row_any(all & ~g->ghosts);
}

/* Parts of a load that it takes from stores of its thread, unless one of these
 * has them all. */
static row torn_parts(const struct graph *g, int read, row own)
{
    const struct node_event *e = &g->events[read];
    row torn = row_none();
    bool same = e->rf >= 0;

    for (int i = 0; i < e->parts; i++) {
        same = same && e[i].rf >= 0 && row_has(graph_bundle(g, e->rf), e[i].rf);
        if (e[i].rf >= 0 && row_has(own, e[i].rf))
            torn |= row_of(read + i);
    }
    return same ? row_none() : torn;
}

/* Written once for any number of parts, and compiled for one, which is what
 * most accesses have, and for several. */
ROW_INLINE bool add_parts_read(const struct model *m, struct graph *g, int read,
                               int parts)
{
    const struct node_event *e = &g->events[read];
    struct newcomer y = newcomer(m, g, read);
    row out = row_none(), in = row_none();

    y.reads = true;
    if (row_has(g->blocks, read))
        make_block(g, read, &y);
    put_recipe(m, g, read, read + parts - 1);
    for (const struct node_event *p = e; p < e + parts; p++) {
        out |= graph_co_after(g, p->rf, p->location);
        /* Before it is in memory a thread reads its own store from its buffer.
         */
        if (p->rf >= 0 &&
            (!m->delays_stores || !row_has(y.own, p->rf) || y.is_ghost))
            in |= row_of(p->rf);
    }
    if (row_any(out & y.own))
        return false; /* its thread has written something later */
    in |= preserved(m, g, &y);
    if (parts > 1 && m->reorders_loads)
        g->torn |= torn_parts(g, read, y.own);
    return put_between(g, parts == 1 ? row_of(read) : graph_bundle(g, read), in,
                       out);
}

static bool add_read(const struct model *m, struct graph *g, int read)
{
    int parts = g->events[read].parts;

    return parts == 1 ? add_parts_read(m, g, read, 1)
                      : add_parts_read(m, g, read, parts);
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

static bool add_writes(const struct model *m, struct graph *g, int write,
                       const int *after)
{
    struct newcomer y = newcomer(m, g, write);
    row out = row_none(), in;

    y.writes = true;
    put_recipe(m, g, write, write + (int)y.parts - 1);
    in = preserved(m, g, &y);
    for (unsigned i = 0; i < y.parts; i++) {
        out |= graph_co_after(g, after[i], y.location + i);
        in |= graph_readers(g, after[i], y.location + i);
        if (after[i] >= 0)
            in |= row_of(after[i]);
        graph_place_write(g, write + (int)i, after[i]);
    }
    return put_between(g, graph_bundle(g, write), in, out);
}

static bool begin_rmw(const struct model *m, struct graph *g, int read)
{
    (void)m;
    g->before[read] = row_none(); /* comes with its write */
    for (int i = 1; i < g->events[read].parts; i++)
        g->before[read + i] = row_none();
    return true;
}

static bool add_one_rmw(const struct model *m, struct graph *g, int read,
                        int write)
{
    const struct node_event *e = &g->events[read];
    struct newcomer y = newcomer(m, g, read);
    row out, in;

    y.reads = y.is_rmw; /* else it is a store to its thread */
    y.writes = true;
    put_recipe(m, g, read, write);
    graph_join_halves(g, read, write);
    out = graph_co_after(g, e->rf, e->location);
    if (row_any(out & y.own))
        return false;
    in = preserved(m, g, &y);
    in |= graph_readers(g, e->rf, e->location) & ~row_of(read);
    if (e->rf >= 0)
        in |= row_of(e->rf);
    graph_place_write(g, write, e->rf);
    return put_between(g, row_of(read) | row_of(write), in, out);
}

/* What comes before and after the reads of a bundle, by rf and fr. */
static void look_at_sources(const struct graph *g, int read, row *in, row *out)
{
    const struct node_event *e = &g->events[read];

    for (int i = 0; i < e->parts; i++) {
        *out |= graph_co_after(g, e[i].rf, e[i].location);
        if (e[i].rf >= 0)
            *in |= row_of(e[i].rf);
    }
}

/* A bundle, of which some parts are written. */
static __attribute__((noinline)) bool
add_bundle_rmw(const struct model *m, struct graph *g, int read, int write)
{
    struct newcomer y = newcomer(m, g, read);
    int end = write + g->events[write].parts;
    row me = graph_bundle(g, read) | graph_bundle(g, write);
    row out = row_none(), in = row_none();

    y.reads = y.is_rmw;
    y.writes = true;
    if (row_has(g->blocks, read))
        make_block(g, read, &y);
    put_recipe(m, g, read, end - 1);
    look_at_sources(g, read, &in, &out);
    if (row_any(out & y.own))
        return false;
    in |= preserved(m, g, &y);
    for (int e = write; e < end; e++) {
        const struct node_event *r = &g->events[g->events[e].mate];

        graph_join_halves(g, g->events[e].mate, e);
        in |= graph_readers(g, r->rf, r->location) & ~me;
        graph_place_write(g, e, r->rf);
    }
    return put_between(g, me, in, out);
}

static bool add_rmw(const struct model *m, struct graph *g, int read, int write)
{
    return row_has(g->bundles, read) ? add_bundle_rmw(m, g, read, write)
                                     : add_one_rmw(m, g, read, write);
}

/* All that its thread has done, but for stores that wait. */
static row done_so_far(const struct model *m, const struct graph *g, int e)
{
    struct newcomer y = {.own = graph_po_before(g, e),
                         .fences = fences_at(g, e)};
    row waits_no_more = row_none();

    if (!m->delays_stores)
        return y.own;
    if (m->buffer_room)
        waits_no_more = crowded_out(m, g, y.own);
    return before_fence(g, &y, FENCE_FULL) | waits_no_more |
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

    put_fences(g, e, BEFORE_IT, op->fence);
    if (op->kind == OP_FENCE && op->everybody)
        in = graph_po_before(g, e);
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
    if ((op->kind == OP_FENCE && !op->everybody) || op->kind == OP_CHOOSE)
        return;
    g->before[e] =
        with_all_before(g, g->before, by >= 0 ? in | row_of(by) : in);
    if (row_any(g->everybody))
        MUST(rules_order_everybody(g, g->before)); /* nothing is after e */
}

/* The order before it, as far as that does not depend on what it reads; and its
 * thread's own writes. */
static row known(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op)
{
    struct newcomer y = {.thread = thread,
                         .location = op->location,
                         .parts = op_parts(op),
                         .own = g->of_thread[thread],
                         .at = g->at[thread],
                         .fences = op->fence,
                         .reads = op->kind == OP_LOAD,
                         .writes = op->kind == OP_STORE,
                         .is_ghost = op->ghost};

    return y.own | with_all_before(g, g->before, preserved(m, g, &y));
}

const struct rules rules_order = {.add_read = add_read,
                                  .add_write = add_write,
                                  .begin_rmw = begin_rmw,
                                  .add_rmw = add_rmw,
                                  .add_other = add_other,
                                  .known = known,
                                  .add_writes = add_writes};
