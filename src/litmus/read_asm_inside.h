/* SPDX-License-Identifier: MIT
 *
 * The parts of the reader of assembly.
 */
#ifndef LITMUS_READ_ASM_INSIDE_H
#define LITMUS_READ_ASM_INSIDE_H

#include "litmus/reader.h"

struct label {
    const char *name;
    uint32_t at;
};

/* A thread on its way. */
struct column {
    VEC(struct label) labels;
    VEC(struct label) jumps; /* `at' jumps to that name */
};

struct assembler {
    struct reader *r;
    const struct asm_arch *arch;
    struct thread *thread;
    struct column *column;
    struct column columns[THREADS_MAX];
};

static inline struct arena *asm_arena(struct assembler *s)
{
    return &s->r->test->arena;
}

/* The operand that the letter of a row asks for (litmus/reader.h).  False:
 * something else is there. */
bool asm_take_operand(struct assembler *s, char letter, struct inst *op);

#endif
