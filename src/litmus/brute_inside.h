/* SPDX-License-Identifier: MIT
 *
 * A candidate: events, and relations as rows of bits.
 */
#ifndef LITMUS_BRUTE_INSIDE_H
#define LITMUS_BRUTE_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

#define BRUTE_EVENTS 64

typedef struct {
    uint64_t row[BRUTE_EVENTS]; /* of a: all b that a is related to */
} bits;                         /* the one typedef: it is a value of algebra */

struct candidate {
    unsigned count;
    uint32_t marks[BRUTE_EVENTS]; /* an initial write is W alone */
    int cell[BRUTE_EVENTS];       /* -1: a fence */
    int thread[BRUTE_EVENTS];     /* -1: an initial write */
    bool merges[BRUTE_EVENTS];    /* the store of an RMW of one instruction, of
                                     which `mate' is the load */
    int mate[BRUTE_EVENTS];       /* of the store of an RMW; or -1 */
    bits po, addr, data, ctrl, pick_addr, pick_data, pick_ctrl;
    bits amo, lxsx, rf, co, fr;
};

/* Coherence and atomicity, which every model has. */
bool brute_is_coherent(const struct candidate *c);

/* Does the model allow it?  *race: C11, and it is undefined.  NULL: nobody has
 * written that model down. */
typedef bool brute_model(const struct candidate *c, bool *race);
brute_model *brute_find(const struct model *m);

#endif
