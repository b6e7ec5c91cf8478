/* SPDX-License-Identifier: MIT
 *
 * The parts of the reader of litmus files.
 */
#ifndef LITMUS_READER_H
#define LITMUS_READER_H

#include "litmus/lexer.h"
#include "litmus/program.h"

struct reader {
    struct litmus *test;
    struct tokens in;
};

/* ---- assembly: a table of rows for each architecture ---- */

/* What an operand of a row is, a letter each, in order:
 *   d       the destination
 *   a b c   sources
 *   u       both: d and a
 *   i       a number
 *   h       a number, 12 bits higher
 *   w       a number, perhaps shifted to the left
 *   x       the same; d has it put into 16 of its bits
 *   o       a number or a register (b), perhaps shifted or extended
 *   m       memory: [x], [X1,#4], [X1,W2,SXTW], [X1],#4, 0(x5), (%rax)
 *   p q     registers whose sum is the address; r0 as `p' is zero
 *   l       a label
 *   f       a word that says which barrier
 *   g       the same, and one for stores keeps later loads, too
 *   v       two words that say which fence: rw,w
 *   k       a condition
 *   t       the number of a bit of the last register
 *   *       memory without brackets: a name
 * Letters that take nothing, for what is put together from several operations:
 *   1 2     a becomes 1, or -1
 *   + - ^   b becomes b + 1, -b, ~b
 *   >       a becomes b + 1
 *   z Z     a becomes its lower half, without a sign; Z if that is all of it
 *   ~       the last source is the number -1 */
struct asm_row {
    const char *name;
    const char *operands;
    uint8_t kind, alu; /* enum inst_kind, enum alu */
    uint8_t size;      /* 0: as the register says */
    uint16_t flags;    /* enum asm_flag */
    uint32_t read, write;
};

enum asm_flag {
    ASM_ORDERS = 1,     /* the name may have one of the suffixes */
    ASM_SETS_FLAGS = 2, /* and not, or also, a register */
    ASM_NO_RESULT = 4,
    ASM_ON_FLAGS = 8,  /* compares the flags with 0 */
    ASM_LOCKED = 16,   /* only behind `lock', or it were two accesses */
    ASM_ONE = 32,      /* its last operand is 1 */
    ASM_ON_EAX = 64,   /* that is what it compares with, and its result */
    ASM_SIGNED = 128,  /* a load of fewer bytes that keeps their sign */
    ASM_UNSIGNED = 256 /* one of 4 bytes that does not */
};

struct asm_suffix {
    const char *text;
    uint32_t read, write;
    uint8_t size; /* 0: as it was */
};

/* A word and the marks, or the enum alu, that it stands for. */
struct asm_word {
    const char *text;
    uint32_t means;
};

struct asm_arch {
    const char *const *heads; /* what the file's first line says */
    const struct asm_row *rows;
    const struct asm_suffix *suffixes;
    const struct asm_word *barriers, *conditions;
    /* The one name of a register, or NULL: it is none; "" is the one that is
     * always zero.  *size: what its name says of the width. */
    const char *(*reg)(const char *word, struct arena *a, uint8_t *size);
    /* What is written to the lower half of a register clears the other one. */
    bool zero_extends;
    bool narrow_names; /* and there is a name for that half */
};

extern const struct asm_arch asm_aarch64, asm_riscv, asm_x86, asm_x86_64,
    asm_ppc;

/* Every thread has these two registers first. */
enum { REGISTER_ZERO, REGISTER_FLAGS };

/* All threads, row by row, up to the condition. */
bool read_asm(struct reader *r, const struct asm_arch *arch);

/* ---- C ---- */

bool read_c(struct reader *r);

/* ---- the rest ---- */

/* What is between the braces. */
bool read_initial(struct reader *r, const struct asm_arch *arch);

/* locations, filter, and the condition. */
bool read_conditions(struct reader *r, const struct asm_arch *arch);

/* A register's name as conditions and initial values write it. */
int reader_register(struct reader *r, const struct asm_arch *arch,
                    struct thread *p, const char *word);

/* False, with a line, if page tables, memory tags or instructions as values
 * come next. */
bool reader_refuse_system(struct reader *r);

/* "0:" or "P0:"; false: something else is next. */
bool reader_take_thread(struct reader *r, uint32_t *thread);

#endif
