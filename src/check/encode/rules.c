/* SPDX-License-Identifier: MIT
 *
 * What the model and its fences keep in order, as tables over what an access
 * is: a load, a store, an RMW, a ghost.  The model's own table is made by
 * asking the model: may a load overtake a store?
 */
#include "base/check.h"
#include "encode/encode_graph.h"

bool graph_writes(const struct flat_event *e)
{
    return e->kind == FLAT_STORE || e->kind == FLAT_FREE;
}

bool graph_loads_stay(const struct encoding *x, const struct flat_event *e)
{
    return !x->model->loads_move_down || (e->flags & FLAT_ATOMIC);
}

/* ---- Fences ---- */

/* What a fence of each kind keeps apart. */
const struct rank_fence graph_fences[RANK_FENCES] = {
    {FENCE_SS, STORES, STORES},       {FENCE_SL, STORES, LOADS},
    {FENCE_LL, LOADS | GHOST, LOADS}, {FENCE_LS, LOADS | GHOST, STORES},
    {FENCE_FULL, ALL, ALL},
};

bool graph_fence_keeps(unsigned bits, unsigned a, unsigned b)
{
    for (size_t i = 0; i < RANK_FENCES; i++) {
        const struct rank_fence *f = &graph_fences[i];

        if (bits & f->bit && a & f->from && b & f->to)
            return true;
    }
    return false;
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

/* ---- Rules ---- */

/* The model is asked about an access of each rank. */
static const struct {
    uint8_t rank;
    struct event event;
} ranks[] = {{LOADS, {.kind = EV_LOAD}},
             {STORES, {.kind = EV_STORE}},
             {DRAINS, {.kind = EV_RMW}}};

enum { RANKS = sizeof ranks / sizeof *ranks };

/* What stays after such an access without a fence.  Models know no ghosts: a
 * ghost stays after whatever loads, and no store keeps it waiting. */
static unsigned kept_after(const struct model *m, const struct event *first)
{
    unsigned kept = event_reads(first) ? GHOST : 0;

    for (size_t i = 0; i < RANKS; i++) {
        if (!model_may_overtake(m, first, &ranks[i].event, 0))
            kept |= ranks[i].rank;
    }
    return kept;
}

/* One rule for all ranks that keep the same after them. */
static void add_rule(struct rule *rules, unsigned from, unsigned to)
{
    struct rule *r = rules;

    while (r->from && r->to != to)
        r++;
    CHECK(r < rules + RULES_MAX);
    *r = (struct rule){(uint8_t)(r->from | from), (uint8_t)to};
}

void graph_find_rules(struct encoding *x)
{
    if (keeps_program_order(x)) {
        add_rule(x->rules, ALL, ALL);
        return;
    }
    for (size_t i = 0; i < RANKS; i++) {
        unsigned from = ranks[i].rank | (ranks[i].rank == LOADS ? GHOST : 0u);
        unsigned to = kept_after(x->model, &ranks[i].event);

        if (to)
            add_rule(x->rules, from, to);
    }
}

/* Is it for order an RMW that loads and writes, even if it does one of the
 * two?  An access in an atomic block is. */
static bool is_whole_rmw(const struct flat_event *e)
{
    return e->construct >= C_RMW_RELAXED && e->construct <= C_RMW_SEQ_CST;
}

unsigned graph_rank(const struct encoding *x, const struct flat_event *e)
{
    unsigned rank = graph_writes(e) ? STORES : LOADS;

    /* After loads, but no store keeps it waiting. */
    if (e->flags & FLAT_GHOST)
        return GHOST;
    if (!(e->flags & FLAT_RMW) || x->model->loads_move_down)
        return rank;
    return rank | DRAINS | (is_whole_rmw(e) ? STORES | LOADS : 0u);
}

/* ---- Without a solution ---- */

static unsigned full_rank(const struct encoding *x, uint32_t node)
{
    unsigned rank = 0;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++)
        rank |= graph_rank(x, &x->flat->events[x->node_events[i]]);
    return rank;
}

bool graph_rule_keeps(const struct encoding *x, unsigned a, unsigned b)
{
    for (const struct rule *r = x->rules; r->from; r++) {
        if (a & r->from && b & r->to)
            return true;
    }
    return false;
}

bool graph_keeps(const struct encoding *x, uint32_t a, uint32_t b)
{
    return graph_rule_keeps(x, full_rank(x, a), full_rank(x, b));
}

int graph_live(struct encoding *x, uint32_t node)
{
    int live = LIT_TRUE;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++)
        live = solver_and(x->solver, live, x->accesses[x->node_events[i]].live);
    return live;
}
