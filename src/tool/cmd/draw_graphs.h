/* SPDX-License-Identifier: MIT
 *
 * Executions by chance on a model without a machine: what fencer test does on
 * ARM, RISC-V and C11.
 */
#ifndef CMD_DRAW_GRAPHS_H
#define CMD_DRAW_GRAPHS_H

#include "cmd/command.h"
#include "cmd/sample.h"

struct draw_graphs {
    struct call *call;
    const struct model *model;
    uint64_t first, runs; /* executions [first, runs) */
    uint64_t ms;          /* so long at most */
    /* A failure or race of a new sort that the axioms allow. */
    void (*found)(void *context, struct shown *s);
    void *context;
};

/* All mappings of C to the model have a share.  *sum: what it came to.  False:
 * e says what is wrong with the machine. */
bool draw_graphs(const struct draw_graphs *d, struct sample *sum,
                 struct err *e);

#endif
