/* SPDX-License-Identifier: MIT
 *
 * Graphs that cannot grow, as others want to see them: which threads wait, is
 * it an execution of SC, in which order do its events take effect.
 */
#include "graph/graph_engine.h"

#include "event/must.h"
#include "graph/graph_search.h"

/* ---- Threads ---- */

static const struct op *next_op(const struct graph_search *s,
                                const struct graph *g, unsigned thread)
{
    return behaviour_op(s->behaviour, g->at[thread]);
}

/* The last `count` operations of a thread. */
static row last_events(const struct graph *g, unsigned thread, unsigned count)
{
    row left = g->of_thread[thread], taken = row_none();

    for (; count && row_any(left); count--) {
        taken |= graph_node(g, row_last(left));
        left &= ~taken;
    }
    return taken;
}

/* Events of rounds in vain. */
static row in_vain(const struct graph_search *s, const struct graph *g)
{
    row all = row_none();

    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] != NONE && (int)t != s->last_thread &&
            next_op(s, g, t)->kind == OP_BLOCK)
            all |= last_events(g, t, next_op(s, g, t)->round);
    }
    return all;
}

/* Where it stops when it has taken a mutex; NULL: that is not all it does. */
static const struct op *taking(const struct graph_search *s,
                               const struct graph *g, unsigned thread)
{
    return next_op(s, g, thread)->locks ? graph_takes_in_vain(s, g, thread)
                                        : NULL;
}

/* Did its last round read what will stay? */
static bool waits_for_good(const struct graph_search *s, const struct graph *g,
                           unsigned thread)
{
    const struct op *taken = taking(s, g, thread);
    const struct op *op = taken ? taken : next_op(s, g, thread);
    row round;
    int e;

    if (taken && !taken->operand)
        return false; /* it waited for a condition */
    if (op->kind != OP_BLOCK || (int)thread == s->last_thread)
        return true; /* for a mutex, for another thread; or it is alone */
    round = last_events(g, thread, op->round);
    ROW_EACH (e, round) {
        const struct node_event *n = &g->events[e];

        if (node_reads(n) &&
            row_any(graph_co_after(g, n->rf, n->location) & ~round))
            return false;
    }
    return true;
}

static unsigned threads(const struct graph_search *s, const struct graph *g,
                        struct graph_thread to[GRAPH_THREADS_MAX])
{
    for (unsigned t = 0; t < g->thread_count; t++) {
        bool made = g->created_by[t] != NONE;
        enum op_kind kind = made ? next_op(s, g, t)->kind : OP_END;
        bool waits = kind != OP_END && kind != OP_FAIL;
        const struct op *taken = waits ? taking(s, g, t) : NULL;

        to[t] =
            (struct graph_thread){.made = made,
                                  .waits = waits,
                                  .for_good = waits && waits_for_good(s, g, t),
                                  .at = made ? g->at[t] : (behaviour_node){0},
                                  .polls = taken ? taken->operand : 0};
    }
    return g->thread_count;
}

static behaviour_node failed(const struct graph *g)
{
    return g->failed == NONE ? (behaviour_node){0}
                             : g->events[g->failed].before;
}

/* ---- Orders ---- */

/* On SC: po, rf, co, fr, and who made or joined whom. */
static row before_on_sc(const struct graph_search *s, const struct graph *g,
                        int e)
{
    const struct node_event *n = &g->events[e];
    int by = graph_predecessor(g, e);
    row all = graph_po_before(g, e);

    if (by >= 0)
        all |= row_of(by);
    if (node_reads(n) && n->rf >= 0)
        all |= row_of(n->rf);
    if (node_writes(n))
        all |= graph_co_fr_before(g, e);
    if (n->kind == NODE_JOIN)
        all |= g->of_thread[behaviour_op(s->behaviour, n->before)->thread];
    return all & ~row_of(e);
}

/* An RMW is one node: what comes before its write comes before its read.  So is
 * a bundle. */
static void join_mates(const struct graph *g, row *before)
{
    row node, all;
    int e, x;

    ROW_EACH (e, g->complete & ~g->bundles)
        before[e] |= before[g->events[e].mate] & ~row_of(e);
    ROW_EACH (e, g->bundles) {
        node = graph_node(g, e);
        all = row_none();
        ROW_EACH (x, node)
            all |= before[x];
        ROW_EACH (x, node)
            before[x] = all & ~node;
    }
}

/* Can the threads take turns, so that each of `left` comes after all of its
 * row?  They run as far as they can: nobody waits for having run too soon. */
static bool can_take_turns(const struct graph *g, const row *before, row left)
{
    row last = row_none();

    while (row_any(left) && row_any(left ^ last)) {
        last = left;
        for (unsigned t = 0; t < g->thread_count; t++) {
            row mine = g->of_thread[t] & left;

            while (row_any(mine) && !row_any(before[row_first(mine)] & left &
                                             ~row_of(row_first(mine)))) {
                left &= ~row_of(row_first(mine));
                mine = row_without_first(mine);
            }
        }
    }
    return !row_any(left);
}

/* The order of a model is part of SC's, and has all of it but for po.  Only
 * rounds in vain are to be left out of it, and it is closed over them; and
 * C11's is another one, POWER's a smaller one. */
static bool is_sc(const struct graph_search *s, const struct graph *g)
{
    row before[GRAPH_EVENTS_MAX];
    row vain, all;

    if (g->releases && !g->weak)
        return true;
    vain = in_vain(s, g);
    all = row_below(g->count) & ~vain;
    if (!g->releases && !g->propagates && !row_any(vain))
        return can_take_turns(g, g->before, all);
    for (int e = 0; e < g->count; e++)
        before[e] = before_on_sc(s, g, e);
    join_mates(g, before);
    return can_take_turns(g, before, all);
}

/* What has to come before e: the model's order, which says nothing about fences
 * and choices, and these have no turn. */
static row before_in_list(const struct graph *g, int e)
{
    int by = g->created_by[g->events[e].thread];

    return by >= 0 ? g->before[e] | row_of(by) : g->before[e];
}

/* Torn loads may want a store of their thread to come late: then what is no
 * access comes when the model says. */
static void fill_list_rows(const struct graph *g, row *before)
{
    bool torn = row_any(g->torn);

    for (int e = 0; e < g->count; e++)
        before[e] = (torn ? g->before[e] : before_in_list(g, e)) & ~row_of(e);
    if (torn)
        MUST(rules_order_torn(g, before));
    join_mates(g, before);
}

/* Program order, too, but for one event: a store that others overtake, or a
 * load that overtakes others. */
static void keep_po(const struct graph *g, row *before, int odd)
{
    row but = odd >= 0 ? graph_node(g, odd) : row_none();
    bool early = odd >= 0 && node_reads(&g->events[odd]);

    for (int e = 0; e < g->count; e++) {
        if (!early)
            before[e] |= graph_po_before(g, e) & ~but;
        else if (!row_has(but, e))
            before[e] |= graph_po_before(g, e);
    }
}

/* Where it fails: the last events of threads that did, and what touched freed
 * memory. */
static row failing(const struct graph_search *s, const struct graph *g)
{
    row all = row_none();

    if (g->failed != NONE)
        all |= row_of(g->failed);
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] != NONE && (int)t != s->last_thread &&
            next_op(s, g, t)->kind == OP_FAIL)
            all |= last_events(g, t, 1);
    }
    return all;
}

/* The next of `left`: in program order, if it can be, and of that thread, so
 * that threads take turns as rarely as possible; one of `last` only if there is
 * no other.  NONE: each waits for another. */
static int next_in_list(const struct graph *g, const row *before, row left,
                        row last, int thread)
{
    int e, next = NONE, odd = NONE, late = NONE;

    ROW_EACH (e, left) {
        if (row_any(before[e] & left))
            continue;
        if (row_has(last, e))
            late = e;
        else if (row_any(graph_po_before(g, e) & left))
            odd = odd == NONE ? e : odd;
        else if (g->events[e].thread == thread)
            return e;
        else
            next = next == NONE ? e : next;
    }
    return next != NONE ? next : odd != NONE ? odd : late;
}

static behaviour_node place_after(const struct graph_search *s,
                                  const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];

    return node_accesses(n) ? graph_after(s, g, e)
                            : behaviour_step(s->behaviour, n->before, n->value);
}

/* All of `left` in an order of these rows; 0: there is none. */
static size_t list_by(const struct graph_search *s, const struct graph *g,
                      const row *before, row left, struct graph_place *to)
{
    row last = failing(s, g);
    size_t count = 0;
    int thread = NONE;

    while (row_any(left)) {
        int e = next_in_list(g, before, left, last, thread);
        const struct node_event *n = e == NONE ? NULL : &g->events[e];

        if (!n)
            return 0;
        left &= ~row_of(e);
        thread = n->thread;
        if (n->kind != NODE_WX && !n->part)
            to[count++] =
                (struct graph_place){n->before, place_after(s, g, e), n->value};
    }
    return count;
}

static size_t list_but(const struct graph_search *s, const struct graph *g,
                       int odd, struct graph_place *to)
{
    row before[GRAPH_EVENTS_MAX];

    fill_list_rows(g, before);
    keep_po(g, before, odd);
    return list_by(s, g, before, row_below(g->count) & ~in_vain(s, g), to);
}

/* But for one event of that kind. */
static size_t list_but_one(const struct graph_search *s, const struct graph *g,
                           enum node_kind kind, struct graph_place *to)
{
    size_t count = 0;

    for (int e = 0; e < g->count && !count; e++)
        if (g->events[e].kind == kind && !g->events[e].part)
            count = list_but(s, g, e, to);
    return count;
}

static size_t list(const struct graph_search *s, const struct graph *g,
                   enum graph_order order, struct graph_place *to)
{
    row before[GRAPH_EVENTS_MAX];
    row left = row_below(g->count);
    size_t count;

    if (order == GRAPH_ONE_LATE)
        return list_but_one(s, g, NODE_W, to);
    if (order == GRAPH_ONE_EARLY)
        return list_but_one(s, g, NODE_R, to);
    if (order == GRAPH_IN_ORDER)
        return list_but(s, g, NONE, to);
    if (order != GRAPH_WITH_VAIN)
        left &= ~in_vain(s, g);
    fill_list_rows(g, before);
    count = list_by(s, g, before, left, to);
    MUST(count || !row_any(left)); /* the model's order has no cycle */
    return count;
}

/* ---- The door ---- */

const struct graph_engine graph_engine_here = {
    .events_max = GRAPH_EVENTS_MAX,
    .order = &rules_order,
    .c11 = &rules_c11,
    .terms = &rules_terms,
    .power = &rules_power,
    .run = graph_search_run,
    .sample = graph_sample,
    .threads = threads,
    .failed = failed,
    .is_sc = is_sc,
    .list = list,
    .tell = graph_tell,
    .races = graph_races,
    .unordered = graph_unordered,
    .unguarded = graph_is_unguarded,
    .sees = graph_sees_redone,
};
