/* SPDX-License-Identifier: MIT
 *
 * A litmus test as a program: threads of small instructions on registers, the
 * same for every architecture and for C.  Who reads a file writes these; who
 * runs a thread knows nothing else.
 *
 * A value is a number of 64 bits.  Addresses are such numbers too: location i
 * begins at ADDRESS_OF(i), so that pointers can be stored, added to, compared.
 */
#ifndef LITMUS_PROGRAM_H
#define LITMUS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

#define ADDRESS_SHIFT 32
#define ADDRESS_BASE ((int64_t)1 << 60) /* far from numbers */
#define ADDRESS_OF(i) (ADDRESS_BASE + ((int64_t)((i) + 1) << ADDRESS_SHIFT))
#define THREADS_MAX 16
#define REGISTERS_MAX 96
#define EVENTS_MAX 64 /* of a whole execution: a row is one word */

enum litmus_arch {
    ARCH_AARCH64,
    ARCH_RISCV,
    ARCH_X86,
    ARCH_PPC,
    ARCH_C,
    ARCH_COUNT
};

enum inst_kind {
    INST_SET,   /* d = value */
    INST_ALU,   /* d = a alu (b or imm) */
    INST_LOAD,  /* d = memory */
    INST_STORE, /* memory = a (or imm) */
    INST_LX,    /* the load of a pair of exclusives */
    INST_SX,    /* its store: d is 0 if it succeeded */
    INST_RMW,   /* d = memory; memory = d alu (a or imm) */
    INST_CAS,   /* d: compared with, and then what was read; a: the new value */
    INST_FENCE,
    INST_JUMP,
    INST_BRANCH, /* if a alu (b or imm), to the target */
    INST_SELECT, /* d = flags alu 0 ? a : b; c: the flags */
    INST_TAINT,  /* a branch that leads nowhere: all depends on a */
    INST_STOP
};

enum alu {
    ALU_ADD,
    ALU_SUB,
    ALU_AND,
    ALU_OR,
    ALU_XOR,
    ALU_CLEAR, /* a & ~b */
    ALU_MUL,
    ALU_SHL,
    ALU_SHR,
    ALU_SAR,
    ALU_MAX,
    ALU_MIN,
    ALU_UMAX,
    ALU_UMIN,
    ALU_SWAP, /* b */
    ALU_EQ,
    ALU_NE,
    ALU_LT,
    ALU_LE,
    ALU_GT,
    ALU_GE,
    ALU_ALWAYS
};

/* C11's orders; of a plain access, ORDER_NA. */
enum litmus_order {
    LITMUS_NA,
    LITMUS_RLX,
    LITMUS_ACQ,
    LITMUS_REL,
    LITMUS_ACQ_REL,
    LITMUS_SC
};

#define NO_REGISTER (-1)

struct inst {
    uint8_t kind, alu;
    uint8_t size;          /* in bytes, of an access or of arithmetic */
    uint8_t order, failed; /* of C, enum litmus_order; of a failing CAS */
    bool pair;             /* an RMW or CAS that is a pair of exclusives */
    bool branch;           /* on what it read, after it */
    bool status_branch;    /* and on its store's success */
    bool immediate;        /* imm instead of the last source register */
    bool no_result;        /* an RMW whose result nobody gets */
    bool boolean;          /* a CAS of C: d2 says whether it succeeded */
    bool weak;             /* and it may fail for no reason */
    int16_t d, a, b, c;    /* registers */
    int16_t d2;            /* INST_CAS of C: where the flag goes */
    int16_t base, index;   /* the address: registers, and */
    int64_t offset;
    int64_t imm;
    uint32_t read, write; /* marks of its events; of a fence in `read' */
    uint32_t fence;       /* of C: which of Fencer's fences, else 0 */
    uint32_t target;      /* an instruction */
    uint32_t line;
};

/* What a test declares a register or location to be. */
struct number_type {
    uint8_t width; /* bytes; 0: nothing was declared */
    bool is_unsigned;
};

struct thread {
    VEC(struct inst);
    const char *registers[REGISTERS_MAX]; /* their names */
    size_t register_count;
    int64_t initial[REGISTERS_MAX];
    struct number_type types[REGISTERS_MAX];
};

struct location {
    const char *name;
    struct number_type type;
    uint32_t element;     /* bytes of one */
    VEC(int64_t) initial; /* of its elements; one, unless it is an array */
};

enum condition_op {
    CONDITION_TRUE,
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_REGISTER, /* thread, place: number of the register */
    CONDITION_MEMORY    /* place: the address */
};

struct condition {
    uint8_t op;
    uint8_t thread;
    int64_t place, value;
    uint32_t a, b; /* conditions before it */
};

enum quantifier { QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS, QUANTIFIER_FORALL };

/* What a state shows: a register, or an element of memory. */
struct shown {
    uint8_t thread; /* of a register */
    bool memory;
    bool whole;    /* all elements of an array, from place */
    int64_t place; /* register or address */
};

struct litmus {
    struct arena arena; /* everything of it */
    enum litmus_arch arch;
    const char *name;
    struct thread threads[THREADS_MAX];
    size_t thread_count;
    VEC(struct location) locations;
    VEC(struct condition) conditions;
    uint32_t condition, filter; /* in that list; the first is TRUE */
    enum quantifier quantifier;
    VEC(struct shown) shown;
};

/* The location at that address, and which of its elements; -1: none. */
int litmus_location_at(const struct litmus *t, int64_t address,
                       uint32_t *element);

/* The register of that name, made if it is new; -1: there is no room. */
int litmus_register(struct litmus *t, struct thread *p, const char *name);

/* The location of that name, made if it is new. */
int litmus_location(struct litmus *t, const char *name);

#endif
