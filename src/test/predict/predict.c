/* SPDX-License-Identifier: MIT
 *
 * From what was gathered to cycles: classes that race become the nodes of a
 * graph, races its edges in both directions, pairs what joins them, marked with
 * the models that may reorder them; the search does the rest.
 */
#include "predict/predict.h"

#include <stdlib.h>

#include "base/check.h"
#include "predict/gather.h"
#include "predict/predict_cycles.h"
#include "predict/predict_graph.h"
#include "predict/predict_search.h"

#define INSTANCES_DEFAULT 20
#define LENGTH_DEFAULT 8
#define NODES_MAX 16384
#define CYCLES_MAX 100000
#define STEPS_MAX 20000000ull

struct predict {
    unsigned max_length;
    struct gather gather;
    struct cycles found;
    bool cut;
};

struct predict *predict_new(unsigned max_length, unsigned max_instances)
{
    struct predict *p = calloc(1, sizeof(*p));

    CHECK(p != NULL);
    p->max_length = max_length ? max_length : LENGTH_DEFAULT;
    if (p->max_length < CYCLE_LENGTH_MIN)
        p->max_length = CYCLE_LENGTH_MIN;
    if (p->max_length > CYCLE_LENGTH_MAX)
        p->max_length = CYCLE_LENGTH_MAX;
    gather_init(&p->gather, max_instances ? max_instances : INSTANCES_DEFAULT);
    return p;
}

void predict_free(struct predict *p)
{
    if (!p)
        return;
    cycles_fini(&p->found);
    gather_fini(&p->gather);
    free(p);
}

void predict_also(struct predict *p, const struct model *m)
{
    terms_add_model(&p->gather.terms, m, &p->gather.arena);
}

void predict_add(struct predict *p, const struct trace *t)
{
    gather_add(&p->gather, t);
}

/* ---- The graph ---- */

/* Which classes race, and as which node each is known. */
struct building {
    const struct gather *all;
    const struct volume *from;
    struct class_index index;
    uint32_t *node_of; /* per class; PAIRS_NONE: none */
    bool *races;
    struct graph g;
};

static bool have_edge(const struct building *b, uint32_t c, uint32_t other)
{
    const struct class *x = &b->from->classes.list[c];
    const struct class *y = &b->from->classes.list[other];

    return class_may_race(&b->all->tables, x, y) &&
           races_have(&b->all->races, x->at.site, y->at.site);
}

static void find_racing(void *context, uint32_t c, uint32_t other)
{
    struct building *b = context;

    if (!b->races[c] && have_edge(b, c, other))
        b->races[c] = b->races[other] = true;
}

static void add_edge(void *context, uint32_t c, uint32_t other)
{
    struct building *b = context;
    uint32_t x = b->node_of[c], y = b->node_of[other];

    if (x == PAIRS_NONE || y == PAIRS_NONE ||
        !access_conflict(&b->from->classes.list[c].at,
                         &b->from->classes.list[other].at))
        return;
    graph_add_conflict(&b->g, x, y);
    if (have_edge(b, c, other))
        graph_add_edge(&b->g, x, y);
}

/* Nodes by thread, and by class in each.  False: more than NODES_MAX. */
static bool find_nodes(struct building *b, struct arena *a)
{
    const struct classes *all = &b->from->classes;
    struct graph_node *nodes = arena_array(a, all->count, sizeof(*nodes));
    uint32_t threads = (uint32_t)b->from->pairs.in_thread.count, n = 0;
    uint32_t *next = arena_array(a, threads + 1, sizeof(*next));

    for (uint32_t c = 0; c < all->count; c++) {
        CHECK(all->list[c].at.thread < threads);
        next[all->list[c].at.thread + 1] += b->races[c];
    }
    for (uint32_t i = 0; i < threads; i++)
        next[i + 1] += next[i];
    for (uint32_t c = 0; c < all->count; c++) {
        const struct access *at = &all->list[c].at;

        b->node_of[c] = PAIRS_NONE;
        if (!b->races[c])
            continue;
        b->node_of[c] = next[at->thread]++;
        nodes[b->node_of[c]] =
            (struct graph_node){at->site, at->thread, at->reads, at->writes, c};
        n++;
    }
    if (n <= NODES_MAX)
        graph_init(&b->g, a, nodes, n);
    return n <= NODES_MAX;
}

static void add_pairs(struct building *b)
{
    const struct graph *g = &b->g;

    for (uint32_t x = 0; x < g->count; x++)
        for (uint32_t y = g->first_node[x]; y < g->end_node[x]; y++) {
            uint32_t first = g->nodes[x].tag, second = g->nodes[y].tag;
            const struct class *list = b->from->classes.list;
            uint16_t marks;

            if (pairs_get(&b->from->pairs, first, second, &marks) &&
                !access_overlap(&list[first].at, &list[second].at))
                graph_add_pair(&b->g, x, y, marks);
        }
}

static bool fill_graph(struct building *b, struct arena *a)
{
    const struct classes *all = &b->from->classes;

    if (!find_nodes(b, a))
        return false;
    for (uint32_t c = 0; c < all->count; c++)
        class_index_visit(&b->index, all, c, add_edge, b);
    add_pairs(b);
    return true;
}

/* ---- Fewer nodes ---- */

/* Does node x take part in everything that y does, as the same access?  Then
 * a cycle through y is there through x as well. */
static bool covers(const struct graph *g, uint32_t x, uint32_t y)
{
    const uint64_t *out_x = graph_row(g, g->out, x);
    const uint64_t *out_y = graph_row(g, g->out, y);

    for (uint32_t w = 0; w < g->words; w++)
        if (out_y[w] & ~out_x[w])
            return false;
    for (uint32_t z = g->first_node[x]; z < g->end_node[x]; z++) {
        bool after = graph_has(graph_row(g, g->later, y), z);
        bool before = graph_has(graph_row(g, g->later, z), y);

        if ((after && !graph_has(graph_row(g, g->later, x), z)) ||
            (before && !graph_has(graph_row(g, g->later, z), x)) ||
            (after && graph_marks(g, y, z) & ~graph_marks(g, x, z)) ||
            (before && graph_marks(g, z, y) & ~graph_marks(g, z, x)))
            return false;
    }
    return true;
}

static bool same_access(const struct access *a, const struct access *b)
{
    return a->site == b->site && a->address == b->address &&
           a->size == b->size && a->reads == b->reads && a->writes == b->writes;
}

/* Classes that differ in their locks or clocks only, and have less to offer
 * than another one, race no more.  True: there were some. */
static bool drop_covered(struct building *b)
{
    const struct graph *g = &b->g;
    bool any = false;

    for (uint32_t y = 0; y < g->count; y++)
        for (uint32_t x = g->first_node[y]; x < g->end_node[y]; x++) {
            uint32_t cx = g->nodes[x].tag, cy = g->nodes[y].tag;

            if (x == y || !b->races[cx] ||
                !same_access(&b->from->classes.list[cx].at,
                             &b->from->classes.list[cy].at) ||
                !covers(g, x, y))
                continue;
            b->races[cy] = false;
            any = true;
            break;
        }
    return any;
}

static bool build(struct building *b, struct arena *a)
{
    const struct classes *all = &b->from->classes;

    class_index_init(&b->index, all, false, a);
    b->node_of = arena_array(a, all->count, sizeof(*b->node_of));
    b->races = arena_array(a, all->count, sizeof(*b->races));
    for (uint32_t c = 0; c < all->count; c++)
        class_index_visit(&b->index, all, c, find_racing, b);
    if (!fill_graph(b, a))
        return false;
    return !drop_covered(b) || fill_graph(b, a);
}

static bool search_volume(struct predict *p, const struct volume *v,
                          struct search_limits *limits)
{
    struct building b = {.all = &p->gather, .from = v};
    struct arena scratch = ARENA_INIT;
    bool whole = build(&b, &scratch) && search_cycles(&b.g, limits, &p->found);

    arena_free(&scratch);
    return whole;
}

/* A trace that was searched with all the races there are has no more. */
void predict_run(struct predict *p)
{
    struct search_limits limits = {CYCLE_LENGTH_MIN, p->max_length,
                                   CYCLES_MAX - 1, STEPS_MAX};
    size_t before = p->found.count;

    for (size_t i = 0; i < p->gather.volumes.count; i++) {
        struct volume *v = p->gather.volumes.list[i];

        if (v->races_known == p->gather.races.count)
            continue;
        v->races_known = p->gather.races.count;
        p->cut |= !search_volume(p, v, &limits);
    }
    cycles_sort(&p->found, before);
}

/* ---- Answers ---- */

const struct cycle *predict_cycles(const struct predict *p, size_t *count)
{
    *count = p->found.count;
    return p->found.list;
}

const struct race *predict_races(const struct predict *p, size_t *count)
{
    *count = p->gather.races.count;
    return p->gather.races.list;
}

/* Sites that never raced were left out rightly. */
struct predict_cut predict_cut(const struct predict *p)
{
    struct predict_cut cut = {.cycles = p->cut};

    for (uint32_t site = 0; site < p->gather.left_out.count; site++) {
        if (!p->gather.left_out.list[site] ||
            !races_have_site(&p->gather.races, site))
            continue;
        if (!cut.instances)
            cut.site = site;
        cut.instances += p->gather.left_out.list[site];
    }
    return cut;
}
