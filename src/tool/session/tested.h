/* SPDX-License-Identifier: MIT
 *
 * What came of a test of a data type on a model: src/check/engine fills it, and
 * src/tool/report tells it.
 */
#ifndef SESSION_TESTED_H
#define SESSION_TESTED_H

#include <stddef.h>
#include <stdint.h>

#include "event/program.h"
#include "model/model.h"
#include "session/answer.h"

/* SPECIFICATION(NAME, its word in JSON) */
#define TEST_SPECIFICATIONS(SPECIFICATION)                                     \
    SPECIFICATION(NONE, NULL) /* assertions only */                            \
    SPECIFICATION(MINED, "mined")                                              \
    SPECIFICATION(KEPT, "kept") /* in a file, by an earlier run */             \
    SPECIFICATION(REFERENCE, "reference")                                      \
    SPECIFICATION(FORMULA, "formula")

enum test_specification {
#define SPECIFICATION(name, word) TEST_SPEC_##name,
    TEST_SPECIFICATIONS(SPECIFICATION)
#undef SPECIFICATION
};

/* What it took, under the keys of the JSON.  Solves are questions, and cycle
 * clauses were added between them; loop bounds grew in each round.
 * bounds_seconds are those of encode and solve that showed that they suffice.
 */
#define EFFORT_COUNTS(COUNT)                                                   \
    COUNT(accesses)                                                            \
    COUNT(instructions)                                                        \
    COUNT(variables)                                                           \
    COUNT(clauses)                                                             \
    COUNT(solves)                                                              \
    COUNT(cycle_clauses)                                                       \
    COUNT(rounds)
#define EFFORT_SIZES(SIZE)                                                     \
    SIZE(mining_seconds)                                                       \
    SIZE(encode_seconds)                                                       \
    SIZE(solve_seconds)                                                        \
    SIZE(bounds_seconds)                                                       \
    SIZE(seconds)                                                              \
    SIZE(memory_mib)

struct effort {
#define COUNT(name) uint64_t name;
#define SIZE(name) double name;
    EFFORT_COUNTS(COUNT)
    EFFORT_SIZES(SIZE)
#undef SIZE
#undef COUNT
};

/* One test on one model.  Nobody came to it if nothing is `done`. */
struct tested {
    const char *test;     /* "T0" */
    const char *notation; /* "( e | d )"; NULL: a program with a main */
    const struct model *model;
    struct done done;
    enum test_specification specification;
    uint64_t observations; /* if they were mined or given */
    struct effort effort;
};

static inline bool tested_counts_observations(const struct tested *t)
{
    return t->specification != TEST_SPEC_NONE &&
           t->specification != TEST_SPEC_FORMULA;
}

/* A fence in the source, or one that belongs there. */
struct needed_fence {
    struct fencer_site site; /* of the access before it, or its own */
    uint8_t bits;            /* enum model_fence */
    const char *test;        /* one that needs it, or NULL */
    const struct model *model;
};

#endif
