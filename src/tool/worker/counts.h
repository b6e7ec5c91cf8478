/* SPDX-License-Identifier: MIT
 *
 * What the executions of one program on one model came to, over many jobs.
 * Plain numbers and texts, so that it can be kept as it is, byte by byte.
 */
#ifndef WORKER_COUNTS_H
#define WORKER_COUNTS_H

#include "base/tally.h"
#include "worker/worker.h"

/* Why an exploration did not have every execution; bits. */
enum counts_cut {
    CUT_BOUND = 1,   /* preemptions */
    CUT_UNROLL = 2,  /* iterations of a loop */
    CUT_EVENTS = 4,  /* events of an execution */
    CUT_STOPPED = 8, /* time limit, interrupt, or a failure was enough */
    CUT_ENGINE = 16  /* see `why` */
};

struct counts {
    uint64_t executions; /* none of them another one again */
    uint64_t complete;   /* of those, not cut by a limit or fencer_assume */
    uint64_t failed, assumed, cut, redundant;
    uint64_t too_long; /* of those that were cut: not by `unroll` */
    uint64_t events, distinct;
    uint64_t by_kind[FAIL_KIND_COUNT];
    uint64_t outcomes_lost;
    uint64_t extern_hits[8];
    uint32_t checked;         /* 1: an assertion or the like was reached */
    uint32_t unwatched_local; /* a site */
    uint32_t drain_count; /* calls that acted as a full fence: their sites */
    uint32_t drain_sites[CHANNEL_DRAINS_MAX];
    uint32_t await_count;                /* loops that waited: */
    uint32_t awaits[CHANNEL_AWAITS_MAX]; /* sites, by number */
    uint32_t exhausted;   /* 1: came to its end; there are no others */
    uint32_t over;        /* 1: it has answered what it was asked */
    uint32_t as_graphs;   /* 1: no monitor has watched */
    uint64_t blocked;     /* graphs that are no execution */
    uint32_t unprotected; /* 1: some executions are perhaps not found, since a
                             load may be later than a store behind it: sites */
    uint32_t unprotected_load, unprotected_store;
    uint32_t mappings_differ;  /* 1: on that processor, to this program */
    uint32_t symmetric;        /* 1: of equal threads one order counts */
    uint32_t without_spurious; /* 1: who waited for a condition was told */
    uint32_t by_process;
    char by_process_why[128];
    double seconds;

    /* Of an exploration. */
    uint64_t borderline[CHANNEL_MONITORS_MAX];
    uint32_t doubts[CHANNEL_MONITORS_MAX]; /* enum monitor_doubt */
    double first_report[CHANNEL_MONITORS_MAX];
    uint32_t reported; /* monitors that reported: bits */
    uint32_t unroll_site;
    uint32_t cuts; /* enum counts_cut */
    uint32_t race_count;
    char why[128];
    char race[512]; /* by C11's happens-before, in words; empty: none is known
                     */
    struct channel_race races[CHANNEL_RACES_MAX];
};

/* Adds what the worker's job came to, and to `outcomes` (NULL: not wanted)
 * what its executions observed.  Reports and races are their finder's to
 * judge. */
void counts_take(struct counts *n, const struct worker *w,
                 struct tally *outcomes, struct arena *a);

/* Adds the counts of other executions. */
void counts_add(struct counts *to, const struct counts *from);

/* The first reason for `why` or `by_process_why` stays. */
void counts_set_text(char to[128], const char *from);

#endif
