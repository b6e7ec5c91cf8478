/* SPDX-License-Identifier: MIT
 *
 * A cycle consists of segments, one for each of its threads: an access alone,
 * or a pair.  The search begins with a marked pair (a, b), for cycles without
 * one are of no interest, and adds segments until an edge leads back to a:
 *
 *      a -po-> b ~> c -po-> d ~> e ~> ... ~> a
 *
 * What keeps it from wandering:
 *
 * - A cycle is found only from the smallest first access of its marked pairs.
 * - Before it sets out from a, it finds backwards from a which nodes can be
 *   entered with exactly k accesses to go, for every k: the two searches meet
 *   in the middle, and no path is followed that cannot come back in time.
 * - Threads used and chords are sets of nodes that are no longer free, so
 *   whole rows of candidates are ruled out at once.
 * - Short cycles come first, so that a search cut short has those.
 */
#include "predict/predict_search.h"

#include <string.h>

#include "base/check.h"
#include "event/channel.h"

/* Per a: rows of `enter` and `leave`, max_length - 1 each, `known` filled. */
struct levels {
    unsigned known;
    uint64_t *enter; /* [k]: nodes that may be entered with k accesses to go,
                        themselves included */
    uint64_t *leave; /* [k]: nodes that may be left with k accesses to go */
};

struct search {
    const struct graph *g;
    struct search_limits *limits;
    struct cycles *found;
    struct arena scratch;
    struct levels *levels;        /* per node; made when first needed */
    uint32_t *edge_first, *edges; /* of node x: edges[edge_first[x]] on */
    bool cut;

    uint32_t a; /* where the cycle begins */
    const struct levels *at;
    uint32_t chain[CYCLE_LENGTH_MAX];
    uint8_t pair[CYCLE_LENGTH_MAX];
    uint32_t length;
    /* Per depth: nodes of threads not used yet that conflict with none of the
     * chain but its first and last. */
    uint64_t *free[CYCLE_LENGTH_MAX];
};

/* The lowest node among those of word w. */
static uint32_t lowest(uint64_t bits, uint32_t w)
{
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

static const uint64_t *row(const struct search *s, uint64_t *rows,
                           uint32_t node)
{
    return graph_row(s->g, rows, node);
}

/* ---- Backwards from a ---- */

/* Entered with k to go: left with k - 1, or first of a pair whose second may
 * be left with k - 2. */
static void find_enter(const struct search *s, struct levels *l, unsigned k)
{
    const struct graph *g = s->g;
    uint64_t *to = graph_row(g, l->enter, k);
    const uint64_t *seconds;

    memcpy(to, graph_row(g, l->leave, k - 1), g->words * sizeof(*to));
    if (k < 2)
        return;
    seconds = graph_row(g, l->leave, k - 2);
    for (uint32_t c = 0; c < g->count; c++) {
        const uint64_t *later = row(s, g->later, c);

        for (uint32_t w = g->first_node[c] / 64; w * 64 < g->end_node[c]; w++)
            if (later[w] & seconds[w]) {
                to[c / 64] |= 1ull << c % 64;
                break;
            }
    }
}

/* Left with k to go: an edge leads to a node that may be entered with k.  Most
 * nodes may be, far from a, so the first edge will tell. */
static void find_leave(const struct search *s, struct levels *l, unsigned k)
{
    const struct graph *g = s->g;
    uint64_t *to = graph_row(g, l->leave, k);
    const uint64_t *from = graph_row(g, l->enter, k);

    for (uint32_t d = 0; d < g->count; d++)
        for (uint32_t i = s->edge_first[d]; i < s->edge_first[d + 1]; i++)
            if (graph_has(from, s->edges[i])) {
                to[d / 64] |= 1ull << d % 64;
                break;
            }
}

/* Edges as lists, for where rows would be mostly zeroes. */
static void list_edges(struct search *s)
{
    const struct graph *g = s->g;
    uint32_t n = 0;

    s->edge_first = arena_array(&s->scratch, g->count + 1, sizeof(n));
    for (uint32_t d = 0; d < g->count; d++) {
        s->edge_first[d] = n;
        for (uint32_t w = 0; w < g->words; w++)
            n += (uint32_t)__builtin_popcountll(row(s, g->out, d)[w]);
    }
    s->edge_first[g->count] = n;
    s->edges = arena_array(&s->scratch, n, sizeof(*s->edges));
    n = 0;
    for (uint32_t d = 0; d < g->count; d++)
        for (uint32_t w = 0; w < g->words; w++)
            for (uint64_t set = row(s, g->out, d)[w]; set; set &= set - 1)
                s->edges[n++] = lowest(set, w);
}

/* For cycles of that length from a. */
static const struct levels *levels_of(struct search *s, uint32_t a,
                                      unsigned length)
{
    struct levels *l = &s->levels[a];
    size_t size = (size_t)(s->limits->max_length - 1) * s->g->words;

    if (!l->enter) {
        l->enter = arena_array(&s->scratch, size, sizeof(*l->enter));
        l->leave = arena_array(&s->scratch, size, sizeof(*l->leave));
        memcpy(l->leave, row(s, s->g->in, a), s->g->words * sizeof(*l->leave));
        l->known = 1;
    }
    for (; l->known < length - 1; l->known++) {
        find_enter(s, l, l->known);
        find_leave(s, l, l->known);
    }
    return l;
}

/* ---- Forwards ---- */

/* Is each joined to the next one, and the last to the first? */
static bool is_cycle(const struct search *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *rows = s->pair[i] == GOAL_FIRST ? s->g->later : s->g->out;

        if (!graph_has(row(s, rows, s->chain[i]), s->chain[(i + 1) % n]))
            return false;
    }
    return true;
}

static void found(struct search *s, uint32_t last, uint8_t last_pair)
{
    struct cycle_node nodes[CYCLE_LENGTH_MAX] = {{0}};
    uint16_t marks[CYCLE_LENGTH_MAX] = {0};
    uint32_t n = s->length + 1;

    CHECK(n <= s->limits->max_length);
    s->chain[n - 1] = last;
    s->pair[n - 1] = last_pair;
    CHECK(is_cycle(s, n));
    for (uint32_t i = 0; i < n; i++) {
        const struct graph_node *from = &s->g->nodes[s->chain[i]];

        nodes[i] = (struct cycle_node){.site = from->site,
                                       .pair = s->pair[i],
                                       .reads = from->reads,
                                       .writes = from->writes};
        if (s->pair[i] == GOAL_FIRST)
            marks[i] = graph_marks(s->g, s->chain[i], s->chain[i + 1]);
    }
    cycles_add(s->found, nodes, marks, n);
    if (s->found->count > s->limits->max_cycles)
        s->cut = true;
}

static bool tired(struct search *s)
{
    if (!s->limits->steps)
        s->cut = true;
    else
        s->limits->steps--;
    return s->cut;
}

/* The last access, alone in its thread. */
static void close_alone(struct search *s, uint32_t x, const uint64_t *free_row)
{
    const uint64_t *out = row(s, s->g->out, x), *in = row(s, s->g->in, s->a);

    for (uint32_t w = 0; w < s->g->words; w++)
        for (uint64_t set = out[w] & in[w] & free_row[w]; set; set &= set - 1) {
            found(s, lowest(set, w), GOAL_ALONE);
            if (tired(s))
                return;
        }
}

/* Seconds of a pair that begins with c, entered from x. */
static uint64_t seconds(const struct search *s, uint32_t x, uint32_t c,
                        const uint64_t *free_row, uint32_t w)
{
    uint64_t set =
        row(s, s->g->later, c)[w] & free_row[w] & ~row(s, s->g->conflict, x)[w];

    return c < s->a ? set & ~row(s, s->g->marked, c)[w] : set;
}

/* The last two accesses are a pair. */
static void close_pair(struct search *s, uint32_t x, uint32_t c,
                       const uint64_t *free_row)
{
    const struct graph *g = s->g;
    const uint64_t *in = row(s, g->in, s->a);

    s->chain[s->length] = c;
    s->pair[s->length++] = GOAL_FIRST;
    for (uint32_t w = g->first_node[c] / 64; w * 64 < g->end_node[c]; w++)
        for (uint64_t set = seconds(s, x, c, free_row, w) & in[w];
             set && !tired(s); set &= set - 1)
            found(s, lowest(set, w), GOAL_SECOND);
    s->length--;
}

/* What is free once the thread of c is used and x is no longer the last. */
static uint64_t *next_free(const struct search *s, unsigned depth, uint32_t x,
                           uint32_t c)
{
    const struct graph *g = s->g;
    const uint64_t *now = s->free[depth], *chords = row(s, g->conflict, x);
    uint64_t *next = s->free[depth + 1];

    for (uint32_t w = 0; w < g->words; w++)
        next[w] = now[w] & ~chords[w];
    for (uint32_t i = g->first_node[c]; i < g->end_node[c]; i++)
        next[i / 64] &= ~(1ull << i % 64);
    return next;
}

static void extend(struct search *s, unsigned depth, uint32_t x, unsigned left);

/* A pair that begins with c, and more after it. */
static void extend_pair(struct search *s, unsigned depth, uint32_t x,
                        uint32_t c, unsigned left)
{
    const struct graph *g = s->g;
    const uint64_t *chords = row(s, g->conflict, s->a);
    const uint64_t *leave = graph_row(g, s->at->leave, left - 2);
    const uint64_t *own = row(s, g->conflict, c);
    uint64_t *next = next_free(s, depth, x, c);

    for (uint32_t w = 0; w < g->words; w++)
        next[w] &= ~own[w];
    for (uint32_t w = g->first_node[c] / 64; w * 64 < g->end_node[c]; w++)
        for (uint64_t set =
                 seconds(s, x, c, s->free[depth], w) & ~chords[w] & leave[w];
             set; set &= set - 1) {
            s->chain[s->length] = c;
            s->pair[s->length++] = GOAL_FIRST;
            s->chain[s->length] = lowest(set, w);
            s->pair[s->length++] = GOAL_SECOND;
            extend(s, depth + 1, lowest(set, w), left - 2);
            s->length -= 2;
            if (s->cut)
                return;
        }
}

static void extend_by(struct search *s, unsigned depth, uint32_t x, uint32_t c,
                      unsigned left)
{
    if (graph_has(graph_row(s->g, s->at->leave, left - 1), c)) {
        next_free(s, depth, x, c);
        s->chain[s->length] = c;
        s->pair[s->length++] = GOAL_ALONE;
        extend(s, depth + 1, c, left - 1);
        s->length--;
    }
    if (s->cut)
        return;
    if (left == 2)
        close_pair(s, x, c, s->free[depth]);
    else
        extend_pair(s, depth, x, c, left);
}

/* The chain ends with x, and `left` accesses are missing. */
static void extend(struct search *s, unsigned depth, uint32_t x, unsigned left)
{
    const struct graph *g = s->g;
    const uint64_t *out = row(s, g->out, x);
    const uint64_t *chords = row(s, g->conflict, s->a);
    const uint64_t *enter = graph_row(g, s->at->enter, left);

    if (tired(s))
        return;
    if (left == 1) {
        close_alone(s, x, s->free[depth]);
        return;
    }
    for (uint32_t w = 0; w < g->words; w++)
        for (uint64_t set = out[w] & s->free[depth][w] & ~chords[w] & enter[w];
             set; set &= set - 1) {
            extend_by(s, depth, x, lowest(set, w), left);
            if (s->cut)
                return;
        }
}

static void begin_with_pair(struct search *s, uint32_t a, uint32_t b,
                            unsigned length)
{
    const struct graph *g = s->g;

    memset(s->free[0], 0xff, g->words * sizeof(**s->free));
    for (uint32_t i = g->first_node[a]; i < g->end_node[a]; i++)
        s->free[0][i / 64] &= ~(1ull << i % 64);
    s->chain[0] = a;
    s->chain[1] = b;
    s->pair[0] = GOAL_FIRST;
    s->pair[1] = GOAL_SECOND;
    s->length = 2;
    extend(s, 0, b, length - 2);
}

static void begin_with(struct search *s, uint32_t a, unsigned length)
{
    const struct graph *g = s->g;
    const uint64_t *marked = row(s, g->marked, a);

    if (!g->marks[a])
        return;
    s->a = a;
    s->at = levels_of(s, a, length);
    for (uint32_t w = g->first_node[a] / 64; w * 64 < g->end_node[a]; w++) {
        uint64_t leave = graph_row(g, s->at->leave, length - 2)[w];

        for (uint64_t set = marked[w] & leave; set && !s->cut; set &= set - 1)
            begin_with_pair(s, a, lowest(set, w), length);
    }
}

bool search_cycles(const struct graph *g, struct search_limits *limits,
                   struct cycles *found_cycles)
{
    struct search s = {
        .g = g, .limits = limits, .found = found_cycles, .scratch = ARENA_INIT};

    CHECK(limits->min_length >= CYCLE_LENGTH_ANY &&
          limits->max_length >= limits->min_length &&
          limits->max_length <= CYCLE_LENGTH_MAX);
    s.levels = arena_array(&s.scratch, g->count, sizeof(*s.levels));
    for (unsigned i = 0; i < CYCLE_LENGTH_MAX; i++)
        s.free[i] = arena_array(&s.scratch, g->words, sizeof(**s.free));
    list_edges(&s);
    for (unsigned n = limits->min_length; n <= limits->max_length && !s.cut;
         n++)
        for (uint32_t a = 0; a < g->count && !s.cut; a++)
            begin_with(&s, a, n);
    arena_free(&s.scratch);
    return !s.cut;
}
