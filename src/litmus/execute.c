/* SPDX-License-Identifier: MIT
 *
 * Enumerates executions.  What makes it fast:
 *
 * - ppo speaks of one thread only, so it is computed once for each trace.
 * - Coherence and atomicity speak of one cell only.  So for each cell all
 *   choices of co and rf that satisfy both are listed; an execution is one
 *   choice for each cell.
 * - The order of the model grows cell by cell, and the first cycle ends it.
 */
#include "litmus/execute.h"

#include <string.h>

#include "base/seconds.h"
#include "litmus/execute_inside.h"

/* ---- what a trace needs and gives ---- */

static size_t pair_of(const struct search *s, int cell, int64_t value)
{
    const struct cell *c = &s->u->cells.list[cell];

    for (size_t i = 0; i < c->domain.count; i++)
        if (c->domain.list[i] == value)
            return s->pair_base[cell] + i;
    return PAIRS_MAX; /* stored, and no load can know it */
}

static void add_pair(struct pairs *p, size_t pair)
{
    if (pair < PAIRS_MAX)
        p->words[pair / 64] |= search_bit(pair % 64);
}

static bool within(const struct pairs *small, const struct pairs *large)
{
    for (size_t i = 0; i < PAIRS_MAX / 64; i++)
        if (small->words[i] & ~large->words[i])
            return false;
    return true;
}

static void join_pairs(struct pairs *to, const struct pairs *from)
{
    for (size_t i = 0; i < PAIRS_MAX / 64; i++)
        to->words[i] |= from->words[i];
}

static void find_pairs(struct search *s, size_t thread)
{
    const struct traces *all = &s->u->traces[thread];

    s->needs[thread] =
        arena_array(s->u->arena, all->count + 1, sizeof(struct pairs));
    s->gives[thread] =
        arena_array(s->u->arena, all->count + 1, sizeof(struct pairs));
    for (size_t i = 0; i < all->count; i++) {
        for (size_t j = 0; j < all->list[i].count; j++) {
            const struct litmus_event *e = &all->list[i].events[j];

            if (e->marks & MARK_R)
                add_pair(&s->needs[thread][i], pair_of(s, e->cell, e->value));
            if (e->marks & MARK_W)
                add_pair(&s->gives[thread][i], pair_of(s, e->cell, e->value));
        }
        join_pairs(&s->offers[thread], &s->gives[thread][i]);
    }
}

static bool number_pairs(struct search *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->cell_count; i++) {
        s->pair_base[i] = count;
        count += s->u->cells.list[i].domain.count;
    }
    if (count > PAIRS_MAX) {
        s->u->why = "too many values";
        return false;
    }
    for (size_t i = s->thread_count; i-- > 0;) {
        s->offers[i] = s->offers[i + 1];
        find_pairs(s, i);
    }
    return true;
}

/* ---- one choice for each cell ---- */

static void tell_execution(struct search *s)
{
    struct litmus_outcome o = {.memory = s->memory};

    for (size_t i = 0; i < s->thread_count; i++)
        o.registers[i] = s->traces[i]->registers;
    if (s->axioms->axiom_count) {
        search_fill_communication(s);
        if (!evaluate_axioms(s->axioms, &s->frame, s->lets))
            return;
        o.race = !evaluate_none(s->axioms, &s->frame, s->lets, "race");
    }
    for (size_t i = 0; i < s->cell_count; i++)
        s->memory[i] =
            search_value(s, s->chosen[i]->co[s->choices[i].store_count - 1]);
    s->found(s->arg, &o);
}

/* Adds an edge to a closed order; false: it would be a cycle. */
static bool extend(struct rows *order, size_t count, struct edge e)
{
    uint64_t beyond = order->row[e.to] | search_bit(e.to);

    if (beyond & search_bit(e.from))
        return false;
    if (order->row[e.from] & search_bit(e.to))
        return true;
    for (size_t i = 0; i < count; i++)
        if (i == e.from || order->row[i] & search_bit(e.from))
            order->row[i] |= beyond;
    return true;
}

/* Looks at the clock now and then. */
static bool time_is_up(struct search *s)
{
    if (s->u->until > 0 && (s->steps++ & 1023) == 0 &&
        seconds_passed() > s->u->until)
        s->u->why = "the time was up";
    return s->u->why != NULL;
}

static void choose_cells(struct search *s, size_t cell,
                         const struct rows *order)
{
    const struct choices *c = &s->choices[cell];

    if (time_is_up(s))
        return;
    if (cell == s->cell_count) {
        tell_execution(s);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct choice *x = &c->list[i];
        struct rows next;
        bool ok = true;

        memcpy(&next, order, s->count * sizeof(uint64_t));
        for (size_t j = 0; ok && j < x->edge_count; j++)
            ok = extend(&next, s->count, c->edges.list[x->first_edge + j]);
        s->chosen[cell] = x;
        if (ok)
            choose_cells(s, cell + 1, &next);
    }
}

/* ---- one trace for each thread ---- */

static void place_initial(struct search *s)
{
    for (size_t i = 0; i < s->cell_count; i++) {
        s->events[i] = NULL;
        s->thread[i] = INITIAL;
        s->cell[i] = s->node[i] = s->partner[i] = (uint8_t)i;
    }
    s->count = s->cell_count;
}

static bool place_thread(struct search *s, size_t thread)
{
    const struct trace *t = s->traces[thread];
    size_t offset = s->count;

    if (offset + t->count > EVENTS_MAX) {
        s->u->why = "more events than can be judged";
        return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct litmus_event *e = &t->events[i];
        size_t at = offset + i;
        size_t half = e->rmw < 0 ? at : offset + (size_t)e->rmw;
        bool one = s->axioms->source->merge && !e->pair;

        s->events[at] = e;
        s->thread[at] = (uint8_t)thread;
        s->cell[at] = (uint8_t)e->cell;
        s->partner[at] = (uint8_t)half;
        s->node[at] = (uint8_t)(one ? half : at);
        s->ppo.row[at] = t->ppo[i] << offset;
    }
    s->count += t->count;
    return true;
}

static void execute_traces(struct search *s)
{
    place_initial(s);
    memset(&s->ppo, 0, sizeof(s->ppo));
    for (size_t i = 0; i < s->thread_count; i++)
        if (!place_thread(s, i))
            return;
    for (size_t i = 0; i < s->cell_count; i++)
        if (!search_list_choices(s, i))
            return;
    if (s->axioms->axiom_count)
        search_fill_frame(s);
    choose_cells(s, 0, &s->ppo);
}

/* Threads before this one have their traces; what they need is given by them,
 * or may be given by those that follow. */
static void choose_traces(struct search *s, size_t thread,
                          const struct pairs *needed, const struct pairs *given)
{
    const struct traces *all = &s->u->traces[thread];

    if (thread == s->thread_count) {
        execute_traces(s);
        return;
    }
    for (size_t i = 0; i < all->count && !time_is_up(s); i++) {
        struct pairs need = *needed, give = *given, may;

        join_pairs(&need, &s->needs[thread][i]);
        join_pairs(&give, &s->gives[thread][i]);
        may = give;
        join_pairs(&may, &s->offers[thread + 1]);
        if (!within(&need, &may))
            continue;
        s->traces[thread] = &all->list[i];
        choose_traces(s, thread + 1, &need, &give);
    }
}

static void free_search(struct search *s)
{
    for (size_t i = 0; i < 64; i++) {
        VEC_FREE(&s->choices[i]);
        VEC_FREE(&s->choices[i].edges);
    }
    free(s);
}

bool execute_all(struct unfold *u, const struct axioms *x,
                 found_execution *found, void *arg)
{
    struct search *s = calloc(1, sizeof(*s));
    struct pairs none = {{0}}, initial = {{0}};

    CHECK(s);
    s->u = u;
    s->axioms = x;
    s->found = found;
    s->arg = arg;
    s->thread_count = u->test->thread_count;
    s->cell_count = u->cells.count;
    if (number_pairs(s)) {
        for (size_t i = 0; i < s->thread_count; i++)
            for (size_t j = 0; j < u->traces[i].count; j++)
                search_find_ppo(s, &u->traces[i].list[j]);
        for (size_t i = 0; i < s->cell_count; i++)
            add_pair(&initial, s->pair_base[i]); /* the domain's first */
        choose_traces(s, 0, &none, &initial);
    }
    free_search(s);
    return !u->why;
}
