/* SPDX-License-Identifier: MIT
 *
 * What co and rf may be at one cell.
 *
 * Coherence, without a search for cycles: number the stores of a cell in the
 * order of co.  Along po a store's number exceeds all before it, and the number
 * of a load's source is not below any before it.
 */
#include "litmus/execute_inside.h"

static void add_edge(const struct search *s, struct choices *c, size_t from,
                     size_t to)
{
    struct edge e = {s->node[from], s->node[to]};

    if (search_ext(s, from, to) && s->thread[from] != INITIAL)
        VEC_PUSH(&c->edges, e);
}

static void add_edges(const struct search *s, struct choices *c)
{
    unsigned kinds = s->axioms->source->edges;

    for (size_t i = 0; i < c->store_count; i++) {
        size_t w = c->stores[i];

        for (size_t j = 0; kinds & EDGE_COE && j < c->store_count; j++)
            if (s->position[w] < s->position[c->stores[j]])
                add_edge(s, c, w, c->stores[j]);
        for (size_t j = 0; j < c->load_count; j++) {
            size_t r = c->loads[j];

            if (kinds & EDGE_RFE && s->source[r] == w)
                add_edge(s, c, w, r);
            if (kinds & EDGE_FRE && s->position[s->source[r]] < s->position[w])
                add_edge(s, c, r, w);
        }
    }
}

/* Nothing comes between the load and the store of an RMW: of one instruction
 * no store, of a pair none of another thread. */
static bool atomic(const struct search *s, const struct choices *c)
{
    for (size_t i = 0; i < c->store_count; i++) {
        size_t w = c->stores[i], r = s->partner[w];

        if (r == w)
            continue;
        for (size_t j = 0; j < c->store_count; j++) {
            size_t x = c->stores[j];
            bool between = s->position[s->source[r]] < s->position[x] &&
                           s->position[x] < s->position[w];

            if (between && (!s->events[w]->pair || search_ext(s, x, w)))
                return false;
        }
    }
    return true;
}

static void keep_choice(struct search *s, struct choices *c)
{
    struct choice x = {.first_edge = c->edges.count};

    if (!atomic(s, c))
        return;
    for (size_t i = 0; i < c->store_count; i++)
        x.co[s->position[c->stores[i]]] = c->stores[i];
    for (size_t i = 0; i < c->load_count; i++)
        x.source[i] = s->source[c->loads[i]];
    add_edges(s, c);
    x.edge_count = c->edges.count - x.first_edge;
    VEC_PUSH(c, x);
}

/* From event i of the cell on, with number `at' reached in its thread. */
static void choose_sources(struct search *s, struct choices *c, size_t i,
                           unsigned at)
{
    size_t e;

    if (i == c->event_count) {
        keep_choice(s, c);
        return;
    }
    e = c->events[i];
    if (i > 0 && s->thread[c->events[i - 1]] != s->thread[e])
        at = 0;
    if (s->events[e]->marks & MARK_W) {
        if (s->position[e] > at)
            choose_sources(s, c, i + 1, s->position[e]);
        return;
    }
    for (size_t j = 0; j < c->store_count; j++) {
        size_t w = c->stores[j];

        if (s->position[w] < at || search_value(s, w) != search_value(s, e))
            continue;
        s->source[e] = (uint8_t)w;
        choose_sources(s, c, i + 1, s->position[w]);
    }
}

/* Stores of one thread keep their order: each time the first of those that are
 * left, of any thread. */
static void choose_co(struct search *s, struct choices *c, size_t placed,
                      uint64_t done)
{
    uint32_t tried = 0; /* threads */

    if (placed == c->store_count) {
        choose_sources(s, c, 0, 0);
        return;
    }
    for (size_t i = 1; i < c->store_count; i++) {
        size_t w = c->stores[i];

        if (done & search_bit(i) || tried & (1u << s->thread[w]))
            continue;
        tried |= 1u << s->thread[w];
        s->position[w] = (uint8_t)placed;
        choose_co(s, c, placed + 1, done | search_bit(i));
    }
}

bool search_list_choices(struct search *s, size_t cell)
{
    struct choices *c = &s->choices[cell];

    VEC_CLEAR(c);
    VEC_CLEAR(&c->edges);
    c->stores[0] = (uint8_t)cell;
    c->store_count = 1;
    c->load_count = c->event_count = 0;
    for (size_t i = s->cell_count; i < s->count; i++) {
        if (s->cell[i] != cell || s->events[i]->cell < 0)
            continue;
        if (c->event_count == CELL_EVENTS_MAX - 1) {
            s->u->why = "a location with too many accesses";
            return false;
        }
        c->events[c->event_count++] = (uint8_t)i;
        if (s->events[i]->marks & MARK_W)
            c->stores[c->store_count++] = (uint8_t)i;
        else
            c->loads[c->load_count++] = (uint8_t)i;
    }
    s->position[cell] = 0;
    choose_co(s, c, 1, 1);
    return c->count > 0;
}
