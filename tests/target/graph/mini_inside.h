/* SPDX-License-Identifier: MIT
 *
 * What the files of mini.h share.
 */
#ifndef TEST_MINI_INSIDE_H
#define TEST_MINI_INSIDE_H

#include "mini.h"

/* An atomic block under way: what it touched, in that order. */
struct mini_block {
    bool on;
    unsigned begin, end; /* its instructions; the first is the MINI_BLOCK */
    unsigned count, put; /* parts; those before `put` have been put */
    struct {
        unsigned location;
        uint64_t value;
        bool written;
    } parts[MINI_PARTS];
};

/* Which operations a value depends on, by their places; and on which only by
 * selections. */
struct mini_taint {
    uint64_t deps, picks;
};

struct place {
    unsigned pc, op; /* operations before it */
    struct mini_taint taints[MINI_REGISTERS], ctrl;
    uint64_t stored[MINI_LOCATIONS]; /* picks of its last store there */
    uint64_t registers[MINI_REGISTERS];
    struct mini_block block;
    uint8_t fences; /* since its last operation, if the program folds them */
};

struct mini_run {
    const struct mini *program;
    struct behaviour *behaviour;
    struct place *places; /* by node */
    /* Parts of a block that a location was: first and last, plus 1. */
    struct graph_reach reach[MINI_THREADS][MINI_CODE][MINI_LOCATIONS];
    bool asked, grew;
};

static inline uint64_t mini_value_of(const struct place *at,
                                     struct mini_value v)
{
    return (v.from < 0 ? 0 : at->registers[v.from]) + v.add;
}

/* ---- Dependencies: mini_depends.c ---- */

/* A local instruction is done. */
void mini_taint_local(const struct mini_code *c, struct place *at);
/* The number of the record of what is announced. */
uint32_t mini_depends(struct behaviour *b, const struct mini_code *c,
                      const struct place *at);
/* It was answered. */
void mini_taint_answer(const struct mini_code *c, struct place *at,
                       const struct op *op, uint64_t value);

/* The operation that the thread announced in a block returned that. */
void mini_answer_block(struct place *at, const struct op *op, uint64_t value);

/* An instruction in a block; true: it announces.  *done: it was none of these.
 */
bool mini_run_block(struct mini_run *r, unsigned thread, struct place *at,
                    struct op *op, bool *done);

#endif
