/* SPDX-License-Identifier: MIT
 *
 * The engine of `fencer check` on one C file: lowered once, then every outcome
 * of a program in it on a model.  Nothing but this, engine.c and tool.c knows
 * the code under test.
 */
#ifndef ORACLE_SAT_H
#define ORACLE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sat_file;

enum sat_end {
    SAT_DONE,
    SAT_REFUSED, /* named: something that has no meaning there */
    SAT_WRONG    /* the engine contradicts itself */
};

/* NULL: it does not compile or was refused; the reason is in `error`. */
struct sat_file *sat_file_new(const char *source, const char *cflags,
                              char *error, size_t error_size);
void sat_file_free(struct sat_file *f);

/* How the formula is made; all of them have the same solutions. */
enum sat_way { SAT_LAZY, SAT_CHORDAL, SAT_CUBIC, SAT_NO_RANGES, SAT_WAYS };

struct sat_wish {
    enum sat_way way;
    const char *entry; /* procedure: "main", "p7" */
    const char *model;
    const void *encoded; /* a struct model for the formula, if not that one */
    size_t width;        /* values that are observed */
    /* Called for each outcome, once. */
    void (*outcome)(void *context, const int64_t *values);
    void *context;
};

struct sat_counts {
    uint64_t solves, outcomes, rounds; /* rounds: unrolled so often */
};

/* Adds to the counts.  Every execution that is found is given to the checker of
 * axioms as well. */
enum sat_end sat_outcomes(const struct sat_file *f, const struct sat_wish *wish,
                          struct sat_counts *counts, char *error,
                          size_t error_size);

/* Can the entry fail, by an assertion that does not hold? */
enum sat_end sat_fails(const struct sat_file *f, const struct sat_wish *wish,
                       struct sat_counts *counts, bool *fails, char *error,
                       size_t error_size);

#endif
