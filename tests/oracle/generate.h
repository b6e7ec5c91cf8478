/* SPDX-License-Identifier: MIT
 *
 * Random small programs, in families that each stress one part of the models.
 * The same seed gives the same program.
 */
#ifndef ORACLE_GENERATE_H
#define ORACLE_GENERATE_H

#include "program.h"

enum family {
    FAMILY_FENCES,     /* plain accesses, weak RMWs, fencer.h fences */
    FAMILY_C11,        /* every order, C11 fences, RMWs, failing and not */
    FAMILY_SIZES,      /* overlapping accesses of 1 to 8 bytes */
    FAMILY_BRANCH,     /* control depends on what was read */
    FAMILY_LOCKS,      /* a mutex, and accesses that do not care for it */
    FAMILY_THREADS,    /* threads that start and join others */
    FAMILY_SEQ_CST,    /* only seq_cst atomics: SC on every model */
    FAMILY_GUARDED,    /* everything under a mutex: SC on every model */
    FAMILY_SEMAPHORES, /* a semaphore, and accesses that do not care for it */
    FAMILY_BLOCKS,     /* fencer_atomic, sizes mixed, and accesses outside */
    FAMILY_RINGS,      /* a cycle through all threads, some fences in it */
    FAMILY_AWAITS,     /* threads that spin, some of them for ever */
    FAMILY_CHOICES,    /* control depends on choices and on what was read */
    FAMILY_SEQLOCKS,   /* a sequence lock, with some of its fences */
    FAMILY_COUNT,
    /* For the axioms and the SAT engine. */
    FAMILY_DEPENDENT = FAMILY_COUNT, /* values that could confirm each other */
    FAMILY_ADDRESSES,                /* arrays and pointers: who knows where */
    ALL_FAMILIES
};

extern const char *const family_names[ALL_FAMILIES];

/* The family of that name, ALL_FAMILIES for NULL; any other name ends the
 * test. */
enum family family_find(const char *name);

struct random {
    uint64_t state;
};

uint64_t random_below(struct random *r, uint64_t n);

/* A program of that family with at most `accesses` memory accesses, named
 * "p<number>".  All programs have the same variables and registers. */
void generate(struct program *p, enum family family, unsigned accesses,
              unsigned number, struct random *r);

#endif
