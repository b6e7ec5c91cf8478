/* SPDX-License-Identifier: MIT
 *
 * From C constructs to what the machines do: the table of docs/models.md,
 * and the memory cut into atoms.
 *
 * An atom is a run of bytes that no access of the program divides: all its
 * bytes always move together, so that a value per atom says as much as a
 * value per byte.  A program without mixed sizes has one atom per variable.
 */
#ifndef ORACLE_LOWER_H
#define ORACLE_LOWER_H

#include "program.h"

enum { MAX_ATOMS = 16, MAX_MICROS = 3 * MAX_OPS + 1 };

struct options {
    unsigned buffer;     /* entries a thread's buffer holds, 0: no limit */
    bool locks_paper;    /* --locks paper */
    bool cas_bufferable; /* --cas bufferable */
    bool every_step;     /* do not take steps early that nobody can see */
};

enum micro_kind {
    M_LOAD,
    M_STORE,
    M_RMW,    /* also lock, trylock, post, wait, trywait */
    M_CHOOSE, /* any number below `value`; these four have slots */
    M_FENCE,
    M_SPAWN,
    M_JOIN,
    M_IF,
    M_ATOMIC, /* all micros up to `target` are one step */
    M_EXIT
};

struct micro {
    uint8_t kind;          /* enum micro_kind */
    uint8_t op;            /* M_RMW: enum op_kind */
    uint8_t bits;          /* M_FENCE; OP_AWAIT as there; M_IF: another value */
    uint8_t before, after; /* M_RMW that writes: fences around it */
    uint8_t fail_before, fail_after; /* M_RMW that does not write */
    uint8_t first, count;            /* atoms */
    uint8_t size;                    /* bytes */
    uint8_t target; /* M_SPAWN, M_JOIN: thread; M_IF: micro if not;
                     M_ATOMIC: micro after; OP_AWAIT: likewise */
    int8_t dest;
    uint8_t origin; /* index of the op in its thread */
    uint16_t slot;  /* accesses: one for each of its atoms, from this one on */
    struct operand value, expected;
};

struct atom {
    uint8_t start, length; /* bytes; variable v begins at v * VAR_BYTES */
    uint64_t initial;
};

struct lowered {
    const struct program *program;
    enum model model;
    size_t slot_count; /* slot 0 is nobody's */
    size_t atom_count;
    struct atom atoms[MAX_ATOMS];
    size_t micro_count[MAX_THREADS]; /* the last one is M_EXIT */
    struct micro micros[MAX_THREADS][MAX_MICROS];
    struct {
        uint8_t first, count;
    } observed[MAX_OBSERVED]; /* atoms of what is no register */
};

void lower(struct lowered *l, const struct program *p, enum model model,
           const struct options *options);

/* By a mutex or semaphore? */
bool micro_synchronises(const struct micro *m);

/* The part of an access's value that atom `atom` holds, and its inverse:
 * where in the value that part lies. */
uint64_t atom_part(const struct lowered *l, size_t first, size_t atom,
                   uint64_t value);
unsigned atom_shift(const struct lowered *l, size_t first, size_t atom);

#endif
