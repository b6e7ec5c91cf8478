/* SPDX-License-Identifier: MIT
 *
 * Equal threads in a graph (behaviour_twins.c): of graphs that differ only in
 * their names one is explored (SPORE: Kokologiannakis, Marmanis, Vafeiadis,
 * PLDI 2024).
 *
 * As long as two equal threads, A before B, have read the same writes, and
 * written nothing, they are at the same place.  At the first event in which
 * they differ, A comes first: what it reads or writes is earlier in co than
 * what B reads or writes; of two choices A's is the greater; and if one of them
 * has no such event, it is B.  This sorts the threads, in every graph, and says
 * which of those that differ in names is explored.
 *
 * TruSt needs that the last write, or the last place in co, always fits.  It
 * does, for B, if A's event is there already.  So B's comes after A's, as it
 * comes after what it reads: it is added later, is deleted with it, and A's is
 * in the prefix of B's (porf).  That has no cycle on models of order.  For take
 * the reads of a cycle whose sources lead back to twins: A reads w, w comes
 * after B by po and rf, and B reads w' which is not before w in co.  From a
 * read to a later write of its thread all these models keep the order, so w'
 * is before B, B before w, and w before w' or equal to it.  C11 and processors
 * do not keep it; there a write that comes in co before one that leads to it by
 * po and rf makes the search begin again without equals (graph_twins_fit).
 */
#include "graph/graph_search_inside.h"

/* Do the two threads still not differ, after these events? */
static bool is_same(const struct graph *g, int a, int b)
{
    const struct node_event *x = &g->events[a], *y = &g->events[b];

    if (x->kind != y->kind || node_writes(x))
        return false;
    if (node_reads(x))
        return x->location == y->location && x->rf == y->rf && x->rf != NONE;
    return x->kind != NODE_CHOICE || x->value == y->value;
}

/* Takes from both rows what they have in common, at most `most` events. */
static int skip_same(const struct graph *g, row *a, row *b, int most)
{
    int count = 0;

    while (count < most && row_any(*a) && row_any(*b) &&
           is_same(g, row_first(*a), row_first(*b))) {
        *a = row_without_first(*a);
        *b = row_without_first(*b);
        count++;
    }
    return count;
}

int graph_twin_of(const struct graph *g, unsigned thread, int number)
{
    for (int t = g->twin[thread]; t != NONE; t = g->twin[t]) {
        row a = g->of_thread[t], b = g->of_thread[thread];

        if (skip_same(g, &a, &b, number) == number && row_any(a))
            return row_first(a);
    }
    return NONE;
}

row graph_prefix_by_twin(const struct graph *g, unsigned thread, int number)
{
    int a = graph_twin_of(g, thread, number);

    if (a != NONE && g->events[a].mate > a)
        a = g->events[a].mate;
    return graph_prefix(g, a);
}

bool graph_keeps_order(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    int number = row_rank(g->of_thread[n->thread], e);
    int a = graph_twin_of(g, n->thread, number), source;

    if (a == NONE)
        return true;
    if (node_writes(n))
        return !row_has(g->co_after[e], a);
    source = g->events[a].rf;
    return source < 0 ||
           !row_has(graph_co_after(g, n->rf, n->location), source);
}

row graph_known_by_twin(const struct graph *g, unsigned thread)
{
    int a = graph_twin_of(g, thread, row_count(g->of_thread[thread]));
    const struct node_event *n;

    if (a == NONE)
        return row_none();
    n = &g->events[a];
    if (node_writes(n))
        return row_of(a);
    if (n->mate >= 0) /* two RMWs cannot read the same */
        return row_of(n->mate);
    return n->rf >= 0 ? row_of(n->rf) : row_none();
}

unsigned graph_first_twin(const struct graph *g, unsigned thread)
{
    unsigned first = thread;

    for (int t = g->twin[thread]; t != NONE; t = g->twin[t]) {
        row a = g->of_thread[t], b = g->of_thread[thread];

        skip_same(g, &a, &b, GRAPH_EVENTS_MAX);
        if (!row_any(a) && !row_any(b))
            first = (unsigned)t;
    }
    return first;
}

/* ---- Who is equal ---- */

static bool link_to(const struct graph_search *s, struct graph *g,
                    behaviour_node older, unsigned thread, behaviour_node root)
{
    if (!behaviour_link(s->behaviour, older, root))
        return false;
    g->twin[thread] = (int8_t)behaviour_thread(s->behaviour, older);
    g->has_twins = true;
    return true;
}

void graph_link_started(const struct graph_search *s, struct graph *g,
                        unsigned thread)
{
    struct behaviour *b = s->behaviour;

    for (unsigned t = thread; s->symmetric && t-- > 0;)
        if (link_to(s, g, behaviour_root(b, t), thread,
                    behaviour_root(b, thread)))
            return;
}

void graph_link_created(const struct graph_search *s, struct graph *g,
                        behaviour_node create)
{
    struct behaviour *b = s->behaviour;
    behaviour_node at = behaviour_parent(b, create);
    unsigned thread = behaviour_op(b, create)->thread;

    for (; s->symmetric && behaviour_op(b, at)->kind == OP_CREATE;
         at = behaviour_parent(b, at))
        if (link_to(s, g, behaviour_root_of(b, at), thread,
                    behaviour_root_of(b, create)))
            return;
}

bool graph_twins_fit(const struct graph_search *s, const struct graph *g, int e)
{
    if ((g->releases || g->orders) && node_writes(&g->events[e]) &&
        row_any(g->co_after[e] & g->porf[e]))
        behaviour_refute(s->behaviour);
    return graph_keeps_order(g, e);
}
