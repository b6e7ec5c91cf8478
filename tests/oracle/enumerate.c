/* SPDX-License-Identifier: MIT
 *
 * The outcomes of the states in which a walk over the machine ends.
 */
#include "enumerate.h"

#include <stdlib.h>
#include <string.h>

#include "walk.h"

static void add_outcome(struct walk *w, const struct node *n)
{
    const struct machine *m = &w->machine;
    const struct program *p = m->l.program;
    struct enumerated *e = w->context;
    uint64_t values[MAX_OBSERVED];

    for (size_t i = 0; i < p->observed_count; i++)
        values[i] = p->observed[i].reg >= 0
                        ? m->values[n->state.regs[p->observed[i].reg]]
                        : machine_memory(m, &n->state, m->l.observed[i].first,
                                         m->l.observed[i].count);
    outcomes_add(&e->outcomes, values);
}

bool enumerate(struct enumerated *e, const struct program *p, enum model model,
               const struct options *options, size_t max_states)
{
    struct walk *w = calloc(1, sizeof *w);
    bool complete;

    REQUIRE(w, "out of memory");
    memset(e, 0, sizeof *e);
    outcomes_init(&e->outcomes, p->observed_count);
    w->max_states = max_states;
    w->ended = add_outcome;
    w->context = e;
    complete = walk_all(w, p, model, options);
    e->states = w->states;
    e->stuck = w->stuck;
    free(w);
    return complete;
}
