/* SPDX-License-Identifier: MIT
 *
 * Loads in parts, where loads return older values (docs/models.md, sizes).  A
 * load that takes some of its parts, not all, from a store of its own thread
 * found that store in memory, or still in the buffer.  In memory: the moment to
 * which the load looks back is not before the store.  In the buffer: what the
 * thread had done by then, its loads, RMWs, creations and joins, comes before
 * the store.  The solver chooses which of the two it was; the edges are
 * thread.c's.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_graph.h"

static bool returns_older(const struct model *m)
{
    return m->delays_stores && m->reorders_loads && !m->loads_move_down;
}

static const struct flat_event *first_of(const struct encoding *x,
                                         uint32_t node)
{
    return &x->flat->events[x->node_events[x->node_first[node]]];
}

/* The load of a part takes it from that node. */
static int reads_from(struct encoding *x, uint32_t load, uint32_t node)
{
    int reads = LIT_FALSE;

    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        const struct link *l = &x->links[load][i];

        if (x->accesses[l->store].node == node)
            reads = solver_or(x->solver, reads, l->reads);
    }
    return reads;
}

static void add_torn(struct encoding *x, uint32_t load, uint32_t store)
{
    struct solver *s = x->solver;
    int any = LIT_FALSE, all = LIT_TRUE, torn, in_memory;

    for (uint32_t i = x->node_first[load]; i < x->node_first[load + 1]; i++) {
        int reads = reads_from(x, x->node_events[i], store);

        any = solver_or(s, any, reads);
        all = solver_and(s, all, reads);
    }
    torn = solver_and(s, any, -all);
    if (torn == LIT_FALSE)
        return;
    in_memory = solver_new_lit(s);
    VEC_PUSH(&x->torn, {load, store, solver_and(s, torn, in_memory),
                        solver_and(s, torn, -in_memory)});
}

void torn_encode(struct encoding *x)
{
    if (x->statement || keeps_program_order(x) || !returns_older(x->model))
        return;
    for (uint32_t load = 0; load < x->node_count; load++) {
        const struct flat_event *l = first_of(x, load);

        if (l->kind != FLAT_LOAD || !l->parts || l->flags & FLAT_RMW)
            continue;
        for (uint32_t store = load; store-- > 0;) {
            const struct flat_event *s = first_of(x, store);

            if (s->thread != l->thread)
                break;
            if (s->kind == FLAT_STORE && !(s->flags & (FLAT_RMW | FLAT_GHOST)))
                add_torn(x, load, store);
        }
    }
}
