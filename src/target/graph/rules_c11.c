/* SPDX-License-Identifier: MIT
 *
 * C11 as RC11 (Lahav and others, PLDI 2017) with the release sequences of C++20
 * and its order of seq_cst operations: po;hb;po where RC11 asks both po to be
 * "at another location", an RMW being one operation.  hb never changes once an
 * event is there, because each comes last in po and rf.  Coherence: an event
 * may not read, or write before, what its thread knows something later of.  psc
 * is looked at only after an addition that has an edge to an older event: no
 * other can close a cycle.  Nor is there one in a graph that SC has, since psc
 * is part of SC's order; and so is every graph of most programs.  That order is
 * kept as the other models keep theirs.  So is a part of psc, po, rf, co and fr
 * between seq_cst operations: what it rules out need not be tried, and where
 * all accesses are seq_cst that is all that psc rules out.
 */
#include "event/must.h"
#include "graph/rules.h"

/* ---- hb and coherence ---- */

static row hb_and(const struct graph *g, int e)
{
    return e < 0 ? row_none() : g->before[e] | row_of(e);
}

/* Is the operation seq_cst, whatever it reads? */
static bool is_seq_cst(const struct op *op)
{
    return op->order == ORDER_SEQ_CST &&
           (op->kind <= OP_RMW ||
            (op->kind == OP_CAS && op->failure_order == ORDER_SEQ_CST));
}

static row known(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op)
{
    int last = graph_last_of(g, thread);
    row own = g->of_thread[thread] & g->seq_cst, seen;

    (void)m;
    if (last < 0)
        last = g->created_by[thread];
    seen = rules_seen_by(g, hb_and(g, last), op->location);
    return is_seq_cst(op) && row_any(own)
               ? seen | g->firm[row_last(own)] | row_of(row_last(own))
               : seen;
}

static row known_to(const struct graph *g, int e)
{
    return rules_seen_by(g, hb_and(g, graph_predecessor(g, e)),
                         g->events[e].location);
}

static void begin_rows(struct graph *g, int e)
{
    row own = graph_po_before(g, e);

    g->before[e] = hb_and(g, graph_predecessor(g, e));
    g->pending[e] = row_any(own) ? g->pending[row_last(own)] : row_none();
    if (g->events[e].order == ORDER_SEQ_CST)
        g->seq_cst |= row_of(e);
}

static void read_rows(struct graph *g, int read)
{
    int from = g->events[read].rf;
    row got = from >= 0 ? g->released[from] : row_none();

    begin_rows(g, read);
    if (row_has(g->plain, read))
        return; /* only atomic operations synchronize */
    g->pending[read] |= got;
    if (order_acquires(g->events[read].order))
        g->before[read] |= got;
}

static void write_rows(struct graph *g, int write)
{
    const struct node_event *e = &g->events[write];
    row fences = g->release_fences & graph_po_before(g, write);

    begin_rows(g, write);
    if (row_has(g->plain, write))
        return;
    if (order_releases(e->order))
        g->released[write] = hb_and(g, write);
    else if (row_any(fences))
        g->released[write] = hb_and(g, row_last(fences));
    if (e->kind == NODE_WX && g->events[e->mate].rf >= 0)
        g->released[write] |= g->released[g->events[e->mate].rf];
}

/* ---- SC's order ---- */

/* What its thread comes from. */
static row own_before(const struct graph *g, int e)
{
    int by = g->created_by[g->events[e].thread];

    return graph_po_before(g, e) | (by >= 0 ? row_of(by) : row_none());
}

/* A write and who reads it; of the initial one there is no event. */
static row write_and_readers(const struct graph *g, int write,
                             unsigned location)
{
    row readers = graph_readers(g, write, location);

    return write >= 0 ? readers | row_of(write) : readers;
}

static void take_turn(struct graph *g, row me, row in, row out)
{
    if (!g->weak)
        g->weak = !rules_put_between(g, g->turns, me, in, out);
}

/* ---- psc between seq_cst operations ---- */

/* False: that is a cycle.  po and co between two of them are part of psc; so is
 * fr; and rf, since who acquires what was released comes after it.  Of an RMW,
 * what comes after its read comes after its write, too. */
static bool stand_firm(struct graph *g, row me, row in, row out)
{
    return !row_any(me & g->seq_cst) ||
           rules_put_between(g, g->firm, me, in & g->seq_cst, out & g->seq_cst);
}

/* ---- psc ---- */

/* Predecessors of each event by the relations that psc is made of. */
struct psc {
    row scb[GRAPH_EVENTS_MAX]; /* po, po;hb;po, hb on a location, co, fr */
    row eco[GRAPH_EVENTS_MAX]; /* rf, co, fr and what follows from them */
    row fences;                /* the seq_cst ones */
};

static void find_eco(const struct graph *g, struct psc *p)
{
    int e;

    ROW_EACH (e, g->stores)
        p->eco[e] = graph_co_fr_before(g, e);
    for (e = 0; e < g->count; e++) { /* also those that are stores to others */
        int from = g->events[e].rf;

        if (node_reads(&g->events[e]) && from >= 0)
            p->eco[e] = row_of(from) | p->eco[from];
    }
}

/* Other operations of e's thread before it: an RMW is one. */
static row other_before(const struct graph *g, int e)
{
    int mate = g->events[e].mate;

    return graph_po_before(g, e) & ~(mate < 0 ? row_none() : row_of(mate));
}

static void find_scb(const struct graph *g, struct psc *p)
{
    row through[GRAPH_EVENTS_MAX]; /* po;hb */
    int e, x;

    for (e = 0; e < g->count; e++) {
        through[e] = row_none();
        ROW_EACH (x, g->before[e])
            through[e] |= other_before(g, x);
    }
    for (e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];
        row own = graph_po_before(g, e);

        p->scb[e] = own;
        ROW_EACH (x, other_before(g, e))
            p->scb[e] |= through[x];
        if (node_accesses(n))
            p->scb[e] |=
                g->before[e] & (g->writes[n->location] | g->reads[n->location]);
        if (node_writes(n))
            p->scb[e] |= p->eco[e];
    }
}

/* The seq_cst events directly before z. */
static row psc_before(const struct graph *g, const struct psc *p, int z)
{
    bool is_fence = row_has(p->fences, z);
    row from = is_fence ? g->before[z] | row_of(z) : row_of(z);
    row scb = row_none(), eco = row_none(), found;
    int e;

    ROW_EACH (e, from)
        scb |= p->scb[e];
    found = scb & g->seq_cst;
    ROW_EACH (e, scb)
        found |= g->before[e] & p->fences;
    if (!is_fence)
        return found;
    ROW_EACH (e, g->before[z])
        eco |= p->eco[e];
    ROW_EACH (e, eco)
        found |= g->before[e] & p->fences;
    return found | (g->before[z] & p->fences);
}

static bool psc_holds(const struct graph *g)
{
    row before[GRAPH_EVENTS_MAX];
    struct psc p = {.fences = row_none()};
    int z;

    if (!g->weak || row_count(g->seq_cst) < 2)
        return true;
    ROW_EACH (z, g->seq_cst)
        if (g->events[z].kind == NODE_FENCE)
            p.fences |= row_of(z);
    find_eco(g, &p);
    find_scb(g, &p);
    ROW_EACH (z, g->seq_cst)
        before[z] = psc_before(g, &p, z);
    return row_is_acyclic(before, g->seq_cst);
}

/* ---- Additions ---- */

static bool add_read(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row after = graph_co_after(g, e->rf, e->location);
    row in = own_before(g, read) | (e->rf >= 0 ? row_of(e->rf) : row_none());

    (void)m;
    if (row_any(known_to(g, read) & after))
        return false;
    read_rows(g, read);
    if (!stand_firm(g, row_of(read), in, after))
        return false;
    take_turn(g, row_of(read), in, after);
    return !row_any(after) || psc_holds(g);
}

static bool add_write(const struct model *m, struct graph *g, int write,
                      int after)
{
    unsigned location = g->events[write].location;
    row later = graph_co_after(g, after, location);
    row in = own_before(g, write) | write_and_readers(g, after, location);

    (void)m;
    if (row_any(known_to(g, write) & later))
        return false;
    write_rows(g, write);
    if (!stand_firm(g, row_of(write), in, later))
        return false;
    take_turn(g, row_of(write), in, later);
    graph_place_write(g, write, after);
    return !row_any(later) || psc_holds(g);
}

static bool begin_rmw(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];

    (void)m;
    if (row_any(known_to(g, read) & graph_co_after(g, e->rf, e->location)))
        return false;
    read_rows(g, read);
    g->turns[read] = g->firm[read] = row_none(); /* come with its write */
    return true;
}

static bool add_rmw(const struct model *m, struct graph *g, int read, int write)
{
    int from = g->events[read].rf;
    unsigned location = g->events[read].location;
    row later = graph_co_after(g, from, location);
    row me = row_of(read) | row_of(write);
    row in = own_before(g, read) | (write_and_readers(g, from, location) & ~me);

    (void)m;
    graph_join_halves(g, read, write);
    write_rows(g, write);
    if (!stand_firm(g, me, in, later))
        return false;
    take_turn(g, me, in, later);
    graph_place_write(g, write, from);
    return !row_any(later) || psc_holds(g);
}

static void add_other(const struct model *m, struct graph *g, int e,
                      const struct op *op, row touching)
{
    row own = graph_po_before(g, e), in = own_before(g, e);

    (void)m;
    (void)touching;
    begin_rows(g, e);
    if (op->kind == OP_JOIN) {
        int end = graph_end_of(g, op->thread);

        g->before[e] |= hb_and(g, end);
        in |= end >= 0 ? row_of(end) : row_none();
    }
    take_turn(g, row_of(e), in, row_none());
    stand_firm(g, row_of(e), own, row_none());
    if (op->kind != OP_FENCE)
        return;
    if (order_releases(op->order))
        g->release_fences |= row_of(e);
    if (order_acquires(op->order) && row_any(own))
        g->before[e] |= g->pending[row_last(own)];
}

const struct rules rules_c11 = {.add_read = add_read,
                                .add_write = add_write,
                                .begin_rmw = begin_rmw,
                                .add_rmw = add_rmw,
                                .add_other = add_other,
                                .known = known,
                                .releases = true};
