/* SPDX-License-Identifier: MIT
 *
 * POWER (src/shared/model/power.c; "Herding Cats", TOPLAS 2014).  A graph is an
 * execution iff it is coherent, RMWs are atomic, and
 *
 *     no thin air    hb = ppo | fences | rfe               has no cycle
 *     propagation    co | prop                             has no cycle
 *     observation    fre;prop;hb*                          is irreflexive
 *
 *     pb   = (fences | rfe;fences);hb*
 *     prop = [W];pb;[W] | com*;strong     com = rf | fr | co
 *     strong = pb*;sync;hb*
 *
 * ppo comes of ii, ic, ci and cc, the least relations that satisfy four
 * definitions.  These say what can be reached between two points of each
 * access, its beginning and its commitment: ii is from beginning to beginning,
 * ci from commitment to beginning, and so on, and an access begins before it is
 * committed.
 *
 * All of these relations go forward: hb, ppo and pb lead from an event to one
 * that was added later, or, where a read gets a new source, to one that is the
 * last of its thread.  So their rows are filled when the event comes, and stay
 * as they are.  rdw and detour look at co, but only at the order of two writes
 * that are both there.  pb;pb is part of pb: a fence is hb, and so is rfe.
 *
 * Only co and fr lead back.  A new event has no such edge if it is the last of
 * co: then nothing has to be looked at.  Else every new cycle goes through it;
 * not by way of com, which would do without it (rf;fr is co, co;co is co), but
 * by pb or strong.
 *
 * With [W] in it, fre;[W];pb;[W];hb* is not all of fre;pb.  But if nothing
 * writes after the fence all of that is one thread, and the graph is not
 * coherent.
 *
 * What made a thread is before all of it as by a sync, and so is all of it
 * before what follows its join.
 */
#include <string.h>

#include "event/must.h"
#include "graph/rules.h"

/* What leads directly to an event. */
struct edges {
    row hb, fences, sync; /* each has the next */
};

/* ---- Within a thread ---- */

/* What its path says of the read or the write of an operation, in events. */
struct seeds {
    row of[SEED_COUNT];
};

static struct seeds seeds_of(const struct graph *g, int e, int half,
                             const struct effect *effect)
{
    const struct node_event *n = &g->events[e];
    row own = graph_po_before(g, e);
    row before = half < 0 ? own : own & ~row_of(half);
    const struct thread_seeds *s =
        thread_seeds_of(g->orders, n->before, effect);
    const struct path_set *sets =
        node_reads(n) ? s->before_read : s->before_write;
    int shift = s->events - row_count(before);
    struct seeds to;

    MUST(shift >= 0 || thread_orders_is_full(g->orders));
    for (int i = 0; i < SEED_COUNT; i++)
        to.of[i] =
            shift < 0 ? row_none() : rules_at_numbers(own, &sets[i], shift);
    return to;
}

/* rfi, and rdw = po-loc & (fre;rfe), end in beginnings; detour = po-loc &
 * (coe;rfe) goes there from commitments. */
static void add_sources(const struct graph *g, int read, struct seeds *to)
{
    const struct node_event *e = &g->events[read];
    row own = graph_po_before(g, read);
    int x;

    if (e->rf < 0 || !row_has(g->loads, read))
        return;
    if (g->events[e->rf].thread == e->thread) {
        to->of[SEED_II] |= row_of(e->rf);
        return;
    }
    ROW_EACH (x, own & g->loads & g->reads[e->location])
        if (row_has(graph_co_after(g, g->events[x].rf, e->location), e->rf))
            to->of[SEED_II] |= row_of(x);
    ROW_EACH (x, own & g->writes[e->location])
        if (row_has(g->co_after[x], e->rf))
            to->of[SEED_CI] |= row_of(x);
}

/* Closes what leads to the event's beginning and to its commitment. */
static void reach(struct graph *g, int e, const struct seeds *s)
{
    row ii = s->of[SEED_II], ci = s->of[SEED_CI], cc = s->of[SEED_CC], ic;
    int x;

    ROW_EACH (x, s->of[SEED_II]) {
        ii |= g->ii[x];
        ci |= g->ci[x];
    }
    ROW_EACH (x, s->of[SEED_CI]) {
        ii |= g->ic[x] | row_of(x);
        ci |= g->cc[x];
    }
    ic = ii;
    ROW_EACH (x, s->of[SEED_CC]) {
        ic |= g->ic[x] | row_of(x);
        cc |= g->cc[x];
    }
    g->ii[e] = ii;
    g->ci[e] = ci;
    g->ic[e] = ic;
    g->cc[e] = cc | ci;
}

/* ---- Edges ---- */

static row made_by(const struct graph *g, int e)
{
    int by = g->created_by[g->events[e].thread];

    return by >= 0 ? row_of(by) : row_none();
}

/* What its source is to a read: a store of its own thread may be forwarded. */
static row source_of(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];

    return e->rf >= 0 && g->events[e->rf].thread != e->thread ? row_of(e->rf)
                                                              : row_none();
}

static struct edges edges_by(const struct graph *g, int e,
                             const struct seeds *s, row kept)
{
    row threads = made_by(g, e) | (graph_po_before(g, e) & g->joins);
    struct edges to;

    to.sync = s->of[SEED_SYNC] | threads;
    to.fences = s->of[SEED_FENCES] | to.sync;
    to.hb = to.fences | kept;
    return to;
}

static struct edges edges_to_read(struct graph *g, int read)
{
    struct effect effect = {0};
    struct seeds s;

    if (g->events[read].kind == NODE_RX)
        effect = rules_effect_of(g, read);
    s = seeds_of(g, read, NONE, &effect);
    add_sources(g, read, &s);
    reach(g, read, &s);
    return edges_by(g, read, &s, (g->ii[read] & g->loads) | source_of(g, read));
}

/* `half`: the read of an RMW, which may be late. */
static struct edges edges_to_write(struct graph *g, int write, int half)
{
    struct effect effect = {.writes = 1};
    struct seeds s;

    if (half >= 0)
        effect = rules_effect_of(g, half);
    s = seeds_of(g, write, half, &effect);
    reach(g, write, &s);
    return edges_by(g, write, &s, g->ic[write] & g->loads);
}

/* A free is a store to all of that memory; what its thread did there comes
 * first. */
static struct edges edges_to_free(struct graph *g, int e, row touching)
{
    struct edges to = edges_to_write(g, e, NONE);

    to.hb |= touching;
    return to;
}

static struct edges edges_to_other(const struct graph *g, int e)
{
    const struct op *op =
        behaviour_op(thread_orders_trie(g->orders), g->events[e].before);
    row all = made_by(g, e);

    if (op->kind == OP_CREATE)
        all |= graph_po_before(g, e);
    if (op->kind == OP_JOIN) {
        int end = graph_end_of(g, op->thread);

        all |= g->of_thread[op->thread] | (graph_po_before(g, e) & g->joins);
        if (end >= 0)
            all |= row_of(end);
    }
    if (op->kind == OP_FENCE || op->kind == OP_CHOOSE)
        all = row_none();
    return (struct edges){all, all, all};
}

/* fences | rfe;fences */
static row pushed_by(const struct graph *g, row fences)
{
    row all = fences;
    int r;

    ROW_EACH (r, fences)
        if (node_reads(&g->events[r]))
            all |= source_of(g, r);
    return all;
}

/* pb*;sync */
static row drained_by(const struct graph *g, row sync)
{
    row all = sync;
    int x;

    ROW_EACH (x, sync)
        all |= g->pb[x];
    return all;
}

/* The rows of a new event, or one with a new source. */
static void spread(struct graph *g, int e, const struct edges *in)
{
    row before = in->hb, pb = pushed_by(g, in->fences);
    row strong = drained_by(g, in->sync);
    int x;

    ROW_EACH (x, in->hb) {
        before |= g->before[x];
        pb |= g->pb[x];
        strong |= g->strong[x];
    }
    g->before[e] = before;
    g->pb[e] = pb;
    g->strong[e] = strong;
}

/* ---- Cycles ---- */

static row with_co_fr_before(const struct graph *g, int write)
{
    return write < 0 ? row_none()
                     : graph_co_fr_before(g, write) | row_of(write);
}

/* com*;strong, up to e. */
static row seen_by(const struct graph *g, int e)
{
    row all = g->strong[e];
    int x;

    ROW_EACH (x, g->strong[e]) {
        const struct node_event *n = &g->events[x];

        if (node_reads(n))
            all |= with_co_fr_before(g, n->rf);
        else if (node_writes(n))
            all |= with_co_fr_before(g, x);
    }
    return all;
}

/* co | prop, up to e. */
static row propagated_to(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    row all = seen_by(g, e);

    if (node_writes(n))
        all |= (g->pb[e] & g->stores) |
               (g->writes[n->location] & ~g->co_after[e] & ~row_of(e));
    return all;
}

/* Does e come before itself by co | prop? */
static bool is_propagated(const struct graph *g, int e)
{
    row all = row_none(), left = row_of(e);

    while (row_any(left)) {
        int x = row_first(left);
        row more = propagated_to(g, x);

        if (row_has(more, e))
            return false;
        all |= row_of(x);
        left = (left | more) & ~all;
    }
    return true;
}

/* Is it read before what is known to it? */
static bool is_observed(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row later =
        graph_co_after(g, e->rf, e->location) & ~g->of_thread[e->thread];

    return !row_any(later) ||
           !row_any(later & (g->pb[read] | seen_by(g, read)));
}

static bool fits_read(const struct graph *g, int read)
{
    return is_observed(g, read) &&
           (!row_any(g->strong[read]) || is_propagated(g, read));
}

/* It is not the last of co. */
static bool fits_write(const struct graph *g, int write)
{
    row others = ~g->of_thread[g->events[write].thread];
    int r;

    if ((row_any(g->pb[write] & g->stores) || row_any(g->strong[write])) &&
        !is_propagated(g, write))
        return false;
    ROW_EACH (r, graph_co_fr_before(g, write) & g->loads & others)
        if (row_any(g->strong[r]) && row_has(seen_by(g, r), write))
            return false;
    return true;
}

/* ---- Additions ---- */

static bool add_read(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row later = graph_co_after(g, e->rf, e->location);
    struct edges in;

    (void)m;
    if (!rules_is_coherent(g, read, later))
        return false;
    in = edges_to_read(g, read);
    spread(g, read, &in);
    return !row_any(later) || fits_read(g, read);
}

static bool add_write(const struct model *m, struct graph *g, int write,
                      int after)
{
    const struct node_event *e = &g->events[write];
    row later = graph_co_after(g, after, e->location);
    struct edges in;

    (void)m;
    rules_note_write(g, write, e->mate);
    if (!rules_is_coherent(g, write, later))
        return false;
    graph_place_write(g, write, after);
    in = edges_to_write(g, write, e->mate);
    spread(g, write, &in);
    return !row_any(later) || fits_write(g, write);
}

static bool add_rmw(const struct model *m, struct graph *g, int read, int write)
{
    const struct node_event *e = &g->events[read];
    row later = graph_co_after(g, e->rf, e->location);
    struct edges in;

    (void)m;
    rules_note_write(g, write, read);
    graph_join_halves(g, read, write);
    g->halves &= ~(row_of(read) | row_of(write)); /* they are two nodes */
    graph_place_write(g, write, e->rf);
    in = edges_to_read(g, read);
    spread(g, read, &in);
    in = edges_to_write(g, write, read);
    spread(g, write, &in);
    return !row_any(later) || (fits_read(g, read) && fits_write(g, write));
}

static void add_other(const struct model *m, struct graph *g, int e,
                      const struct op *op, row touching)
{
    struct edges in = op->kind == OP_FREE ? edges_to_free(g, e, touching)
                                          : edges_to_other(g, e);

    (void)m;
    spread(g, e, &in);
}

static row known(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op)
{
    (void)m;
    return rules_seen_by(g, g->of_thread[thread], op->location);
}

/* ---- A whole graph ---- */

static struct edges edges_to(struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];

    if (row_has(g->frees, e))
        return edges_to_free(g, e, g->before[e] & graph_po_before(g, e));
    if (node_reads(n))
        return edges_to_read(g, e);
    return node_writes(n) ? edges_to_write(g, e, n->mate)
                          : edges_to_other(g, e);
}

/* Closes rows of what comes before each. */
static bool close_rows(row *before, int count)
{
    for (int k = 0; k < count; k++)
        for (int e = 0; e < count; e++)
            if (row_has(before[e], k))
                before[e] |= before[k];
    for (int e = 0; e < count; e++)
        if (row_has(before[e], e))
            return false;
    return true;
}

/* rows;hb* */
static void follow(const struct graph *g, row *rows)
{
    static row first[GRAPH_EVENTS_MAX];
    int x;

    memcpy(first, rows, (size_t)g->count * sizeof *first);
    for (int e = 0; e < g->count; e++)
        ROW_EACH (x, g->before[e])
            rows[e] |= first[x];
}

/* Threads may have read what comes later: hb may have a cycle. */
static bool fill_rows(struct graph *g)
{
    static struct edges in[GRAPH_EVENTS_MAX];
    int e;

    for (e = 0; e < g->count; e++)
        in[e] = edges_to(g, e);
    for (e = 0; e < g->count; e++)
        g->before[e] = in[e].hb;
    if (!close_rows(g->before, g->count))
        return false;
    for (e = 0; e < g->count; e++)
        g->pb[e] = pushed_by(g, in[e].fences);
    follow(g, g->pb);
    for (e = 0; e < g->count; e++)
        g->strong[e] = drained_by(g, in[e].sync);
    follow(g, g->strong);
    return true;
}

static bool judge(struct graph *g)
{
    static row propagated[GRAPH_EVENTS_MAX];
    int e;

    if (!rules_are_coherent(g) || !rules_are_atomic(g) || !fill_rows(g))
        return false;
    for (e = 0; e < g->count; e++)
        propagated[e] = propagated_to(g, e);
    if (!close_rows(propagated, g->count))
        return false;
    ROW_EACH (e, g->loads)
        if (!is_observed(g, e))
            return false;
    return true;
}

/* ---- Freed memory ---- */

/* As if f were a store, and e came after it. */
static void see(struct graph *g, int e, int f)
{
    struct node_event *n = &g->events[e];
    int write = node_reads(n) ? n->mate : e, before = INITIAL, x;

    g->events[f].kind = NODE_W;
    g->events[f].location = n->location;
    g->stores |= row_of(f);
    if (write < 0)
        before = graph_co_last(g, n->location);
    else
        ROW_EACH (x, g->writes[n->location] & ~row_of(write))
            if (row_has(g->co_after[x], write) &&
                (before < 0 || row_has(g->co_after[before], x)))
                before = x;
    graph_place_write(g, f, before);
    if (!node_reads(n))
        return;
    if (n->rf >= 0)
        g->readers[n->rf] &= ~row_of(e);
    g->reads_initial[n->location] &= ~row_of(e);
    g->readers[f] |= row_of(e);
    n->rf = (int16_t)f;
}

static bool cannot_see(const struct graph *g, int e, int f)
{
    static struct graph other; /* large */

    graph_copy(&other, g);
    see(&other,
        node_writes(&g->events[e]) && g->events[e].kind == NODE_WX
            ? g->events[e].mate
            : e,
        f);
    return !judge(&other);
}

const struct rules rules_power = {.add_read = add_read,
                                  .add_write = add_write,
                                  .begin_rmw = rules_begin_rmw,
                                  .add_rmw = add_rmw,
                                  .add_other = add_other,
                                  .known = known,
                                  .judge = judge,
                                  .propagates = true,
                                  .cannot_see = cannot_see};
