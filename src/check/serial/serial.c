/* SPDX-License-Identifier: MIT
 *
 * Observations of all paths through the graph of states.  A path is followed
 * further only if no other path reached its state with the same observations
 * before.  Observations are kept whole and compared; a hash alone decides
 * nothing.
 */
#include "serial/serial.h"

#include <stdlib.h>
#include <string.h>

#include "serial/serial_inside.h"

#define STOP_EVERY 256 /* steps */

/* A state, and the values that were observed on a way to it. */
struct pair {
    uint32_t node;
    const int64_t *values;
};

struct search {
    struct states states;
    const struct serial_options *options;
    struct arena scratch;
    struct row *seen; /* per thread, of the path */
    struct row key;
    VEC(struct pair) pairs;
    struct index index; /* of them */
    uint64_t steps;
    /* Observed per thread by executions that came to their end. */
    bool ended;
    uint32_t *widths;
    struct observation_set *out;
    struct serial_failure *failure;
    struct arena *arena;
};

static void search_init(struct search *s, const struct lsl_program *p,
                        const struct test *t, struct err *e)
{
    memset(s, 0, sizeof(*s));
    states_init(&s->states, p, t, &s->scratch, e);
    s->seen =
        arena_array(&s->scratch, s->states.thread_count, sizeof(*s->seen));
    s->widths =
        arena_array(&s->scratch, s->states.thread_count, sizeof(*s->widths));
}

static void search_fini(struct search *s)
{
    for (uint32_t i = 0; i < s->states.thread_count; i++)
        VEC_FREE(&s->seen[i]);
    states_fini(&s->states);
    VEC_FREE(&s->key);
    VEC_FREE(&s->pairs);
    index_free(&s->index);
    arena_free(&s->scratch);
}

/* ---- Pairs ---- */

/* All that the path has observed, thread after thread. */
static void put_seen(struct search *s)
{
    VEC_CLEAR(&s->key);
    for (uint32_t t = 0; t < s->states.thread_count; t++) {
        for (size_t i = 0; i < s->seen[t].count; i++)
            VEC_PUSH(&s->key, s->seen[t].list[i]);
    }
}

/* How many values each thread has observed is part of the node, so the values
 * of equal nodes are as many. */
static bool same(const void *owner, uint32_t number, const void *key)
{
    const struct search *s = owner;
    const struct pair *p = &VEC_AT(&s->pairs, number);

    return p->node == *(const uint32_t *)key &&
           (s->key.count == 0 ||
            memcmp(p->values, s->key.list,
                   s->key.count * sizeof(*s->key.list)) == 0);
}

/* Is this the first path to that node with what it has observed? */
static bool is_new(struct search *s, uint32_t node)
{
    size_t bytes;
    uint64_t hash;

    put_seen(s);
    bytes = s->key.count * sizeof(*s->key.list);
    hash = row_hash(s->key.list, s->key.count) ^ node * 0x9e3779b97f4a7c15ull;
    if (index_put(&s->index, hash, same, s, &node) < s->pairs.count)
        return false;

    int64_t *values = arena_alloc(&s->scratch, bytes);

    if (bytes)
        memcpy(values, s->key.list, bytes);
    VEC_PUSH(&s->pairs, {node, values});
    return true;
}

/* ---- Observations ---- */

/* Labels and threads of the places, `widths` of each thread. */
static void name_places(struct search *s, const uint32_t *widths,
                        struct observation_set *out)
{
    const struct states *g = &s->states;
    uint32_t at = 0;

    memset(out, 0, sizeof(*out));
    for (uint32_t t = 0; t < g->thread_count; t++)
        out->width += widths[t];
    out->labels = arena_array(s->arena, out->width, sizeof(*out->labels));
    out->threads = arena_array(s->arena, out->width, sizeof(*out->threads));
    for (uint32_t t = 0; t < g->thread_count; t++) {
        for (uint32_t i = 0; i < widths[t]; i++, at++) {
            out->labels[at] = arena_copy(s->arena, VEC_AT(&g->labels[t], i));
            out->threads[at] = t;
        }
    }
}

static bool same_widths(struct search *s, uint32_t node)
{
    const struct states *g = &s->states;

    for (uint32_t t = 0; t < g->thread_count; t++) {
        uint32_t width = node_observed(&g->nodes.list[node], t);

        if (s->ended && s->widths[t] != width)
            return err_set(g->e,
                           "%s: %u values are observed where another execution "
                           "observes %u: let each operation always observe "
                           "the same",
                           g->program->source, width, s->widths[t]);
        s->widths[t] = width;
    }
    s->ended = true;
    return true;
}

/* The end of a path that is_new. */
static enum serial_end add_observation(struct search *s, uint32_t node)
{
    struct observation_set *out = s->out;
    bool first = !s->ended;

    if (!same_widths(s, node))
        return SERIAL_REFUSED;
    if (first)
        name_places(s, s->widths, out);
    if (out->count == s->options->max)
        return SERIAL_TOO_MANY;
    out->count++;
    return SERIAL_DONE;
}

static enum serial_end tell_failure(struct search *s, uint32_t node)
{
    const struct states *g = &s->states;
    const struct failed *f = g->nodes.list[node].failed;
    uint32_t *widths =
        arena_array(&s->scratch, g->thread_count, sizeof(*widths));
    struct observation_set *o = &s->failure->so_far;

    for (uint32_t i = 0; i < f->count; i++)
        VEC_PUSH(&s->seen[f->thread], (uint64_t)f->values[i]);
    for (uint32_t t = 0; t < g->thread_count; t++)
        widths[t] = (uint32_t)s->seen[t].count;
    *s->failure = (struct serial_failure){
        .kind = f->kind,
        .site = f->site,
        .text = arena_copy(s->arena, f->text ? f->text : ""),
    };
    name_places(s, widths, o);
    put_seen(s);
    o->values = arena_array(s->arena, o->width, sizeof(*o->values));
    if (o->width)
        memcpy(o->values, s->key.list, o->width * sizeof(*o->values));
    o->count = o->room = 1;

    struct buf place = {0};

    lsl_put_site(g->program, f->site, &place);
    err_set(g->e, "%s: %s", place.bytes, s->failure->text);
    buf_free(&place);
    return SERIAL_FAILED;
}

/* ---- Mining ---- */

static bool must_stop(struct search *s)
{
    return s->options->stop && s->steps++ % STOP_EVERY == 0 &&
           s->options->stop(s->options->context, s->out->count);
}

static enum serial_end walk(struct search *s, uint32_t node)
{
    struct states *g = &s->states;
    const struct node *n;

    if (must_stop(s))
        return SERIAL_STOPPED;
    if (!states_expand(g, node))
        return SERIAL_REFUSED;
    n = &VEC_AT(&g->nodes, node);
    if (n->final)
        return add_observation(s, node);
    if (n->failed)
        return tell_failure(s, node);

    const struct edge *edges = n->edges;
    uint32_t count = n->edge_count;

    for (uint32_t i = 0; i < count; i++) {
        struct row *seen = &s->seen[edges[i].thread];
        size_t before = seen->count;

        for (uint32_t k = 0; k < edges[i].count; k++)
            VEC_PUSH(seen, (uint64_t)edges[i].values[k]);
        if (is_new(s, edges[i].to)) {
            enum serial_end end = walk(s, edges[i].to);

            if (end != SERIAL_DONE)
                return end;
        }
        seen->count = before;
    }
    return SERIAL_DONE;
}

static int compare(const void *a, const void *b, void *width)
{
    const int64_t *x = a, *y = b;

    for (uint32_t i = 0; i < *(uint32_t *)width; i++) {
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}

/* The values of all pairs at an end. */
static void collect(struct search *s)
{
    struct observation_set *out = s->out;
    size_t width = out->width, count = 0;

    out->values =
        arena_array(s->arena, out->count * width + 1, sizeof(*out->values));
    out->room = out->count;
    for (size_t i = 0; i < s->pairs.count; i++) {
        if (s->states.nodes.list[s->pairs.list[i].node].final &&
            count < out->count)
            memcpy(out->values + count++ * width, s->pairs.list[i].values,
                   width * sizeof(*out->values));
    }
    if (width == 0)
        return;
    qsort_r(out->values, out->count, width * sizeof(*out->values), compare,
            &out->width);
}

enum serial_end serial_mine(const struct lsl_program *p, const struct test *t,
                            const struct serial_options *options,
                            struct arena *a, struct observation_set *out,
                            struct serial_failure *failure, struct err *e)
{
    struct search s;
    enum serial_end end;

    memset(out, 0, sizeof(*out));
    memset(failure, 0, sizeof(*failure));
    search_init(&s, p, t, e);
    s.options = options;
    s.out = out;
    s.failure = failure;
    s.arena = a;
    is_new(&s, 0);
    end = walk(&s, 0);
    if (end == SERIAL_DONE && !s.ended) {
        err_set(e,
                "%s: test %s: no order of the operations comes to its end: "
                "each waits for ever or makes no progress",
                p->source, t->name);
        end = SERIAL_REFUSED;
    }
    if (end != SERIAL_REFUSED && end != SERIAL_FAILED)
        collect(&s);
    search_fini(&s);
    return end;
}

/* ---- One observation ---- */

struct explanation {
    struct states *states;
    const int64_t *values; /* NULL: any will do */
    uint32_t *first;       /* per thread: its first value */
    VEC(bool) visited;     /* per node */
    uint32_t found;        /* the end that was reached */
};

static bool visit(struct explanation *x, uint32_t node)
{
    bool *visited = VEC_REACH(&x->visited, node);

    if (*visited)
        return false;
    return *visited = true;
}

static bool fits(const struct explanation *x, const struct node *n,
                 const struct edge *e)
{
    uint32_t at = node_observed(n, e->thread);

    if (!x->values)
        return true;
    if (at + e->count > x->first[e->thread + 1] - x->first[e->thread])
        return false;
    return memcmp(x->values + x->first[e->thread] + at, e->values,
                  e->count * sizeof(*e->values)) == 0;
}

/* Is there a way to the end? */
static bool reach(struct explanation *x, uint32_t node)
{
    struct states *g = x->states;

    if (!visit(x, node) || !states_expand(g, node))
        return false;
    if (g->nodes.list[node].final) {
        x->found = node;
        return true;
    }
    for (uint32_t i = 0; i < g->nodes.list[node].edge_count; i++) {
        const struct edge *e = &g->nodes.list[node].edges[i];

        if (fits(x, &g->nodes.list[node], e) && reach(x, e->to))
            return true;
    }
    return false;
}

bool serial_explains(const struct lsl_program *p, const struct test *t,
                     const int64_t *values, uint32_t width)
{
    struct search s;
    struct err e;
    struct explanation x = {.states = &s.states};
    bool found;

    search_init(&s, p, t, &e);
    x.first =
        arena_array(&s.scratch, s.states.thread_count + 1, sizeof(*x.first));
    /* Any execution tells how much each thread observes. */
    found = reach(&x, 0);
    for (uint32_t i = 0; found && i < s.states.thread_count; i++)
        x.first[i + 1] =
            x.first[i] + node_observed(&s.states.nodes.list[x.found], i);
    found = found && x.first[s.states.thread_count] == width;
    if (found) {
        x.values = values;
        VEC_CLEAR(&x.visited);
        found = reach(&x, 0);
    }
    VEC_FREE(&x.visited);
    search_fini(&s);
    return found;
}

bool observations_contain(const struct observation_set *s,
                          const int64_t *values)
{
    size_t low = 0, high = s->count;
    uint32_t width = s->width;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(s->values + middle * width, values, &width);

        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
