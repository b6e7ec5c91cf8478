/* SPDX-License-Identifier: MIT
 *
 * The small language of the oracles: threads of loads, stores, RMWs, fences,
 * locks, semaphores and atomic blocks over a few variables.  parse.c reads it
 * from C, print.c writes it as C, enumerate.c runs it on the machines of
 * docs/models.md, axioms.c on the axioms.  Nothing here, and nothing in this
 * folder but tool.c, knows the code under test.
 */
#ifndef ORACLE_PROGRAM_H
#define ORACLE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MAX_THREADS = 4,
    MAX_OPS = 16, /* of one thread */
    MAX_VARS = 8,
    MAX_REGS = 16,
    MAX_OBSERVED = 16,
    MAX_NAME = 40,
    VAR_BYTES = 8 /* every variable has a cell of this size for itself */
};

enum order {
    PLAIN,
    RELAXED,
    CONSUME,
    ACQUIRE,
    RELEASE,
    ACQ_REL,
    SEQ_CST,
    ORDER_COUNT
};

enum op_kind {
    OP_NONE,
    OP_LOAD,
    OP_STORE,
    OP_XCHG,
    OP_ADD,
    OP_CAS,
    OP_FENCE,     /* bits: enum fence_bit */
    OP_C11_FENCE, /* order */
    OP_NOTHING,   /* a signal fence or compiler barrier */
    OP_LOCK,
    OP_TRYLOCK, /* 0: taken, BUSY: not */
    OP_UNLOCK,
    OP_POST,
    OP_WAIT,
    OP_TRYWAIT, /* 0: taken, BUSY: not */
    OP_SPAWN,   /* target: thread */
    OP_JOIN,
    OP_IF,     /* reg == value, else skip the next `skip` ops */
    OP_ATOMIC, /* the next `skip` ops, plain loads and stores, are one step */
    OP_CHOOSE, /* any number below `value`, a constant */
    OP_AWAIT   /* a loop until it reads `value`, or with bits anything else */
};

enum { BUSY = 16 }; /* EBUSY; litmus.h's trywait says so too */

enum fence_bit { SS = 1, SL = 2, LL = 4, LS = 8, FULL = 16 };

/* What is stored or compared: a constant, or a register plus a constant. */
struct operand {
    int8_t reg; /* -1: none */
    uint64_t constant;
};

struct place {
    uint8_t var, offset, size;
};

struct op {
    uint8_t kind; /* enum op_kind */
    uint8_t order, fail_order;
    uint8_t bits;
    uint8_t skip, target;
    int8_t dest;         /* register, -1: none */
    int8_t dep;          /* the address depends on this register, -1: none */
    uint8_t index;       /* 1 + register, 0: none: of an array, element 1 if */
    uint8_t index_value; /* it has this value, else element 0 */
    bool through; /* place is a pointer, and what it points to is meant */
    struct place place;
    struct operand value;     /* stored, exchanged, added, desired; OP_IF */
    struct operand expected;  /* CAS */
    uint16_t line, last_line; /* where it stands, if it was read from a file */
};

enum var_kind {
    VAR_INT,
    VAR_ATOMIC,
    VAR_CELL,
    VAR_MUTEX,
    VAR_SEM,
    VAR_ARRAY,  /* int a[2]; */
    VAR_POINTER /* int *p = &x; */
};

/* The value of &v is this and the number of v, which is 0 or 1. */
enum { ADDRESS_OF = 1000, POINTED_TO = 2 };

struct var {
    char name[MAX_NAME];
    enum var_kind kind;
    uint64_t initial;
};

struct thread {
    char name[MAX_NAME];
    bool started; /* by the main program; others need OP_SPAWN */
    size_t op_count;
    struct op ops[MAX_OPS];
};

/* A register or what memory holds at the end. */
struct observed {
    char label[MAX_NAME];
    int8_t reg; /* -1: `place` */
    struct place place;
};

/* The EXISTS condition in postfix: push value, push constant, compare... */
enum term_kind {
    TERM_OBSERVED,
    TERM_CONSTANT,
    TERM_EQ,
    TERM_NE,
    TERM_AND,
    TERM_OR
};
enum { MAX_TERMS = 48 };

struct term {
    enum term_kind kind;
    uint64_t value; /* index of the observed, or the constant */
};

enum verdict { VERDICT_NONE, NEVER, SOMETIMES, ALWAYS };

/* MODEL_COUNT of them have a machine; CheckFence's Relaxed has axioms only. */
enum model {
    SC,
    TSO,
    PSO,
    PSLO,
    MODEL_COUNT,
    CHECKFENCE = MODEL_COUNT,
    AXIOMS_COUNT
};

struct program {
    char name[MAX_NAME];
    size_t var_count, reg_count, thread_count, observed_count, term_count;
    struct var vars[MAX_VARS];
    char regs[MAX_REGS][MAX_NAME];
    struct thread threads[MAX_THREADS];
    struct observed observed[MAX_OBSERVED];
    struct term terms[MAX_TERMS];
    enum verdict verdict[MODEL_COUNT]; /* as the head states it */
    enum verdict language;             /* the same for C11, if it does */
    bool language_races;
};

extern const char *const model_names[AXIOMS_COUNT];

/* Ends the test with a message if cond does not hold: an oracle that goes on
 * with a broken program would bless anything. */
#define REQUIRE(cond, ...)                                                     \
    do {                                                                       \
        if (!(cond))                                                           \
            require_failed(__FILE__, __LINE__, __VA_ARGS__);                   \
    } while (0)
_Noreturn void require_failed(const char *file, int line, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

/* Value of an operand, given the registers. */
uint64_t operand_value(struct operand o, const uint64_t *regs);
/* v cut to `size` bytes. */
uint64_t cut_to_size(uint64_t v, unsigned size);

bool op_loads(const struct op *op);
bool op_is_rmw(const struct op *op);
bool op_synchronises(const struct op *op); /* by a mutex or semaphore */
bool op_accesses(const struct op *op);

/* Does the EXISTS condition hold for these observed values? */
bool program_holds(const struct program *p, const uint64_t *values);

/* The same threads, variables, observations and condition, wherever they
 * stand? */
bool program_equal(const struct program *a, const struct program *b);

#endif
