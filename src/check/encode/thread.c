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
    uint32_t store; /* last one */
    uint32_t load;  /* last one that later ones stay after */
    uint32_t firm;  /* likewise, later ones in parts */
    uint32_t firm_event;
    int store_lit, load_lit; /* why they are there: the address */
    int firm_lit;
};

/* What later loads stay after.  Of a load in parts, only what it has seen: it
 * is as old as each part that it returned, and not as the moment at which it
 * looked at all of them.  To those in parts a CAS that fails is no older. */
enum stays { NOT_AT_ALL, AS_SEEN, AS_SEEN_BY_PARTS, ALWAYS };

struct own_load {
    uint32_t vertex, place, event;
    int lit;
    enum stays stays;
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
    VEC_PUSH(&w->places,
             {.at = at, .store = NOBODY, .load = NOBODY, .firm = NOBODY});
    return (uint32_t)w->places.count - 1;
}

static enum stays stays_of(struct encoding *x, uint32_t event)
{
    const struct flat_event *e = &x->flat->events[event];
    uint32_t other = flat_other_half(x->flat, event);
    bool looks = !(e->flags & FLAT_RMW) ||
                 (!(e->flags & FLAT_BLOCK) &&
                  (other == LSL_NONE || !graph_executed(x, other)));

    if (!graph_loads_stay(x, e))
        return NOT_AT_ALL;
    if (!looks || (!e->parts && !(e->flags & FLAT_RMW)))
        return ALWAYS;
    return e->parts ? AS_SEEN : AS_SEEN_BY_PARTS;
}

/* What a load reads: an event, or NOBODY: the initial value. */
struct source {
    uint32_t store;
    int lit;
};

static struct source source_of(struct encoding *x, uint32_t load)
{
    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        const struct link *l = &x->links[load][i];

        if (solver_value(x->solver, l->reads))
            return (struct source){l->store, l->reads};
    }
    return (struct source){NOBODY, x->initial[load]};
}

static bool is_own(const struct encoding *x, struct source s, uint32_t load)
{
    return s.store != NOBODY &&
           x->flat->events[s.store].thread == x->flat->events[load].thread;
}

/* Does the load get that part from a store of its thread which may wait in the
 * buffer, and which the other load is before, or has found there, too?  Then it
 * need not have looked at memory for it, and if it has, torn.c says so. */
static bool hides(const struct encoding *x, struct source s, uint32_t load,
                  uint32_t other, struct source of_other)
{
    const struct flat_event *events = x->flat->events;

    return events[load].parts && is_own(x, s, load) &&
           !(events[s.store].flags & (FLAT_RMW | FLAT_GHOST)) &&
           (other < s.store ||
            (of_other.store == s.store && !(events[other].flags & FLAT_RMW)));
}

/* What the other load has seen, the later one sees. */
static void sees_too(struct walk *w, uint32_t vertex, struct source s, int lit,
                     const struct own_load *other)
{
    struct graph *g = w->g;
    struct source seen = source_of(g->x, other->event);

    if (seen.store != NOBODY && !is_own(g->x, seen, other->event))
        VEC_PUSH(&g->seen,
                 {seen.store, vertex, {seen.lit, other->lit, lit, s.lit}});
}

/* A load after others of its place. */
static void after_loads(struct walk *w, uint32_t vertex, uint32_t event,
                        uint32_t number, int lit)
{
    struct graph *g = w->g;
    const struct place *p = &w->places.list[number];
    bool in_parts = g->x->flat->events[event].parts != 0;
    struct source s = {NOBODY, 0};

    if (in_parts)
        s = source_of(g->x, event);
    if (!in_parts) {
        graph_new_edge(g, p->load, vertex, p->load_lit, lit);
    } else if (p->firm != NOBODY && p->firm != vertex) {
        struct source firm = source_of(g->x, p->firm_event);

        if (!hides(g->x, s, event, p->firm_event, firm)) {
            graph_new_edge(g, p->firm, vertex, p->firm_lit, lit);
            VEC_LAST(&g->e).why[2] = s.lit;
            VEC_LAST(&g->e).why[3] = firm.lit;
        }
    }
    for (size_t i = 0; i < w->loads.count; i++) {
        const struct own_load *l = &w->loads.list[i];

        if (l->place == number && l->vertex != vertex &&
            (l->stays == AS_SEEN ||
             (l->stays == AS_SEEN_BY_PARTS && in_parts)) &&
            !hides(g->x, s, event, l->event, source_of(g->x, l->event)))
            sees_too(w, vertex, s, lit, l);
    }
}

static void note_load(struct walk *w, uint32_t vertex, uint32_t event,
                      uint32_t number, int lit)
{
    struct place *p = &w->places.list[number];
    enum stays stays = stays_of(w->g->x, event);

    if (stays != NOT_AT_ALL)
        after_loads(w, vertex, event, number, lit);
    if (stays >= AS_SEEN_BY_PARTS) {
        p->load = vertex;
        p->load_lit = lit;
    }
    if (stays == ALWAYS) {
        p->firm = vertex;
        p->firm_event = event;
        p->firm_lit = lit;
    }
    VEC_PUSH(&w->loads, {vertex, number, event, lit, stays});
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
        note_load(w, vertex, event, number, lit);
    }
}

/* ---- Torn loads ---- */

/* Had the thread done it when a later load had its turn? */
static bool is_done(const struct graph *g, uint32_t vertex)
{
    const struct vertex *v = &g->v.list[vertex];

    if (v->kind & (LOADS | DRAINS | GHOST | MILESTONE))
        return true;
    return v->node != NOBODY &&
           g->x->flat->events[g->x->node_events[g->x->node_first[v->node]]]
                   .kind == FLAT_FREE;
}

static void torn_edges(struct walk *w, uint32_t vertex, uint32_t node)
{
    struct graph *g = w->g;
    struct encoding *x = g->x;

    for (size_t i = 0; i < x->torn.count; i++) {
        const struct torn *t = &x->torn.list[i];
        uint32_t store = g->of_node[t->store];

        if (t->load != node || store == NOBODY)
            continue;
        if (solver_value(x->solver, t->in_memory))
            graph_new_edge(g, store, vertex, t->in_memory, 0);
        if (!solver_value(x->solver, t->waits))
            continue;
        for (uint32_t v = store + 1; v < vertex; v++) {
            if (is_done(g, v))
                graph_new_edge(g, v, store, t->waits, 0);
        }
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
    torn_edges(w, v, node);
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
