/* SPDX-License-Identifier: MIT
 *
 * One thread of a solution: what it executed, in program order, becomes
 * vertices; chains of fences and of the model's rules become edges, and so do
 * accesses at one address.
 */
#include "encode/encode_graph.h"

/* ---- Chains ---- */

/* Keeps what is of `from` before what is of `to`, where it has a fence. */
struct chain {
    uint8_t from, to;
    uint32_t last; /* fence */
    VEC(uint32_t) pending;
};

static void chain_fence(struct graph *g, struct chain *c, uint32_t fence)
{
    g->v.list[fence].from = c->from;
    g->v.list[fence].to = c->to;
    graph_new_edge(g, c->last, fence, 0, 0);
    for (size_t i = 0; i < c->pending.count; i++)
        graph_new_edge(g, c->pending.list[i], fence, 0, 0);
    VEC_CLEAR(&c->pending);
    c->last = fence;
}

static void chain_pass(struct graph *g, struct chain *c, uint32_t vertex)
{
    if (g->v.list[vertex].kind & c->to)
        graph_new_edge(g, c->last, vertex, 0, 0);
    if (g->v.list[vertex].kind & c->from)
        VEC_PUSH(&c->pending, vertex);
}

/* One for each kind of fence, then: */
enum { CHAIN_FULL = RANK_FENCES - 1, CHAIN_CREATE, CHAIN_JOIN, CHAINS };

/* ---- One thread ---- */

/* What a thread did at an address so far. */
struct place {
    struct lsl_value at;
    uint32_t store;          /* last one */
    uint32_t load;           /* last one that later ones stay after */
    int store_lit, load_lit; /* why they are there: the address */
};

struct own_load {
    uint32_t vertex, place;
    int lit;
};

struct walk {
    struct graph *g;
    uint32_t thread;
    struct chain chain[CHAINS];
    struct chain rule[RULES_MAX];
    VEC(struct place) places;
    VEC(struct own_load) loads;
};

static uint32_t place_of(struct walk *w, struct lsl_value at)
{
    for (uint32_t i = 0; i < w->places.count; i++) {
        if (value_compare(w->places.list[i].at, at) == 0)
            return i;
    }
    VEC_PUSH(&w->places, {.at = at, .store = NOBODY, .load = NOBODY});
    return (uint32_t)w->places.count - 1;
}

/* Edges between accesses of one thread at one address. */
static void same_address(struct walk *w, uint32_t vertex, uint32_t event)
{
    struct graph *g = w->g;
    const struct flat_event *e = &g->x->flat->events[event];
    struct lsl_value at = value_found(g->x, e->address);
    int lit = access_at(g->x, event, at);
    uint32_t number = place_of(w, at);
    struct place *p = &w->places.list[number];
    bool drains = (g->v.list[vertex].kind & DRAINS) != 0;

    if (graph_writes(e) || drains)
        graph_new_edge(g, p->store, vertex, p->store_lit, lit);
    if (graph_writes(e)) {
        for (size_t i = 0; i < w->loads.count; i++) {
            const struct own_load *l = &w->loads.list[i];

            if (l->place == number)
                graph_new_edge(g, l->vertex, vertex, l->lit, lit);
        }
        p->store = vertex;
        p->store_lit = lit;
    } else {
        if (graph_loads_stay(g->x, e)) {
            graph_new_edge(g, p->load, vertex, p->load_lit, lit);
            p->load = vertex;
            p->load_lit = lit;
        }
        VEC_PUSH(&w->loads, {vertex, number, lit});
    }
}

static void add_fence(struct walk *w, unsigned bits, int why, int more)
{
    for (size_t i = 0; i < RANK_FENCES; i++) {
        uint32_t fence;

        if (!(bits & graph_fences[i].bit))
            continue;
        fence = graph_new_vertex(w->g, w->thread, 0);
        graph_put_lit(w->g, why);
        if (more)
            graph_put_lit(w->g, more);
        graph_put_lit(w->g, 0);
        chain_fence(w->g, &w->chain[i], fence);
    }
}

/* ---- Nodes ---- */

/* The event whose construct speaks for the node: the store of an RMW if it is
 * executed, else its load; *why_not is then the store that is not. */
static uint32_t speaker(struct encoding *x, uint32_t node, int *why_not)
{
    uint32_t found = NOBODY;

    *why_not = 0;
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (graph_executed(x, e)) {
            if (found == NOBODY || graph_writes(&x->flat->events[e]))
                found = e;
        } else if (graph_writes(&x->flat->events[e]) &&
                   x->accesses[e].live != LIT_FALSE) {
            *why_not = -x->accesses[e].live;
        }
    }
    return found;
}

static uint32_t node_vertex(struct walk *w, uint32_t node)
{
    struct encoding *x = w->g->x;
    uint32_t v = graph_new_vertex(w->g, w->thread, 0);

    w->g->v.list[v].node = node;
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (!graph_executed(x, e))
            continue;
        w->g->v.list[v].kind |= (uint8_t)graph_rank(x, &x->flat->events[e]);
        if (x->accesses[e].live != LIT_TRUE)
            graph_put_lit(w->g, x->accesses[e].live);
    }
    graph_put_lit(w->g, 0);
    return v;
}

static void apply_rules(struct walk *w, uint32_t vertex)
{
    const struct rule *r = w->g->x->rules;

    for (size_t i = 0; r[i].from; i++) {
        struct chain *c = &w->rule[i];

        c->from = r[i].from;
        c->to = r[i].to;
        if (w->g->v.list[vertex].kind & c->to && c->pending.count) {
            uint32_t fence = graph_new_vertex(w->g, w->thread, 0);

            graph_put_lit(w->g, 0);
            chain_fence(w->g, c, fence);
        }
        chain_pass(w->g, c, vertex);
    }
}

/* Fences that are only tried. */
static void optional_fences(struct walk *w, uint32_t event)
{
    struct encoding *x = w->g->x;

    for (size_t i = 0; i < x->options.fence_count; i++) {
        const struct encode_fence *f = &x->options.fences[i];

        if (!f->present && f->site == x->flat->events[event].site &&
            solver_value(x->solver, x->fence_lits[i]))
            add_fence(w, f->kind, x->accesses[event].live, x->fence_lits[i]);
    }
}

static void walk_node(struct walk *w, uint32_t node)
{
    struct encoding *x = w->g->x;
    int why_not;
    uint32_t said = speaker(x, node, &why_not);
    const struct model_recipe *recipe;
    uint32_t v;

    if (said == NOBODY)
        return;
    recipe = &x->model->recipe[x->flat->events[said].construct];
    add_fence(w, recipe->before, x->accesses[said].live, why_not);
    v = node_vertex(w, node);
    w->g->of_node[node] = v;
    for (int i = 0; i < CHAINS; i++)
        chain_pass(w->g, &w->chain[i], v);
    apply_rules(w, v);
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (graph_executed(x, e) && x->flat->events[e].kind != FLAT_FREE)
            same_address(w, v, e);
    }
    add_fence(w, recipe->after, x->accesses[said].live, why_not);
    optional_fences(w, said);
}

static void walk_fence(struct walk *w, uint32_t event)
{
    struct encoding *x = w->g->x;
    const struct flat_event *e = &x->flat->events[event];
    int on = graph_fence_switch(x, e->site);

    if (!on || solver_value(x->solver, on))
        add_fence(w, graph_fence_kinds(x, e), x->accesses[event].live, on);
}

/* As the machines have it (docs/models.md): a create drains, but does not
 * cut the creator's histories; a join waits, but does not drain. */
static void set_milestone_chains(struct walk *w)
{
    const struct model *m = w->g->x->model;

    w->chain[CHAIN_CREATE] = w->chain[CHAIN_JOIN] = w->chain[CHAIN_FULL];
    if (m->loads_move_down)
        return;
    if (m->reorders_loads)
        w->chain[CHAIN_CREATE].to = STORES | DRAINS | GHOST | MILESTONE;
    if (m->delays_stores)
        w->chain[CHAIN_JOIN].from = LOADS | DRAINS | GHOST | MILESTONE;
}

static uint32_t walk_meeting(struct walk *w, uint32_t event, unsigned chain)
{
    uint32_t v = graph_new_vertex(w->g, w->thread, MILESTONE);

    graph_put_lit(w->g, w->g->x->accesses[event].live);
    graph_put_lit(w->g, 0);
    for (unsigned i = 0; i < CHAINS; i++) {
        if (i != chain)
            chain_pass(w->g, &w->chain[i], v);
    }
    apply_rules(w, v);
    chain_fence(w->g, &w->chain[chain], v);
    return v;
}

/* The start and the end of a thread are full fences that others see. */
static void walk_milestone(struct walk *w, uint32_t event)
{
    struct graph *g = w->g;
    const struct flat_event *e = &g->x->flat->events[event];
    uint32_t v = (uint32_t)g->v.count;

    if (e->kind == FLAT_CREATE) {
        g->milestones[e->other].create = walk_meeting(w, event, CHAIN_CREATE);
    } else if (e->kind == FLAT_JOIN) {
        g->milestones[e->other].join = walk_meeting(w, event, CHAIN_JOIN);
    } else {
        add_fence(w, FENCE_FULL, g->x->accesses[event].live, 0);
        if (e->kind == FLAT_START)
            g->milestones[e->thread].start = v;
        else
            g->milestones[e->thread].exit = v;
    }
}

static void walk_event(struct walk *w, uint32_t event)
{
    struct encoding *x = w->g->x;
    const struct flat_event *e = &x->flat->events[event];

    switch ((enum flat_kind)e->kind) {
    case FLAT_LOAD:
    case FLAT_STORE:
    case FLAT_FREE: {
        uint32_t node = x->accesses[event].node;

        if (x->node_events[x->node_first[node]] == event)
            walk_node(w, node);
        break;
    }
    case FLAT_FENCE:
        if (graph_executed(x, event))
            walk_fence(w, event);
        break;
    default:
        if (graph_executed(x, event))
            walk_milestone(w, event);
    }
}

void graph_walk_thread(struct graph *g, uint32_t thread)
{
    const struct flat_thread *t = &g->x->flat->threads[thread];
    struct walk w = {.g = g, .thread = thread};

    for (int i = 0; i < RANK_FENCES; i++)
        w.chain[i] = (struct chain){.from = graph_fences[i].from,
                                    .to = graph_fences[i].to,
                                    .last = NOBODY};
    set_milestone_chains(&w);
    for (int i = 0; i < RULES_MAX; i++)
        w.rule[i].last = NOBODY;
    for (uint32_t i = 0; i < t->count; i++)
        walk_event(&w, t->first + i);
    for (int i = 0; i < CHAINS; i++)
        VEC_FREE(&w.chain[i].pending);
    for (int i = 0; i < RULES_MAX; i++)
        VEC_FREE(&w.rule[i].pending);
    VEC_FREE(&w.places);
    VEC_FREE(&w.loads);
}
