/* SPDX-License-Identifier: MIT
 *
 * A program under test and its SC executions, one after the other.
 */
#ifndef WITNESS_SUBJECT_H
#define WITNESS_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/happening.h"
#include "verify/verify.h"

struct subject {
    const char *name;
    char binary[512];
    char number[16]; /* in its batch */
    char *arguments[2];
    struct arena arena;
    struct program tables;
    struct worker worker;
    bool has_worker;
    int tree; /* of its exploration; -1: not begun */
};

/* An execution on SC; lives in the arena it was made in. */
struct seen {
    uint64_t run;
    struct happening *log;
    size_t count;
    uint32_t *decisions;
    size_t decision_count;
};

/* A program that is compiled already; argument -1: none.  Gives up the whole
 * test if it is none of ours. */
void subject_open(struct subject *s, const char *name, const char *binary,
                  int argument);
void subject_close(struct subject *s);

/* Its n-th execution on SC; false: there are no more. */
bool subject_watch(struct subject *s, uint64_t n, struct arena *a,
                   struct seen *seen);

/* Explores SC up to the next execution that view monitors report on; reports
 * are by enum monitor_kind.  False: there are no more. */
bool subject_explore(struct subject *s, struct arena *a, struct seen *seen,
                     struct channel_report *reports);

/* The report as an execution of that model. */
bool subject_witness(struct subject *s, const struct model *m,
                     const struct seen *seen,
                     const struct channel_report *report, struct arena *a,
                     struct shown *shown);

#endif
