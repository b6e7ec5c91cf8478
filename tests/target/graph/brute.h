/* SPDX-License-Identifier: MIT
 *
 * The oracle of the graph search: builds every graph in every order of po and
 * rf, with every source and every place in co, and judges the whole ones by the
 * axioms as they are written.  It shares the trie and the recipes of struct
 * model with the search, and nothing else.
 */
#ifndef TEST_BRUTE_H
#define TEST_BRUTE_H

#include "canon.h"
#include "mini.h"

#define BRUTE_EVENTS 14

enum brute_model {
    BRUTE_SC,
    BRUTE_TSO,
    BRUTE_PSO,
    BRUTE_PSLO,
    BRUTE_C11,
    BRUTE_MODELS
};

/* The graphs of the program on each model.  False: there are too many. */
bool brute_force(const struct mini *p, struct behaviour *b,
                 struct canon_set sets[BRUTE_MODELS]);

#endif
