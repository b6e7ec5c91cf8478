/* SPDX-License-Identifier: MIT
 *
 * What a thread of a litmus test may do by itself: one trace for each sequence
 * of values that its loads may return.  A load returns any value of the domain
 * of its cell; a domain begins with the initial value and grows by what is
 * stored, until nothing is new.  That is all there can be where no value comes
 * out of thin air.
 */
#ifndef LITMUS_TRACE_H
#define LITMUS_TRACE_H

#include "base/err.h"
#include "litmus/program.h"

#define CELLS_MAX 48

/* An event; the sets are bits, by the numbers of events in its thread. */
struct litmus_event {
    uint32_t marks; /* enum relation_mark */
    int16_t cell;   /* -1: a fence */
    int8_t rmw;     /* of a store: the load that is one with it, or -1 */
    bool pair;      /* and the two are exclusives */
    uint8_t size;
    int64_t value;
    uint64_t addr, data, ctrl, pick_addr, pick_data, pick_ctrl;
};

struct trace {
    struct litmus_event *events;
    size_t count;
    int64_t *registers; /* in the end */
    uint64_t *ppo;      /* rows: the closure of what the model keeps */
};

struct traces {
    VEC(struct trace);
    uint32_t stores; /* at most, in one of them */
};

/* A place in memory, found when it is accessed. */
struct cell {
    int64_t address;
    uint8_t size; /* of all accesses to it; 0: there was none */
    int64_t initial;
    VEC(int64_t) domain;
    size_t known; /* of these, when this pass began */
};

struct unfold {
    const struct litmus *test;
    const struct thread *threads; /* as compiled for the model */
    struct arena *arena;
    double until;        /* 0: no limit */
    bool picks;          /* values that only select are followed */
    bool status_depends; /* the result of a store exclusive is a dependency */
    VEC(struct cell) cells;
    struct traces traces[THREADS_MAX];
    bool cut;        /* a loop went on */
    const char *why; /* it cannot be judged; NULL: nothing stands against it */
};

/* The number of the cell there, made if it is new; -1: `why' says why not. */
int unfold_cell(struct unfold *u, int64_t address, uint8_t size);

/* Fills cells and traces; false: `why' says what stands against it. */
bool unfold_threads(struct unfold *u);

#endif
