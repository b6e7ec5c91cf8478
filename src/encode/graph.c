/* SPDX-License-Identifier: MIT
 *
 * What a solution says about memory order, as a graph over nodes (units of the
 * encoding), fences, and the starts and ends of threads.  Its size is linear
 * in the test: per thread and kind of fence there is a chain,
 *
 *      W x   W y   ss    W z        x -> ss, y -> ss, ss -> z
 *
 * and a model's own rules are chains whose fences are everywhere.  DESIGN,
 * section 2, has the rules.
 *
 * Every node and edge knows the literals that make it so; a cycle becomes the
 * clause that not all of them hold.
 */
#include "encode/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* ---- Building ---- */

static uint32_t put_lit(struct graph *g, int lit)
{
    if (g->lit_count == g->lit_room) {
        g->lit_room = g->lit_room ? g->lit_room * 2 : 1024;
        g->lits = realloc(g->lits, g->lit_room * sizeof *g->lits);
        CHECK(g->lits);
    }
    g->lits[g->lit_count] = lit;
    return g->lit_count++;
}

static uint32_t new_vertex(struct graph *g, uint32_t thread, unsigned kind)
{
    if (g->count == g->room) {
        g->room = g->room ? g->room * 2 : 256;
        g->v = realloc(g->v, g->room * sizeof *g->v);
        CHECK(g->v);
    }
    g->v[g->count] = (struct vertex){.thread = thread,
                                     .node = NOBODY,
                                     .kind = (uint8_t)kind,
                                     .why = g->lit_count};
    return g->count++;
}

static void new_edge(struct graph *g, uint32_t from, uint32_t to, int why,
                     int more)
{
    if (from == NOBODY || from == to)
        return;
    if (g->edge_count == g->edge_room) {
        g->edge_room = g->edge_room ? g->edge_room * 2 : 1024;
        g->e = realloc(g->e, g->edge_room * sizeof *g->e);
        CHECK(g->e);
    }
    g->e[g->edge_count] = (struct edge){to, g->v[from].edges, {why, more}};
    g->v[from].edges = ++g->edge_count;
}

/* ---- Chains ---- */

/* Keeps what is of `from` before what is of `to`, where it has a fence. */
struct chain {
    uint8_t from, to;
    uint32_t last; /* fence */
    uint32_t *pending;
    uint32_t count, room;
};

static void chain_wait(struct chain *c, uint32_t vertex)
{
    if (c->count == c->room) {
        c->room = c->room ? c->room * 2 : 16;
        c->pending = realloc(c->pending, c->room * sizeof *c->pending);
        CHECK(c->pending);
    }
    c->pending[c->count++] = vertex;
}

static void chain_fence(struct graph *g, struct chain *c, uint32_t fence)
{
    g->v[fence].from = c->from;
    g->v[fence].to = c->to;
    new_edge(g, c->last, fence, 0, 0);
    for (uint32_t i = 0; i < c->count; i++)
        new_edge(g, c->pending[i], fence, 0, 0);
    c->count = 0;
    c->last = fence;
}

static void chain_pass(struct graph *g, struct chain *c, uint32_t vertex)
{
    if (g->v[vertex].kind & c->to)
        new_edge(g, c->last, vertex, 0, 0);
    if (g->v[vertex].kind & c->from)
        chain_wait(c, vertex);
}

enum {
    CHAIN_SS,
    CHAIN_SL,
    CHAIN_LL,
    CHAIN_LS,
    CHAIN_FULL,
    CHAIN_CREATE,
    CHAIN_JOIN,
    CHAINS
};

static const struct chain fences[CHAINS] = {
    [CHAIN_SS] = {.from = STORES, .to = STORES, .last = NOBODY},
    [CHAIN_SL] = {.from = STORES, .to = LOADS, .last = NOBODY},
    [CHAIN_LL] = {.from = LOADS | GHOST, .to = LOADS, .last = NOBODY},
    [CHAIN_LS] = {.from = LOADS | GHOST, .to = STORES, .last = NOBODY},
    [CHAIN_FULL] = {.from = ALL, .to = ALL, .last = NOBODY},
    [CHAIN_CREATE] = {.from = ALL, .to = ALL, .last = NOBODY},
    [CHAIN_JOIN] = {.from = ALL, .to = ALL, .last = NOBODY},
};

/* Rules that are there without a fence: what is of `from` is before what comes
 * later and is of `to`. */
struct rule {
    uint8_t from, to;
};

static const struct rule rules_sc[] = {{ALL, ALL}, {0, 0}};
static const struct rule rules_tso[] = {
    {LOADS | DRAINS | GHOST, ALL}, {STORES, STORES | DRAINS}, {0, 0}};
static const struct rule rules_pso[] = {{LOADS | DRAINS | GHOST, ALL}, {0, 0}};
static const struct rule rules_pslo[] = {
    {LOADS | DRAINS | GHOST, STORES | DRAINS | GHOST}, {0, 0}};
static const struct rule rules_relaxed[] = {{LOADS | GHOST, GHOST}, {0, 0}};

static const struct rule *rules_of(const struct encoding *x)
{
    const struct model *m = x->model;

    if (x->options.serial || !m->delays_stores)
        return rules_sc;
    if (m->loads_move_down)
        return rules_relaxed;
    if (m->reorders_loads)
        return rules_pslo;
    return m->reorders_stores ? rules_pso : rules_tso;
}

/* ---- One thread ---- */

/* What a thread did at an address so far. */
struct place {
    struct lsl_value at;
    uint32_t store;          /* last one */
    uint32_t load;           /* last one that later ones stay behind */
    int store_lit, load_lit; /* why they are there: the address */
    uint32_t first_load;     /* of `loads`, those since the last store */
};

struct walk {
    struct graph *g;
    uint32_t thread;
    struct chain chain[CHAINS];
    struct chain rule[4];
    struct place *places;
    uint32_t place_count, place_room;
    struct {
        uint32_t vertex, place;
        int lit;
    } *loads;
    uint32_t load_count, load_room;
};

static struct place *place_of(struct walk *w, struct lsl_value at)
{
    for (uint32_t i = 0; i < w->place_count; i++) {
        if (value_compare(w->places[i].at, at) == 0)
            return &w->places[i];
    }
    if (w->place_count == w->place_room) {
        w->place_room = w->place_room ? w->place_room * 2 : 32;
        w->places = realloc(w->places, w->place_room * sizeof *w->places);
        CHECK(w->places);
    }
    w->places[w->place_count] =
        (struct place){.at = at, .store = NOBODY, .load = NOBODY};
    return &w->places[w->place_count++];
}

static void remember_load(struct walk *w, uint32_t vertex, uint32_t place,
                          int lit)
{
    if (w->load_count == w->load_room) {
        w->load_room = w->load_room ? w->load_room * 2 : 32;
        w->loads = realloc(w->loads, w->load_room * sizeof *w->loads);
        CHECK(w->loads);
    }
    w->loads[w->load_count].vertex = vertex;
    w->loads[w->load_count].place = place;
    w->loads[w->load_count++].lit = lit;
}

static bool executed(struct encoding *x, uint32_t event)
{
    return solver_value(x->solver, x->accesses[event].live);
}

static bool writes(const struct flat_event *e)
{
    return e->kind == FLAT_STORE || e->kind == FLAT_FREE;
}

bool graph_loads_stay(const struct encoding *x, const struct flat_event *e)
{
    return !x->model->loads_move_down || (e->flags & FLAT_ATOMIC);
}

/* Edges between accesses of one thread at one address. */
static void same_address(struct walk *w, uint32_t vertex, uint32_t event)
{
    struct graph *g = w->g;
    const struct flat_event *e = &g->x->flat->events[event];
    struct lsl_value at = value_found(g->x, e->address);
    int lit = access_at(g->x, event, at);
    struct place *p = place_of(w, at);
    bool drains = (g->v[vertex].kind & DRAINS) != 0;
    uint32_t number = (uint32_t)(p - w->places);

    if (writes(e) || drains)
        new_edge(g, p->store, vertex, p->store_lit, lit);
    if (writes(e)) {
        for (uint32_t i = 0; i < w->load_count; i++) {
            if (w->loads[i].place == number)
                new_edge(g, w->loads[i].vertex, vertex, w->loads[i].lit, lit);
        }
        p->store = vertex;
        p->store_lit = lit;
    } else {
        if (graph_loads_stay(g->x, e)) {
            new_edge(g, p->load, vertex, p->load_lit, lit);
            p->load = vertex;
            p->load_lit = lit;
        }
        remember_load(w, vertex, number, lit);
    }
}

static const struct {
    unsigned bit, chain;
} kinds[] = {{FENCE_SS, CHAIN_SS},
             {FENCE_SL, CHAIN_SL},
             {FENCE_LL, CHAIN_LL},
             {FENCE_LS, CHAIN_LS},
             {FENCE_FULL, CHAIN_FULL}};

bool graph_fence_keeps(unsigned bits, unsigned a, unsigned b)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct chain *c = &fences[kinds[i].chain];

        if (bits & kinds[i].bit && a & c->from && b & c->to)
            return true;
    }
    return false;
}

static void add_fence(struct walk *w, unsigned bits, int why, int more)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t fence;

        if (!(bits & kinds[i].bit))
            continue;
        fence = new_vertex(w->g, w->thread, 0);
        put_lit(w->g, why);
        if (more)
            put_lit(w->g, more);
        put_lit(w->g, 0);
        chain_fence(w->g, &w->chain[kinds[i].chain], fence);
    }
}

/* ---- Nodes ---- */

/* Is it for order an RMW that loads and writes, even if it does one of the
 * two?  An access in an atomic block is. */
static bool is_whole_rmw(const struct flat_event *e)
{
    return e->construct >= C_RMW_RELAXED && e->construct <= C_RMW_SEQ_CST;
}

unsigned graph_rank(const struct encoding *x, const struct flat_event *e)
{
    unsigned rank = writes(e) ? STORES : LOADS;

    /* Behind loads, but no store keeps it waiting. */
    if (e->flags & FLAT_GHOST)
        return GHOST;
    if (!(e->flags & FLAT_RMW) || x->model->loads_move_down)
        return rank;
    return rank | DRAINS | (is_whole_rmw(e) ? STORES | LOADS : 0u);
}

/* The event whose construct speaks for the node: the store of an RMW if it is
 * executed, else its load; *why_not is then the store that is not. */
static uint32_t speaker(struct encoding *x, uint32_t node, int *why_not)
{
    uint32_t found = NOBODY;

    *why_not = 0;
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (executed(x, e)) {
            if (found == NOBODY || writes(&x->flat->events[e]))
                found = e;
        } else if (writes(&x->flat->events[e]) &&
                   x->accesses[e].live != LIT_FALSE) {
            *why_not = -x->accesses[e].live;
        }
    }
    return found;
}

static uint32_t node_vertex(struct walk *w, uint32_t node)
{
    struct encoding *x = w->g->x;
    uint32_t v = new_vertex(w->g, w->thread, 0);

    w->g->v[v].node = node;
    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];

        if (!executed(x, e))
            continue;
        w->g->v[v].kind |= (uint8_t)graph_rank(x, &x->flat->events[e]);
        if (x->accesses[e].live != LIT_TRUE)
            put_lit(w->g, x->accesses[e].live);
    }
    put_lit(w->g, 0);
    return v;
}

static void apply_rules(struct walk *w, uint32_t vertex)
{
    const struct rule *r = rules_of(w->g->x);

    for (size_t i = 0; r[i].from; i++) {
        struct chain *c = &w->rule[i];

        c->from = r[i].from;
        c->to = r[i].to;
        if (w->g->v[vertex].kind & c->to && c->count) {
            uint32_t fence = new_vertex(w->g, w->thread, 0);

            put_lit(w->g, 0);
            w->g->v[fence].always = true;
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

        if (executed(x, e) && x->flat->events[e].kind != FLAT_FREE)
            same_address(w, v, e);
    }
    add_fence(w, recipe->after, x->accesses[said].live, why_not);
    optional_fences(w, said);
}

int graph_fence_switch(const struct encoding *x, uint32_t site)
{
    for (size_t i = 0; i < x->options.fence_count; i++) {
        if (x->options.fences[i].present && x->options.fences[i].site == site)
            return x->fence_lits[i];
    }
    return 0;
}

unsigned graph_fence_kinds(const struct encoding *x, const struct flat_event *e)
{
    const struct model_recipe *recipe = &x->model->recipe[e->construct];

    return e->fences ? e->fences : recipe->before | recipe->after;
}

static void walk_fence(struct walk *w, uint32_t event)
{
    struct encoding *x = w->g->x;
    const struct flat_event *e = &x->flat->events[event];
    int on = graph_fence_switch(x, e->site);

    if (!on || solver_value(x->solver, on))
        add_fence(w, graph_fence_kinds(x, e), x->accesses[event].live, on);
}

/* As the machines have it (DESIGN, section 2): a create drains, but does not
 * cut the creator's histories; a join waits, but does not drain. */
static void set_milestone_chains(struct walk *w)
{
    const struct model *m = w->g->x->model;

    if (m->loads_move_down)
        return;
    if (m->reorders_loads)
        w->chain[CHAIN_CREATE].to = STORES | DRAINS | GHOST | MILESTONE;
    if (m->delays_stores)
        w->chain[CHAIN_JOIN].from = LOADS | DRAINS | GHOST | MILESTONE;
}

static uint32_t walk_meeting(struct walk *w, uint32_t event, unsigned chain)
{
    uint32_t v = new_vertex(w->g, w->thread, MILESTONE);

    put_lit(w->g, w->g->x->accesses[event].live);
    put_lit(w->g, 0);
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
    uint32_t v = g->count;

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
        if (executed(x, event))
            walk_fence(w, event);
        break;
    default:
        if (executed(x, event))
            walk_milestone(w, event);
    }
}

static void walk_thread(struct graph *g, uint32_t thread)
{
    const struct flat_thread *t = &g->x->flat->threads[thread];
    struct walk w = {.g = g, .thread = thread};

    memcpy(w.chain, fences, sizeof w.chain);
    set_milestone_chains(&w);
    for (int i = 0; i < 4; i++)
        w.rule[i].last = NOBODY;
    for (uint32_t i = 0; i < t->count; i++)
        walk_event(&w, t->first + i);
    for (int i = 0; i < CHAINS; i++)
        free(w.chain[i].pending);
    for (int i = 0; i < 4; i++)
        free(w.rule[i].pending);
    free(w.places);
    free(w.loads);
}

/* ---- Between threads ---- */

/* Do the two nodes meet at an address, one of them writing? */
static bool meet(struct encoding *x, uint32_t a, uint32_t b)
{
    const struct flat *f = x->flat;

    for (uint32_t i = x->node_first[a]; i < x->node_first[a + 1]; i++) {
        for (uint32_t k = x->node_first[b]; k < x->node_first[b + 1]; k++) {
            uint32_t p = x->node_events[i], q = x->node_events[k];
            struct lsl_value at, other;

            if ((!writes(&f->events[p]) && !writes(&f->events[q])) ||
                !executed(x, p) || !executed(x, q))
                continue;
            at = value_found(x, f->events[p].address);
            other = value_found(x, f->events[q].address);
            if (f->events[p].kind == FLAT_FREE ||
                f->events[q].kind == FLAT_FREE)
                at.bits = other.bits = 0;
            if (at.kind == LSL_POINTER && value_compare(at, other) == 0)
                return true;
        }
    }
    return false;
}

static void add_pairs(struct graph *g)
{
    struct encoding *x = g->x;

    for (size_t i = 0; i < x->pair_count; i++) {
        uint32_t a = x->pairs[i].x, b = x->pairs[i].y;
        int lit = x->order[(size_t)a * x->node_count + b];
        uint32_t p = g->of_node[a], q = g->of_node[b];

        if (p == NOBODY || q == NOBODY ||
            (!x->pairs[i].always && !meet(x, a, b)))
            continue;
        if (solver_value(x->solver, lit))
            new_edge(g, p, q, lit, 0);
        else
            new_edge(g, q, p, -lit, 0);
    }
}

static void add_milestones(struct graph *g)
{
    for (uint32_t t = 0; t < g->x->flat->thread_count; t++) {
        const struct milestones *m = &g->milestones[t];

        if (m->start != NOBODY)
            new_edge(g, m->create, m->start, 0, 0);
        if (m->join != NOBODY)
            new_edge(g, m->exit, m->join, 0, 0);
    }
}

struct graph *graph_new(struct encoding *x)
{
    struct graph *g = calloc(1, sizeof *g);
    uint32_t threads = x->flat->thread_count;

    CHECK(g);
    g->x = x;
    g->of_node = malloc((x->node_count + 1) * sizeof *g->of_node);
    g->milestones = malloc((threads + 1) * sizeof *g->milestones);
    CHECK(g->of_node && g->milestones);
    memset(g->of_node, 0xff, (x->node_count + 1) * sizeof *g->of_node);
    memset(g->milestones, 0xff, (threads + 1) * sizeof *g->milestones);
    for (uint32_t t = 0; t < threads; t++)
        walk_thread(g, t);
    add_milestones(g);
    add_pairs(g);
    return g;
}

void graph_free(struct graph *g)
{
    free(g->v);
    free(g->e);
    free(g->lits);
    free(g->of_node);
    free(g->milestones);
    free(g);
}

/* ---- Without a solution ---- */

static unsigned full_rank(const struct encoding *x, uint32_t node)
{
    unsigned rank = 0;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++)
        rank |= graph_rank(x, &x->flat->events[x->node_events[i]]);
    return rank;
}

bool graph_rule(const struct encoding *x, unsigned a, unsigned b)
{
    for (const struct rule *r = rules_of(x); r->from; r++) {
        if (a & r->from && b & r->to)
            return true;
    }
    return false;
}

bool graph_keeps(const struct encoding *x, uint32_t a, uint32_t b)
{
    return graph_rule(x, full_rank(x, a), full_rank(x, b));
}

int graph_live(struct encoding *x, uint32_t node)
{
    int live = LIT_TRUE;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++)
        live = solver_and(x->solver, live, x->accesses[x->node_events[i]].live);
    return live;
}
