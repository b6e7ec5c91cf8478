/* SPDX-License-Identifier: MIT
 *
 * Brute force: every trace, every source of every load, every order of stores,
 * and of each of these the model as its papers have it, written out in C.  It
 * shares with the other engines what a thread may do, and nothing of what a
 * model says: who doubts a term asks here.
 */
#ifndef LITMUS_BRUTE_H
#define LITMUS_BRUTE_H

#include "litmus/execute.h"
#include "model/model.h"

/* Calls `found' for every execution that the model allows; u->traces are there.
 * False: u->why says what stands against it. */
bool brute_all(struct unfold *u, const struct model *m, found_execution *found,
               void *arg);

#endif
