/* SPDX-License-Identifier: MIT
 *
 * Random executions as graphs (STRATEGY_DESCENT and the like).  One worker does
 * all of them, because what it finds out about the program decides how later
 * ones are drawn.  It stops at a failure or a data race of a new sort, whose
 * execution is in its channel as steps, or as a trace where the model has no
 * machine.
 */
#ifndef CMD_SAMPLE_GRAPHS_H
#define CMD_SAMPLE_GRAPHS_H

#include "cmd/sample.h"

/* Is it one of these strategies? */
bool strategy_makes_graphs(uint64_t strategy);

struct sample_graphs {
    const struct job *base; /* all of the job but its range */
    uint64_t first, runs;   /* executions [first, runs) */
    bool keep_going;
    uint64_t until_ms;
    struct arena *arena;
    /* A failure or race of a new sort.  False: e says why nothing more can be
     * done. */
    bool (*found)(void *context, const struct worker *w, struct err *e);
    void *context;
};

/* False: e says what is wrong with the machine. */
bool sample_graphs(const struct sample_graphs *g, struct sample *s,
                   struct err *e);

/* Adds what other executions came to. */
void sample_add(struct sample *to, const struct sample *s, struct arena *a);

#endif
