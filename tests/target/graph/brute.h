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
#include "trace/trace.h"

#define BRUTE_EVENTS 14

enum brute_model {
    BRUTE_SC,
    BRUTE_TSO,
    BRUTE_PSO,
    BRUTE_PSLO,
    BRUTE_PSLO_DEPS,
    BRUTE_C11,
    BRUTE_ARM,
    BRUTE_ARM_LLSC,
    BRUTE_ARM_RCPC,
    BRUTE_RISCV,
    BRUTE_POWER,
    BRUTE_MODELS,
    BRUTE_RACES = BRUTE_MODELS, /* C11's: two places in the code, each */
    BRUTE_SC_RACES,             /* SC's, the same */
    BRUTE_UNORDERED,            /* graphs of SC that have a race of C11's */
    BRUTE_SETS
};

/* The graphs of the program on each model.  False: there are too many. */
bool brute_force(const struct mini *p, struct behaviour *b,
                 struct canon_set sets[BRUTE_SETS]);

/* The same on processors, with those that have a cycle of po and rf: loads read
 * any value that anybody ever stores, and only the axioms say which of that is.
 * Of programs that make and join no threads. */
bool brute_force_late(const struct mini *p, struct behaviour *b,
                      struct canon_set sets[BRUTE_SETS]);

/* Two sites, in either order. */
void brute_put_race(struct canon_set *to, uint32_t a, uint32_t b);

/* Called with every candidate as a trace, and whether it is C11's; with two of
 * its events that race, numbers + 1, or 0.  NULL: nobody wants to know. */
extern void (*brute_tells)(const struct trace *t, bool is_c11,
                           const uint32_t race[2]);

/* The same for a processor, with orders as a trace of one has them; and which
 * RMWs it has: a trace does not say whether one is a CAS, nor on what its store
 * depends. */
enum brute_rmws { BRUTE_NO_RMW, BRUTE_EXCHANGES, BRUTE_RMWS };
extern void (*brute_tells_processor)(const struct trace *t, enum brute_model m,
                                     bool is, enum brute_rmws rmws);

#endif
