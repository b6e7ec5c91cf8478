/* SPDX-License-Identifier: MIT
 *
 * A random way down the tree of graphs: at each node one child is drawn, all
 * alike.  The product of the numbers of children is an unbiased estimate of the
 * number of leaves (Knuth, 1975), since every execution is one leaf.  Other
 * ways to draw an execution are in graph_forward.c.
 */
#include "graph/graph_forward.h"

/* levels[0] is the node; its children are made in levels[1] and above.  The one
 * that is drawn so far lies in the last. */
#define PICKED WALK_LEVELS

struct descent {
    struct walk walk; /* first: the walk's children find it */
    uint64_t children;
};

/* Each of n children stays with a chance of 1 in n. */
static void draw(struct walk *w, int level)
{
    struct descent *d = (struct descent *)w;

    if (walk_random(w) % ++d->children == 0)
        graph_copy(&w->levels[PICKED], &w->levels[level]);
}

/* The in-place child has the event that was added; its node was left. */
static void tell_ways(const struct walk *w, const struct graph_sampling *how,
                      uint64_t ways)
{
    const struct graph *g = &w->levels[0];
    int e =
        w->extended == NONE ? NONE : graph_last_of(g, (unsigned)w->extended);

    if (how->branched && ways > 1 && e != NONE)
        how->branched(w->search->context, g->events[e].before, ways);
}

static double descend(struct graph_search *s, struct graph_sampling *how)
{
    struct descent d = {.children = 0};
    struct walk *w = &d.walk;
    double weight = 1;
    bool grows = true;

    walk_begin(w, s);
    w->take = draw;
    w->random = how->random;
    graph_begin(&w->levels[0], s);
    while (grows && !s->stop) {
        d.children = 0;
        grows = walk_extend(w, 0);
        /* The node itself is the last child, a leaf if it cannot grow. */
        weight *= (double)(d.children + 1);
        tell_ways(w, how, d.children + 1);
        if (walk_random(w) % (d.children + 1) != 0) {
            graph_copy(&w->levels[0], &w->levels[PICKED]);
            grows = true;
        }
    }
    if (row_any(w->levels[0].claims) || w->in_vain)
        weight = 0; /* that is none */
    else if (!s->stop)
        walk_end(w, &w->levels[0]);
    how->random = w->random;
    walk_free(w);
    return weight;
}

double graph_sample(struct graph_search *s, struct graph_sampling *how)
{
    if (how->how == SAMPLE_DESCENT)
        return descend(s, how);
    forward_sample(s, how);
    return 0;
}
