/* SPDX-License-Identifier: MIT
 *
 * The cycles that a trace contains.  Along a conflict edge effects go forward
 * in time, so a cycle comes back only by reordered pairs, and every access of
 * it lies in the time that those span.  A trace without a reordered pair is
 * done at once; of others, what lies outside of the union of the pairs' spans
 * is dropped, and what is left falls apart into pieces, each searched for
 * itself.
 *
 *      effects:   a'..b'   ---> time       b -po-> a reordered: span [a, b]
 *                |------| |----------|     two spans that touch: one piece
 *
 * Not every execution that leaves SC has a critical cycle of data: its cycle
 * may run through the word of a mutex, or through a load that takes some of its
 * bytes from an own store that waits.  predict_any finds these, too.  A
 * shortest cycle of po and conflict edges has at most two accesses a thread, so
 * it is searched for as critical ones are, with less that is ruled out.
 */
#include "predict/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/channel.h"
#include "predict/language.h"
#include "predict/predict_graph.h"
#include "predict/predict_search.h"
#include "predict/relations.h"

#define NODES_MAX 4096
#define ALL_STEPS 20000000ull
#define FIND_STEPS 5000000ull

/* ---- Pieces ---- */

struct span {
    uint64_t from, to;
};

struct pieces {
    bool any; /* cycles of any form */
    struct relations r;
    uint32_t *order;        /* accesses by thread, then program order */
    VEC(struct span) spans; /* by time, none touches another */
    /* Accesses of span i, ordered as in `order`: inside[first[i]] on. */
    uint32_t *first, *inside;
    struct arena arena;
};

static void add_span(struct pieces *p, uint64_t from, uint64_t to)
{
    struct span *last = p->spans.count ? &VEC_LAST(&p->spans) : NULL;

    if (last && from <= last->to && to >= last->from) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    VEC_PUSH(&p->spans, {from, to});
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

static void join_spans(struct pieces *p)
{
    size_t count = p->spans.count;

    if (count)
        qsort(p->spans.list, count, sizeof(*p->spans.list), compare_spans);
    VEC_CLEAR(&p->spans);
    for (size_t i = 0; i < count; i++)
        add_span(p, p->spans.list[i].from, p->spans.list[i].to);
    for (size_t i = 1; i < p->spans.count; i++)
        CHECK(p->spans.list[i - 1].to < p->spans.list[i].from);
}

/* For each access the earliest effect among those after it in its thread: if
 * that is before its own, the two span a time. */
static void find_spans(struct pieces *p)
{
    const struct accesses *all = &p->r.accesses;
    uint64_t earliest = 0;

    if (p->r.without_order)
        add_span(p, 0, UINT64_MAX); /* all of it */
    for (uint32_t i = all->count; i-- > 0;) {
        uint32_t x = p->order[i];
        uint32_t next = i + 1 < all->count ? p->order[i + 1] : x;

        if (next == x || all->list[next].thread != all->list[x].thread)
            earliest = UINT64_MAX;
        if (earliest < p->r.effect[x])
            add_span(p, earliest, p->r.effect[x]);
        else
            earliest = p->r.effect[x];
    }
    join_spans(p);
}

/* The span that an effect lies in, or how many there are. */
static size_t span_of(const struct pieces *p, uint64_t effect)
{
    size_t low = 0, high = p->spans.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->spans.list[middle].to < effect)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->spans.count && p->spans.list[low].from <= effect
               ? low
               : p->spans.count;
}

static void fill_spans(struct pieces *p)
{
    uint32_t count = p->r.accesses.count;
    uint32_t *next =
        arena_array(&p->arena, p->spans.count + 2, sizeof(*p->first));

    p->first = arena_array(&p->arena, p->spans.count + 2, sizeof(*p->first));
    p->inside = arena_array(&p->arena, count, sizeof(*p->inside));
    for (uint32_t i = 0; i < count; i++)
        p->first[span_of(p, p->r.effect[i]) + 1]++;
    for (size_t i = 0; i <= p->spans.count; i++)
        p->first[i + 1] += p->first[i];
    memcpy(next, p->first, (p->spans.count + 1) * sizeof(*next));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = p->order[i];

        p->inside[next[span_of(p, p->r.effect[x])]++] = x;
    }
}

static void pieces_init(struct pieces *p, const struct trace *t, bool any)
{
    *p = (struct pieces){.any = any, .arena = ARENA_INIT};
    relations_build(t, any ? ACCESS_OBJECTS_TOO : ACCESS_DATA, &p->arena,
                    &p->r);
    p->order = access_by_thread(
        &p->r.accesses, t->thread_count, &p->arena,
        arena_array(&p->arena, t->thread_count, sizeof(uint32_t)));
    find_spans(p);
    fill_spans(p);
}

static void pieces_fini(struct pieces *p)
{
    VEC_FREE(&p->spans);
    arena_free(&p->arena);
}

/* ---- The graph of a piece ---- */

static void add_relations(const struct pieces *p, struct graph *g,
                          uint16_t mark, uint32_t x)
{
    const struct relations *r = &p->r;
    uint32_t e = g->nodes[x].tag;

    for (uint32_t y = 0; y < g->count; y++) {
        uint32_t f = g->nodes[y].tag;
        const struct access *a = &r->accesses.list[e];
        const struct access *b = &r->accesses.list[f];

        if (a->thread == b->thread) {
            if (x < y && (p->any || !access_overlap(a, b)))
                graph_add_pair(g, x, y,
                               relations_reordered(r, e, f) ? mark : 0);
        } else if (access_conflict(a, b)) {
            if (!p->any)
                graph_add_conflict(g, x, y);
            if (relations_before(r, e, f))
                graph_add_edge(g, x, y);
        }
    }
}

static bool has_site(const struct cycle *c, uint32_t site)
{
    for (uint32_t i = 0; i < c->length; i++)
        if (c->nodes[i].site == site)
            return true;
    return false;
}

/* Accesses of that span, of the sites of `only` if that is not NULL; tags are
 * their numbers.  False: too many. */
static bool build(const struct pieces *p, size_t span, const struct cycle *only,
                  uint16_t mark, struct arena *a, struct graph *g)
{
    uint32_t room = p->first[span + 1] - p->first[span], n = 0;
    struct graph_node *nodes = arena_array(a, room, sizeof(*nodes));

    for (uint32_t i = p->first[span]; i < p->first[span + 1]; i++) {
        const struct access *at = &p->r.accesses.list[p->inside[i]];

        if (!only || has_site(only, at->site))
            nodes[n++] = (struct graph_node){at->site, at->thread, at->reads,
                                             at->writes, p->inside[i]};
    }
    if (n > NODES_MAX)
        return false;
    graph_init(g, a, nodes, n);
    for (uint32_t x = 0; x < n; x++)
        add_relations(p, g, mark, x);
    return true;
}

/* ---- All static cycles ---- */

static uint16_t mark_of(const struct trace *t)
{
    const struct model *m = model_find(t->model);

    return m ? (uint16_t)(1u << model_number(model_asked(m))) : 1;
}

bool predict_all(const struct trace *t, unsigned max_length, size_t max,
                 struct arena *a, struct cycle **cycles, size_t *count)
{
    struct search_limits limits = {CYCLE_LENGTH_MIN, max_length, max,
                                   ALL_STEPS};
    struct cycles found = {0};
    struct pieces p;
    bool whole = true;

    pieces_init(&p, t, false);
    for (size_t i = 0; i < p.spans.count; i++) {
        struct arena scratch = ARENA_INIT;
        struct graph g;

        whole &= build(&p, i, NULL, mark_of(t), &scratch, &g) &&
                 search_cycles(&g, &limits, &found);
        arena_free(&scratch);
    }
    cycles_sort(&found, 0);
    *count = found.count < max ? found.count : max;
    *cycles = arena_array(a, *count, sizeof(**cycles));
    if (*count)
        memcpy(*cycles, found.list, *count * sizeof(**cycles));
    cycles_fini(&found);
    pieces_fini(&p);
    return whole;
}

/* ---- One static cycle ---- */

struct match {
    const struct pieces *p;
    const struct graph *g;
    const struct cycle *c;
    uint64_t steps;
    uint32_t chain[CYCLE_LENGTH_MAX];
    unsigned reordered; /* pairs so far */
    unsigned allowed;
};

/* May node x be the i-th of the cycle, after those already chosen? */
static bool fits(const struct match *m, uint32_t i, uint32_t x)
{
    const struct graph *g = m->g;
    const uint64_t *chords = graph_row(g, g->conflict, x);
    bool second = m->c->nodes[i].pair == GOAL_SECOND;

    if (g->nodes[x].site != m->c->nodes[i].site)
        return false;
    if (i && !graph_has(
                 graph_row(g, second ? g->later : g->out, m->chain[i - 1]), x))
        return false;
    for (uint32_t k = 0; k + 1 < i; k++) {
        bool closes = k == 0 && i == m->c->length - 1;

        if (!closes && graph_has(chords, m->chain[k]))
            return false;
        if (g->nodes[x].thread == g->nodes[m->chain[k]].thread)
            return false;
    }
    return i + 1 < m->c->length ||
           graph_has(graph_row(g, g->out, x), m->chain[0]);
}

static bool choose(struct match *m, uint32_t i)
{
    for (uint32_t x = 0; x < m->g->count; x++) {
        unsigned more;

        if (++m->steps > FIND_STEPS)
            return false;
        if (!fits(m, i, x))
            continue;
        more = m->c->nodes[i].pair == GOAL_SECOND &&
               graph_marks(m->g, m->chain[i - 1], x);
        if (m->reordered + more > m->allowed)
            continue;
        m->chain[i] = x;
        m->reordered += more;
        if (i + 1 == m->c->length || choose(m, i + 1))
            return true;
        m->reordered -= more;
    }
    return false;
}

/* C11: of pairs that are not kept apart those that are not kept at all, if
 * there are any. */
static void sharpen(const struct match *m, struct cycle_witness *w)
{
    uint16_t free = 0;

    for (uint32_t i = 0; i < m->c->length; i++)
        if (w->reordered >> i & 1 &&
            !language_keeps(m->p->r.t, w->events[i],
                            w->events[(i + 1) % m->c->length]))
            free |= (uint16_t)(1u << i);
    if (free)
        w->reordered = free;
}

static void fill(const struct match *m, struct cycle_witness *w)
{
    *w = (struct cycle_witness){.reordered = 0};
    for (uint32_t i = 0; i < m->c->length; i++) {
        uint32_t x = m->chain[i];

        w->events[i] = m->p->r.accesses.list[m->g->nodes[x].tag].event;
        if (m->c->nodes[i].pair == GOAL_FIRST &&
            graph_marks(m->g, x, m->chain[i + 1]))
            w->reordered |= (uint16_t)(1u << i);
    }
    if (m->p->r.without_order)
        sharpen(m, w);
}

static bool find_in(const struct pieces *p, const struct cycle *c,
                    struct cycle_witness *w)
{
    unsigned best = CYCLE_LENGTH_MAX;

    for (size_t i = 0; i < p->spans.count && best > 1; i++) {
        struct arena scratch = ARENA_INIT;
        struct graph g;
        struct match m = {.p = p, .g = &g, .c = c};

        if (build(p, i, c, 1, &scratch, &g))
            for (m.allowed = 1; m.allowed < best; m.allowed++) {
                m.reordered = 0;
                if (choose(&m, 0)) {
                    best = m.allowed;
                    fill(&m, w);
                }
            }
        arena_free(&scratch);
    }
    return best < CYCLE_LENGTH_MAX;
}

bool predict_find(const struct trace *t, const struct cycle *c,
                  struct cycle_witness *w)
{
    struct pieces p;
    bool found;

    pieces_init(&p, t, false);
    found = find_in(&p, c, w);
    pieces_fini(&p);
    return found;
}

/* ---- A cycle of any form ---- */

/* The shortest in that span: the search takes short ones first, and stops. */
static void search_span(const struct pieces *p, size_t span,
                        struct cycles *found)
{
    struct search_limits limits = {CYCLE_LENGTH_ANY, CYCLE_LENGTH_MAX, 0,
                                   ALL_STEPS};
    struct arena scratch = ARENA_INIT;
    struct graph g;

    if (build(p, span, NULL, 1, &scratch, &g))
        search_cycles(&g, &limits, found);
    arena_free(&scratch);
}

bool predict_any(const struct trace *t, struct cycle *c,
                 struct cycle_witness *w)
{
    struct cycles found = {0};
    struct pieces p;
    bool there;

    pieces_init(&p, t, true);
    for (size_t i = 0; i < p.spans.count; i++)
        search_span(&p, i, &found);
    cycles_sort(&found, 0);
    there = found.count && find_in(&p, &VEC_AT(&found, 0), w);
    if (there)
        *c = VEC_AT(&found, 0);
    cycles_fini(&found);
    pieces_fini(&p);
    return there;
}
