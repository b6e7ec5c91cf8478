/* SPDX-License-Identifier: MIT
 *
 * Models by terms: arm, riscv, and whatever model/axioms.h can say.  A graph is
 * an execution iff
 *
 *     coherence    along program order, what a thread reads and writes at a
 *                  location goes forward in co
 *     atomicity    a write comes directly after what its RMW reads
 *     one order    ppo, co, fr, and rf between threads have no cycle
 *
 * ppo is a function of the thread's path (thread_order.h).  Co and fr within a
 * thread are in ppo, or break coherence.  The halves of an RMW are two nodes of
 * that order unless the model merges them; `halves` has those that it does.
 * What made a thread is before all of it, and all of it before what follows its
 * join.
 *
 * An event that is added has no edge to another if it is last in co, though a
 * load may be later in that order than what follows it in its thread: what
 * follows comes later to the graph, and brings no edge back.
 *
 * The parts of an access come after the same and before the same, but for a
 * load that is torn (struct graph): on ARM it may have parts of a store of its
 * own thread before it looks at memory for the others.  Who comes before one of
 * its parts by rf then comes before all of them, but not who comes before that
 * store; and what comes after one by fr need not come after the others.
 */
#include <string.h>

#include "event/must.h"
#include "graph/rules.h"

/* ---- Within a thread ---- */

static const struct thread_step *
step_of(const struct graph *g, behaviour_node node, const struct effect *effect)
{
    return thread_order_of(g->orders, node, effect);
}

/* Of an access whose thread had those events before it. */
static row kept_before(const struct graph *g, unsigned thread, row own,
                       const struct thread_step *s, const struct path_set *set)
{
    int by = g->created_by[thread];
    int shift = s->events - row_count(own);
    row kept = own & (g->joins | g->everybody);

    MUST(shift >= 0 || thread_orders_is_full(g->orders));
    if (shift >= 0)
        kept |= rules_at_numbers(own, set, shift);
    return by >= 0 ? kept | row_of(by) : kept;
}

/* ---- Additions ---- */

/* What its source is to a read: a store of its own thread may be forwarded. */
static row source_of(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];

    return e->rf >= 0 && g->events[e->rf].thread != e->thread ? row_of(e->rf)
                                                              : row_none();
}

static row write_and_readers(const struct graph *g, int write,
                             unsigned location)
{
    row readers = graph_readers(g, write, location);

    return write >= 0 ? readers | row_of(write) : readers;
}

/* Who has one part of an access has all. */
static __attribute__((noinline)) row with_parts(const struct graph *g, row set)
{
    row all = set;
    int e;

    ROW_EACH (e, set & g->bundles & ~g->torn)
        all |= graph_bundle(g, e);
    return all;
}

static bool put_between(struct graph *g, row me, row in, row out)
{
    if (row_any(g->bundles)) {
        in = with_parts(g, in);
        out = with_parts(g, out);
    }
    return rules_put_between(g, g->before, me, in, out) &&
           (!row_any(g->everybody) || rules_order_everybody(g, g->before));
}

/* What the order of its thread puts before a write, which may be that of an
 * RMW; `half` is its read then. */
static row before_write(const struct graph *g, int write, int half)
{
    static const struct effect writes = {.writes = 1};
    const struct node_event *e = &g->events[write];
    row own = graph_po_before(g, write - e->part), kept;
    const struct thread_step *s;
    struct effect effect;

    if (half < 0) {
        s = step_of(g, e->before, &writes);
        return kept_before(g, e->thread, own, s, &s->before_write);
    }
    own = graph_po_before(g, half - g->events[half].part);
    effect = rules_effect_of(g, half);
    s = step_of(g, e->before, &effect);
    kept = kept_before(g, e->thread, own, s, &s->before_write) |
           graph_bundle(g, half);
    return s->one_node
               ? kept | kept_before(g, e->thread, own, s, &s->before_read)
               : kept;
}

/* ---- Accesses of several parts ---- */

/* What comes before each part of a read; and after it, by fr. */
struct read_parts {
    row in[OP_PARTS_MAX], out[OP_PARTS_MAX];
};

static void look_before(const struct graph *g, int read,
                        const struct thread_step *s, struct read_parts *to)
{
    const struct node_event *e = &g->events[read];
    row own = graph_po_before(g, read), sources = row_none();

    for (int i = 0; i < e->parts; i++)
        sources |= source_of(g, read + i);
    for (int i = 0; i < e->parts; i++)
        to->in[i] =
            sources | kept_before(g, e->thread, own, s,
                                  s->torn ? thread_order_part(g->orders, s, i)
                                          : &s->before_read);
}

static void look_after(const struct graph *g, int read, struct read_parts *to)
{
    const struct node_event *e = &g->events[read];

    for (int i = 0; i < e->parts; i++)
        to->out[i] = graph_co_after(g, e[i].rf, e[i].location);
}

static bool are_coherent(const struct graph *g, int first, const row *out)
{
    for (int i = 0; i < g->events[first].parts; i++) {
        if (!rules_is_coherent(g, first + i, out[i]))
            return false;
    }
    return true;
}

static row all_of(const row *rows, int count)
{
    row all = row_none();

    for (int i = 0; i < count; i++)
        all |= rows[i];
    return all;
}

static bool put_read_parts(struct graph *g, int read,
                           const struct thread_step *s,
                           const struct read_parts *p)
{
    int parts = g->events[read].parts;

    g->halves &= ~graph_bundle(g, read);
    if (!s->torn)
        return put_between(g, graph_bundle(g, read), p->in[0],
                           all_of(p->out, parts));
    g->torn |= graph_bundle(g, read);
    for (int i = 0; i < parts; i++) {
        if (!put_between(g, row_of(read + i), p->in[i], p->out[i]))
            return false;
    }
    return true;
}

static const struct thread_step *step_of_read(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    struct effect effect = {0};

    if (e->kind == NODE_RX)
        effect = rules_effect_of(g, read);
    return step_of(g, e->before, &effect);
}

static bool add_parts_read(struct graph *g, int read)
{
    const struct thread_step *s = step_of_read(g, read);
    struct read_parts p;

    look_after(g, read, &p);
    look_before(g, read, s, &p);
    return are_coherent(g, read, p.out) && put_read_parts(g, read, s, &p);
}

static void note_values(struct graph *g, int write)
{
    const struct node_event *e = &g->events[write];

    for (int i = 0; i < e->parts; i++)
        rules_note_write(g, write + i, e[i].mate);
}

static bool add_writes(const struct model *m, struct graph *g, int write,
                       const int *after)
{
    const struct node_event *e = &g->events[write];
    row out[OP_PARTS_MAX] = {0}, in = before_write(g, write, NONE);

    (void)m;
    note_values(g, write);
    for (int i = 0; i < e->parts; i++) {
        out[i] = graph_co_after(g, after[i], e[i].location);
        in |= write_and_readers(g, after[i], e[i].location);
    }
    if (!are_coherent(g, write, out))
        return false;
    for (int i = 0; i < e->parts; i++)
        graph_place_write(g, write + i, after[i]);
    g->halves &= ~graph_bundle(g, write);
    return put_between(g, graph_bundle(g, write), in, all_of(out, e->parts));
}

static bool add_parts_rmw(struct graph *g, int read, int write)
{
    const struct thread_step *s = step_of_read(g, read);
    row me = graph_bundle(g, read) | graph_bundle(g, write);
    row in = before_write(g, write, read), out;
    struct read_parts p;

    note_values(g, write);
    look_after(g, read, &p);
    look_before(g, read, s, &p);
    out = all_of(p.out, g->events[read].parts);
    for (int e = write; e < write + g->events[write].parts; e++) {
        const struct node_event *r = &g->events[g->events[e].mate];

        in |= write_and_readers(g, r->rf, r->location);
        graph_join_halves(g, g->events[e].mate, e);
        graph_place_write(g, e, r->rf);
    }
    if (s->one_node) {
        g->halves |= me;
        return put_between(g, me, (in | p.in[0]) & ~me, out);
    }
    g->halves &= ~me;
    for (int i = 0; i < g->events[read].parts; i++) {
        if (g->events[read + i].mate >= 0)
            p.out[i] = row_none(); /* they come after its write */
    }
    return put_read_parts(g, read, s, &p) &&
           put_between(g, graph_bundle(g, write),
                       (in & ~me) | graph_bundle(g, read), out);
}

/* ---- Any access ---- */

static bool add_read(const struct model *m, struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    struct effect effect = {0};
    const struct thread_step *s;
    row later, in;

    (void)m;
    if (e->parts > 1)
        return add_parts_read(g, read);
    later = graph_co_after(g, e->rf, e->location);
    if (!rules_is_coherent(g, read, later))
        return false;
    if (e->kind == NODE_RX)
        effect = rules_effect_of(g, read);
    s = step_of(g, e->before, &effect);
    in = kept_before(g, e->thread, graph_po_before(g, read), s,
                     &s->before_read) |
         source_of(g, read);
    return put_between(g, row_of(read), in, later);
}

static bool add_write(const struct model *m, struct graph *g, int write,
                      int after)
{
    const struct node_event *e = &g->events[write];
    row later = graph_co_after(g, after, e->location), in;

    (void)m;
    rules_note_write(g, write, e->mate);
    if (!rules_is_coherent(g, write, later))
        return false;
    in = before_write(g, write, e->mate) |
         write_and_readers(g, after, e->location);
    graph_place_write(g, write, after);
    return put_between(g, row_of(write), in, later);
}

static bool add_rmw(const struct model *m, struct graph *g, int read, int write)
{
    const struct node_event *e = &g->events[read];
    struct effect effect = rules_effect_of(g, read);
    const struct thread_step *s = step_of(g, e->before, &effect);
    row later = graph_co_after(g, e->rf, e->location);
    row own = graph_po_before(g, read), me = row_of(read) | row_of(write);
    row to_read =
        kept_before(g, e->thread, own, s, &s->before_read) | source_of(g, read);
    row to_write = kept_before(g, e->thread, own, s, &s->before_write) |
                   (write_and_readers(g, e->rf, e->location) & ~me);

    (void)m;
    if (e->parts > 1)
        return add_parts_rmw(g, read, write);
    rules_note_write(g, write, read);
    graph_join_halves(g, read, write);
    graph_place_write(g, write, e->rf);
    if (s->one_node)
        return put_between(g, me, to_read | to_write, later);
    g->halves &= ~me;
    return put_between(g, row_of(read), to_read, row_none()) &&
           put_between(g, row_of(write), to_write | row_of(read), later);
}

/* A free is a store to all of that memory. */
static row before_free(const struct graph *g, int e, row touching)
{
    static const struct effect writes = {.writes = 1};
    const struct node_event *n = &g->events[e];
    const struct thread_step *s = step_of(g, n->before, &writes);

    return touching | kept_before(g, n->thread, graph_po_before(g, e), s,
                                  &s->before_write);
}

static void add_other(const struct model *m, struct graph *g, int e,
                      const struct op *op, row touching)
{
    int by = g->created_by[g->events[e].thread];
    row in = by >= 0 ? row_of(by) : row_none();

    (void)m;
    if (op->kind == OP_CREATE)
        in |= graph_po_before(g, e);
    if (op->kind == OP_FREE)
        in |= before_free(g, e, touching);
    if (op->kind == OP_JOIN) {
        int end = graph_end_of(g, op->thread);

        in |= g->of_thread[op->thread];
        if (end >= 0)
            in |= row_of(end);
    }
    if (op->kind == OP_FENCE && op->everybody)
        in |= graph_po_before(g, e);
    if ((op->kind == OP_FENCE && !op->everybody) || op->kind == OP_CHOOSE)
        return;
    MUST(put_between(g, row_of(e), in, row_none())); /* nothing is after e */
}

/* ---- A whole graph ---- */

static row before_read(const struct graph *g, int read)
{
    int part = g->events[read].part;
    struct read_parts p;

    look_before(g, read - part, step_of_read(g, read), &p);
    return p.in[part];
}

/* What comes before a write by co and fr, before any of its parts. */
static row co_fr_before_parts(const struct graph *g, int write)
{
    row all = row_none();
    int e;

    ROW_EACH (e, graph_bundle(g, write))
        all |= graph_co_fr_before(g, e);
    return all & ~graph_bundle(g, write);
}

/* All but the terms is as additions have it. */
static row before_event(const struct graph *g, int e, const row *old)
{
    const struct node_event *n = &g->events[e];

    if (node_reads(n))
        return before_read(g, e);
    return node_writes(n)
               ? before_write(g, e, n->mate) | co_fr_before_parts(g, e)
               : old[e];
}

static bool is_one_node(const struct graph *g, int read)
{
    return graph_write_of(g, read) >= 0 && step_of_read(g, read)->one_node;
}

/* Those have the same before and after them. */
static void merge(const struct graph *g, row *before, row me)
{
    row all = row_none();
    int e;

    ROW_EACH (e, me)
        all |= before[e];
    ROW_EACH (e, me)
        before[e] = all & ~me;
    for (e = 0; e < g->count; e++)
        if (!row_has(me, e) && row_any(before[e] & me))
            before[e] |= me;
}

/* Halves that are one node, and parts that are. */
static void merge_nodes(const struct graph *g, row *before)
{
    int e;

    ROW_EACH (e, g->bundles & ~g->torn)
        if (!g->events[e].part)
            merge(g, before, graph_bundle(g, e));
    ROW_EACH (e, g->complete)
        if (is_one_node(g, e))
            merge(g, before, graph_node(g, e));
}

bool rules_are_coherent(const struct graph *g)
{
    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];
        row later = node_reads(n) ? graph_co_after(g, n->rf, n->location)
                                  : g->co_after[e];

        if (node_accesses(n) && !rules_is_coherent(g, e, later))
            return false;
    }
    return true;
}

bool rules_are_atomic(const struct graph *g)
{
    int r;

    ROW_EACH (r, g->complete) {
        const struct node_event *n = &g->events[r];
        row later = graph_co_after(g, n->rf, n->location);

        if (!row_has(later, n->mate) ||
            row_any(later & ~row_of(n->mate) & ~g->co_after[n->mate]))
            return false;
    }
    return true;
}

static bool judge(struct graph *g)
{
    row before[GRAPH_EVENTS_MAX];
    int e;

    if (!rules_are_coherent(g) || !rules_are_atomic(g))
        return false;
    for (e = 0; e < g->count; e++)
        before[e] = before_event(g, e, g->before);
    merge_nodes(g, before);
    for (int k = 0; k < g->count; k++)
        for (e = 0; e < g->count; e++)
            if (row_has(before[e], k))
                before[e] |= before[k];
    if (row_any(g->everybody) && !rules_order_everybody(g, before))
        return false;
    for (e = 0; e < g->count; e++)
        if (row_has(before[e], e))
            return false;
    memcpy(g->before, before, (size_t)g->count * sizeof *before);
    return true;
}

/* ---- What is known ---- */

static row known(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op)
{
    struct effect effect = {.writes = op->kind == OP_STORE};
    row own = g->of_thread[thread], known = row_none(), before;
    const struct thread_step *s;

    (void)m;
    for (unsigned i = 0; i < op_parts(op); i++)
        known |= rules_seen_by(g, own, op->location + i);
    if (op->kind > OP_STORE)
        return known;
    s = step_of(g, g->at[thread], &effect);
    before = kept_before(g, thread, own, s,
                         effect.writes ? &s->before_write : &s->before_read);
    known |= before;
    while (row_any(before)) { /* most are before the youngest */
        int e = row_last(before);

        known |= g->before[e];
        before &= ~(g->before[e] | row_of(e));
    }
    return known;
}

const struct rules rules_terms = {.add_read = add_read,
                                  .add_write = add_write,
                                  .begin_rmw = rules_begin_rmw,
                                  .add_rmw = add_rmw,
                                  .add_other = add_other,
                                  .known = known,
                                  .add_writes = add_writes,
                                  .judge = judge};
