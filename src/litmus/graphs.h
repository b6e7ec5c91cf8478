/* SPDX-License-Identifier: MIT
 *
 * All executions of a litmus test by the engine of fencer verify
 * (src/target/graph): the threads are interpreted behind its trie, so nothing
 * is compiled.  C is given to it as it is written; assembly as C of a mapping
 * of its own, whose rows are the instructions of the test.
 */
#ifndef LITMUS_GRAPHS_H
#define LITMUS_GRAPHS_H

#include "litmus/execute.h"
#include "model/model.h"

/* Calls `found' for every execution that the model allows; u->threads are those
 * of the test.  `mapping' by name, NULL: the model's first.  False: u->why says
 * what stands against it. */
bool graphs_all(struct unfold *u, const struct model *m, const char *mapping,
                found_execution *found, void *arg);

#endif
