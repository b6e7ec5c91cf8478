/* SPDX-License-Identifier: MIT
 *
 * One thread of a solution on a model that is given by terms: accesses are
 * vertices, and what the terms keep of program order are edges.  Why an edge is
 * there is asked only if it lies on a cycle.
 *
 * The memory order that comes of it is ppo | rfe | coe | fre.  Loads return
 * the last store that they see in it, so of coherence only loads of one
 * location are left to be looked at; and where the halves of an RMW are two
 * vertices, that nothing comes between them (docs/decisions/25).
 */
#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_relate.h"

/* ---- Vertices ---- */

static uint32_t node_vertex(struct graph *g, uint32_t thread, uint32_t node)
{
    struct encoding *x = g->x;
    uint32_t v = graph_new_vertex(g, thread, 0);

    g->v.list[v].node = node;
    g->of_node[node] = v;
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (graph_executed(x, e) && x->accesses[e].live != LIT_TRUE)
            graph_put_lit(g, x->accesses[e].live);
    }
    graph_put_lit(g, 0);
    return v;
}

static uint32_t vertex_of(const struct graph *g, const struct relate *r,
                          uint32_t point)
{
    uint32_t event = r->points.list[point].event;

    return r->points.list[point].marks & (MARK_R | MARK_W)
               ? g->of_node[g->x->accesses[event].node]
               : NOBODY;
}

static void add_kept(struct graph *g, struct relate *r, uint32_t thread)
{
    uint64_t *ppo = relate_ppo(r);
    uint32_t n = (uint32_t)r->points.count;

    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            uint32_t from = vertex_of(g, r, a), to = vertex_of(g, r, b);

            if (from == NOBODY || to == NOBODY || from == to ||
                !relate_has(r, ppo, a, b))
                continue;
            graph_new_edge(g, from, to, 0, 0);
            VEC_LAST(&g->e).kept = thread + 1;
            VEC_LAST(&g->e).first = a;
            VEC_LAST(&g->e).second = b;
        }
    }
}

/* ---- Where threads begin and meet ---- */

struct meeting {
    uint32_t event, vertex;
};

struct line {
    struct graph *g;
    uint32_t thread;
    VEC(uint32_t) vertices; /* in program order, of all kinds */
    VEC(uint8_t) kinds;     /* enum flat_kind */
};

static uint32_t meeting_vertex(struct graph *g, uint32_t thread, uint32_t event)
{
    uint32_t v = graph_new_vertex(g, thread, 0);

    graph_put_lit(g, g->x->accesses[event].live);
    graph_put_lit(g, 0);
    return v;
}

static void note_meeting(struct graph *g, const struct flat_event *e,
                         uint32_t vertex)
{
    if (e->kind == FLAT_CREATE)
        g->milestones[e->other].create = vertex;
    else if (e->kind == FLAT_JOIN)
        g->milestones[e->other].join = vertex;
    else if (e->kind == FLAT_START)
        g->milestones[e->thread].start = vertex;
    else
        g->milestones[e->thread].exit = vertex;
}

static bool is_access_kind(unsigned kind)
{
    return kind == FLAT_LOAD || kind == FLAT_STORE || kind == FLAT_FREE;
}

static void line_up(struct line *l)
{
    struct encoding *x = l->g->x;
    const struct flat_thread *t = &x->flat->threads[l->thread];

    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct flat_event *e = &x->flat->events[i];
        uint32_t v;

        if (e->kind == FLAT_FENCE || !graph_executed(x, i))
            continue;
        if (!is_access_kind(e->kind)) {
            v = meeting_vertex(l->g, l->thread, i);
            note_meeting(l->g, e, v);
        } else {
            v = l->g->of_node[x->accesses[i].node];
            if (v == NOBODY)
                v = node_vertex(l->g, l->thread, x->accesses[i].node);
        }
        VEC_PUSH(&l->vertices, v);
        VEC_PUSH(&l->kinds, e->kind);
    }
}

/* All before a create is before all of the child; all of the child is before
 * what follows the join.  A machine's create also drains, and its join waits
 * for loads (docs/models.md). */
static bool is_met(const struct graph *g, unsigned first, unsigned second)
{
    bool machine = !g->x->statement->mapping;

    if (first == FLAT_START || first == FLAT_JOIN || second == FLAT_EXIT ||
        second == FLAT_CREATE)
        return true;
    if (!machine)
        return false;
    if (first == FLAT_CREATE)
        return second != FLAT_LOAD;
    return second == FLAT_JOIN && first != FLAT_STORE;
}

static void add_meetings(struct line *l)
{
    for (size_t i = 0; i < l->vertices.count; i++) {
        for (size_t k = i + 1; k < l->vertices.count; k++) {
            unsigned first = l->kinds.list[i], second = l->kinds.list[k];

            if ((!is_access_kind(first) || !is_access_kind(second)) &&
                is_met(l->g, first, second))
                graph_new_edge(l->g, l->vertices.list[i], l->vertices.list[k],
                               0, 0);
        }
    }
}

void graph_walk_terms(struct graph *g, uint32_t thread)
{
    struct line l = {.g = g, .thread = thread};
    struct points points = {0};

    line_up(&l);
    add_meetings(&l);
    VEC_FREE(&l.vertices);
    VEC_FREE(&l.kinds);
    points_add_thread(g->x, thread, false, &points);
    relate_begin(&g->relations[thread], g->x, g->depends, points);
    add_kept(g, &g->relations[thread], thread);
}

/* ---- Why ---- */

static void forbid_reasons(struct graph *g, struct reasons *why)
{
    for (size_t i = 0; i < why->count; i++)
        solver_add(g->x->solver, -why->list[i]);
    VEC_FREE(why);
}

void graph_add_kept(struct graph *g, const struct edge *e)
{
    struct reasons why = {0};

    relate_explain_ppo(&g->relations[e->kept - 1], e->first, e->second, &why);
    forbid_reasons(g, &why);
}

/* The only point of a vertex; NO_POINT: it has none, or two. */
static uint32_t only_point(const struct graph *g, const struct relate *r,
                           uint32_t vertex)
{
    const struct encoding *x = g->x;
    uint32_t node = g->v.list[vertex].node;

    if (node == NOBODY || x->node_first[node + 1] - x->node_first[node] != 1)
        return NO_POINT;
    return r->point_of[x->node_events[x->node_first[node]]];
}

bool graph_add_shortest(struct graph *g, uint32_t from, uint32_t to)
{
    struct relate *r;
    struct reasons why = {0};
    uint32_t a, b, steps, *way;

    if (!g->relations)
        return false;
    r = &g->relations[g->v.list[from].thread];
    a = only_point(g, r, from);
    b = only_point(g, r, to);
    if (a == NO_POINT || b == NO_POINT)
        return false;
    way = arena_array(&r->arena, r->points.count + 2, sizeof *way);
    steps = relate_way(r, VEC_LAST(&r->ppo), a, b, way);
    for (uint32_t i = 0; i < steps; i++)
        relate_explain_ppo(r, way[i], way[i + 1], &why);
    forbid_reasons(g, &why);
    return steps > 0;
}

/* ---- Loads of one location ---- */

struct seen {
    uint32_t load, source; /* the newest that was read so far, and by whom */
    struct lsl_value at;
};

struct reader {
    struct encoding *x;
    VEC(struct seen);
    size_t added;
};

static uint32_t source_of(const struct encoding *x, uint32_t load, int *lit)
{
    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        *lit = x->links[load][i].reads;
        if (solver_value(x->solver, *lit))
            return x->links[load][i].store;
    }
    *lit = x->initial[load];
    return FLAT_INITIAL;
}

/* Is the first store before the second?  *fresh: nobody has asked before, so
 * the solution does not say. */
static int earlier(struct encoding *x, uint32_t first, uint32_t second,
                   bool *fresh)
{
    uint32_t before = x->order_vars;
    int lit;

    if (first == FLAT_INITIAL)
        return LIT_TRUE;
    if (x->flat->events[first].thread == x->flat->events[second].thread)
        return first < second ? LIT_TRUE : LIT_FALSE;
    lit = order_lit(x, first, second);
    *fresh = x->order_vars != before;
    return lit;
}

static void forbid_older(struct reader *r, const struct seen *s, uint32_t load,
                         int reads, int order)
{
    struct encoding *x = r->x;
    int was;

    source_of(x, s->load, &was);
    solver_add(x->solver, -was);
    solver_add(x->solver, -reads);
    solver_add(x->solver, -order);
    solver_add(x->solver, -access_at(x, s->load, s->at));
    solver_add(x->solver, -access_at(x, load, s->at));
    solver_end(x->solver);
    r->added++;
}

static void read_after(struct reader *r, struct seen *s, uint32_t load)
{
    bool fresh = false;
    int reads, order;
    uint32_t source = source_of(r->x, load, &reads);

    if (source == s->source)
        return;
    if (s->source != FLAT_INITIAL) {
        order = earlier(r->x, source, s->source, &fresh);
        if (fresh || solver_value(r->x->solver, order)) {
            forbid_older(r, s, load, reads, order);
            return;
        }
    }
    s->load = load;
    s->source = source;
}

static void read_thread(struct reader *r, const struct flat_thread *t)
{
    struct encoding *x = r->x;

    VEC_CLEAR(r);
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct flat_event *e = &x->flat->events[i];
        struct lsl_value at = value_found(x, e->address);
        size_t k = 0;
        int lit;

        if (e->kind != FLAT_LOAD || !graph_executed(x, i))
            continue;
        while (k < r->count && value_compare(r->list[k].at, at) != 0)
            k++;
        if (k < r->count)
            read_after(r, &r->list[k], i);
        else
            VEC_PUSH(r, {i, source_of(x, i, &lit), at});
    }
}

size_t terms_forbid_older(struct encoding *x)
{
    struct reader r = {.x = x};

    for (uint32_t t = 0; t < x->flat->thread_count; t++)
        read_thread(&r, &x->flat->threads[t]);
    VEC_FREE(&r);
    return r.added;
}

/* ---- Nothing between the halves of an RMW ---- */

static int before(struct encoding *x, uint32_t first, uint32_t second)
{
    if (x->flat->events[first].thread == x->flat->events[second].thread)
        return first < second ? LIT_TRUE : LIT_FALSE;
    return order_lit(x, first, second);
}

/* That store, after what the load read, is not before the other half. */
static void not_between(struct encoding *x, uint32_t load, uint32_t store,
                        uint32_t between)
{
    int same = access_same(x, between, store);
    int late = before(x, between, store);

    solver_clause(x->solver, -same, -x->initial[load], -late, 0);
    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        const struct link *l = &x->links[load][i];

        if (l->store != between)
            solver_clause(x->solver, -same, -l->reads, -late,
                          -before(x, l->store, between));
    }
}

void terms_encode_atomic(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t load = 0; load < f->event_count; load++) {
        uint32_t store;

        if (f->events[load].kind != FLAT_LOAD ||
            !(f->events[load].flags & FLAT_RMW) ||
            !statement_splits(x, &f->events[load]))
            continue;
        store = flat_other_half(f, load);
        if (store == LSL_NONE || x->accesses[store].live == LIT_FALSE)
            continue;
        for (uint32_t i = 0; i < x->link_count[load]; i++) {
            uint32_t s = x->links[load][i].store;

            if (f->events[s].thread != f->events[load].thread)
                not_between(x, load, store, s);
        }
    }
}
