/* SPDX-License-Identifier: MIT
 *
 * C11 as RC11 (Lahav and others, PLDI 2017) with the release sequences of C++20
 * and its order of seq_cst operations: po;hb;po where RC11 asks both po to be
 * "at another location", an RMW being one operation.  hb never changes once an
 * event is there, because each comes last in po and rf.  Coherence: an event
 * may not read, or write before, what its thread knows something later of.  A
 * graph that SC has has no cycle of psc, which is part of SC's order, and so is
 * every graph of most programs.  That order is kept as the other models keep
 * theirs, and with it the part of psc that costs nothing: po, rf, co and fr
 * between seq_cst operations.  What it rules out need not be tried.  Where a
 * graph leaves SC all of psc is found, and then grows with it: only an addition
 * that has an edge to an older event can close a cycle.
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

/* ---- psc: the part that every graph has ---- */

/* False: that is a cycle.  po and co between two of them are part of psc; so is
 * fr; and rf, since who acquires what was released comes after it.  Of an RMW,
 * what comes after its read comes after its write, too. */
static bool stand_firm(struct graph *g, row me, row in, row out)
{
    return !row_any(me & g->seq_cst) ||
           rules_put_between(g, g->firm, me, in & g->seq_cst, out & g->seq_cst);
}

/* ---- psc, of a graph that SC has not ---- */

static row seq_cst_fences(const struct graph *g)
{
    return g->seq_cst & g->release_fences;
}

/* Of each thread the last event of the set.  What is before these by hb or po
 * is all that is before any of them: hb contains po. */
static row last_ones(const struct graph *g, row set)
{
    row all = row_none();

    for (unsigned t = 0; t < g->thread_count; t++) {
        row own = set & g->of_thread[t];

        if (row_any(own))
            all |= row_of(row_last(own));
    }
    return all;
}

static row hb_before_any(const struct graph *g, row set)
{
    row all = row_none();
    int e;

    ROW_EACH (e, last_ones(g, set))
        all |= g->before[e];
    return all;
}

/* Other operations of e's thread before it: an RMW is one. */
static row other_before(const struct graph *g, int e)
{
    int mate = g->events[e].mate;

    return graph_po_before(g, e) & ~(mate < 0 ? row_none() : row_of(mate));
}

/* By po and po;hb;po. */
static row po_scb_before(const struct graph *g, int e)
{
    row all = graph_po_before(g, e), others = other_before(g, e);
    int x;

    if (!row_any(others))
        return all;
    /* The last of them has most before it. */
    ROW_EACH (x, last_ones(g, g->before[row_last(others)]))
        all |= other_before(g, x);
    return all;
}

/* By that, hb on a location, co, fr. */
static row scb_before(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    row all = po_scb_before(g, e) |
              (g->before[e] & (g->writes[n->location] | g->reads[n->location]));

    return node_writes(n) ? all | graph_co_fr_before(g, e) : all;
}

/* Of some writes of a location the last, with what is before it by co and fr.
 */
static row co_fr_until_last(const struct graph *g, row writes, row *last)
{
    int w;

    *last = row_none();
    ROW_EACH (w, writes) {
        if (!row_any(g->co_after[w] & writes)) {
            *last = row_of(w);
            return graph_co_fr_before(g, w);
        }
    }
    return row_none();
}

/* The seq_cst events directly before the fence z.  What is before any of the
 * events before z is, thread by thread and location by location, before the
 * last of them.  Left out is who is before z by hb on a location and then hb:
 * whatever leads to such an event by scb leads to z, too, by scb;hb, so no
 * cycle needs it. */
static row psc_before_fence(const struct graph *g, int z)
{
    row before = g->before[z], ends = last_ones(g, before | row_of(z));
    row scb = row_none(), eco = row_none(), last;
    int e;

    ROW_EACH (e, ends)
        scb |= po_scb_before(g, e);
    for (unsigned l = 0; l < g->location_count; l++) {
        scb |= co_fr_until_last(g, g->writes[l] & before, &last);
        eco |= co_fr_until_last(g, rules_seen_by(g, before, l), &last);
        eco |= last;
    }
    return (scb & g->seq_cst) |
           ((hb_before_any(g, scb | eco) | before) & seq_cst_fences(g));
}

/* The seq_cst events directly before z; an RMW's read is not before its write:
 * they are one. */
static row psc_before(const struct graph *g, int z)
{
    int mate = g->events[z].mate;
    row scb;

    if (g->events[z].kind == NODE_FENCE)
        return psc_before_fence(g, z);
    scb = scb_before(g, z);
    if (mate >= 0)
        scb &= ~row_of(mate);
    return (scb & g->seq_cst) | (hb_before_any(g, scb) & seq_cst_fences(g));
}

static row psc_before_node(const struct graph *g, row me)
{
    row all = row_none();
    int e;

    ROW_EACH (e, me)
        all |= psc_before(g, e);
    return all;
}

/* The seq_cst fences after one of them. */
static row fences_after(const struct graph *g, row set)
{
    row all = row_none();
    int f;

    ROW_EACH (f, seq_cst_fences(g))
        if (row_any(g->before[f] & set))
            all |= row_of(f);
    return all;
}

/* psc goes on from `me`, which is new, to each of `out` and to fences that come
 * after one; and from fences before `me` also by eco, hence to those who read
 * `out`.  All other edges that are new lead to `me`. */
static bool extend_psc(struct graph *g, row me, row out)
{
    row then = (out & g->seq_cst) | fences_after(g, out), seen = row_none();
    row fences = hb_before_any(g, me) & seq_cst_fences(g);
    int e;

    if (row_any(me & g->seq_cst) &&
        !rules_put_between(g, g->firm, me, psc_before_node(g, me), then))
        return false;
    if (!row_any(out) || !row_any(fences))
        return true;
    ROW_EACH (e, out)
        seen |= g->readers[e];
    return rules_put_between(g, g->firm, row_none(), fences,
                             then | fences_after(g, seen));
}

/* All of it, closed. */
static bool find_psc(struct graph *g)
{
    int e, x;

    ROW_EACH (e, g->seq_cst)
        g->firm[e] = psc_before_node(g, graph_node(g, e));
    ROW_EACH (x, g->seq_cst) {
        ROW_EACH (e, g->seq_cst)
            if (row_has(g->firm[e], x))
                g->firm[e] |= g->firm[x];
    }
    ROW_EACH (e, g->seq_cst)
        if (row_has(g->firm[e], e))
            return false;
    return true;
}

/* A graph of SC's has no cycle of psc. */
static bool psc_holds(struct graph *g, bool was_weak, row me, row out)
{
    if (!g->weak)
        return true;
    return was_weak ? extend_psc(g, me, out) : find_psc(g);
}

/* ---- Additions ---- */

static bool add_read(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row after = graph_co_after(g, e->rf, e->location);
    bool was_weak = g->weak;
    row in = own_before(g, read) | (e->rf >= 0 ? row_of(e->rf) : row_none());

    (void)m;
    if (row_any(known_to(g, read) & after))
        return false;
    read_rows(g, read);
    if (!was_weak && !stand_firm(g, row_of(read), in, after))
        return false;
    take_turn(g, row_of(read), in, after);
    return psc_holds(g, was_weak, row_of(read), after);
}

static bool add_write(const struct model *m, struct graph *g, int write,
                      int after)
{
    unsigned location = g->events[write].location;
    row later = graph_co_after(g, after, location);
    row in = own_before(g, write) | write_and_readers(g, after, location);
    bool was_weak = g->weak;

    (void)m;
    if (row_any(known_to(g, write) & later))
        return false;
    write_rows(g, write);
    if (!was_weak && !stand_firm(g, row_of(write), in, later))
        return false;
    take_turn(g, row_of(write), in, later);
    graph_place_write(g, write, after);
    return psc_holds(g, was_weak, row_of(write), later);
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
    bool was_weak = g->weak;

    (void)m;
    graph_join_halves(g, read, write);
    write_rows(g, write);
    if (!was_weak && !stand_firm(g, me, in, later))
        return false;
    take_turn(g, me, in, later);
    graph_place_write(g, write, from);
    return psc_holds(g, was_weak, me, later);
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
    if (op->kind != OP_FENCE)
        return;
    if (order_releases(op->order))
        g->release_fences |= row_of(e);
    if (order_acquires(op->order) && row_any(own))
        g->before[e] |= g->pending[row_last(own)];
    MUST(g->weak ? extend_psc(g, row_of(e), row_none())
                 : stand_firm(g, row_of(e), own, row_none()));
}

const struct rules rules_c11 = {.add_read = add_read,
                                .add_write = add_write,
                                .begin_rmw = begin_rmw,
                                .add_rmw = add_rmw,
                                .add_other = add_other,
                                .known = known,
                                .releases = true};
