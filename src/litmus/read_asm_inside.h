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
    VEC(struct label) jumps;   /* `at' jumps to that name */
    bool whole[REGISTERS_MAX]; /* all 64 bits of it are used */
};

struct assembler {
    struct reader *r;
    const struct asm_arch *arch;
    struct thread *thread;
    struct column *column;
    struct column columns[THREADS_MAX];
    /* Of the access that is being read: what is added to its base register
     * after it. */
    int64_t written_back;
    bool last; /* nothing follows the operand that is being read */
};

static inline struct arena *asm_arena(struct assembler *s)
{
    return &s->r->test->arena;
}

/* The operand that the letter of a row asks for (litmus/reader.h).  False:
 * something else is there. */
bool asm_take_operand(struct assembler *s, char letter, struct inst *op);

/* Does the letter take a part of the text? */
bool asm_letter_takes(char letter);

/* d = a alu n, before what is being read: arithmetic that is part of it. */
bool asm_add_helper(struct assembler *s, enum alu alu, int16_t d, int16_t a,
                    int64_t n);

/* A register that no test can name; -1: there is no room. */
int asm_scratch(struct assembler *s);

#endif
