/* SPDX-License-Identifier: MIT
 *
 * Who runs next.  A strategy looks at the threads' announced operations and
 * buffers and answers with a decision (event/channel.h); it never touches the
 * program.  An execution is the list of its decisions, so any strategy's
 * execution can be replayed by `replay`, which only reads that list.
 */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/channel.h"
#include "event/event.h"
#include "event/happening.h"
#include "model/model.h"

#define SCHED_MAX_THREADS EVENT_THREADS_MAX

/* What a thread is about to do. */
struct sched_op {
    uint64_t address;
    uint32_t site;
    uint8_t kind; /* enum event_kind */
    uint8_t size;
    uint16_t number; /* of a buffered store: which of its thread */
};

/* What a step of the execution touched: all that it looked at and that could
 * have been different, all that it changed.  Two steps of which neither touches
 * what the other changes lead to the same state in either order. */
#define FOOTPRINT_MAX 6

enum touch_kind {
    TOUCH_READ,
    TOUCH_OWN,    /* own stores, still in the buffer */
    TOUCH_CHANGE, /* a write that no load can miss: no history has it */
    TOUCH_WRITE
};

struct touch {
    uint64_t address;
    uint32_t size;
    uint32_t kind; /* enum touch_kind */
};

struct footprint {
    uint8_t count;
    bool all;       /* anything may have been touched */
    bool reads_all; /* it depends on every write before it */
    bool buffer;    /* it depends on all of its thread's buffer */
    struct touch touch[FOOTPRINT_MAX];
};

/* A DECIDE_END's number. */
enum sched_end {
    SCHED_END_REDUNDANT,
    SCHED_END_CUT,
    SCHED_END_STUCK /* nobody that is ready could go on: let them wait */
};

struct sched_thread {
    struct sched_op op;
    uint32_t ready_at;  /* position in view.ready, UINT32_MAX: not there */
    uint32_t timed_at;  /* position in view.timed, likewise */
    uint32_t buffer_at; /* position in view.buffering, likewise */
    uint64_t priority;  /* the strategy's own */
    bool spun;          /* gave way since it last ran: yield, sleep, spin */
    bool cas_failed;    /* its last RMW wrote nothing */
    bool drains;        /* what it is about to do empties its buffer first */
};

/* The lists hold thread numbers in an order that depends on the execution
 * alone, never on an address or a clock. */
struct sched_view {
    const struct model *model;
    struct sched_thread *threads;
    uint32_t thread_count;
    uint32_t current; /* who ran last; perhaps not ready any more */
    uint32_t ready_count, timed_count, buffering_count;
    uint16_t ready[SCHED_MAX_THREADS];     /* may run */
    uint16_t timed[SCHED_MAX_THREADS];     /* wait, but may time out */
    uint16_t buffering[SCHED_MAX_THREADS]; /* have buffered stores */
    uint64_t steps;                        /* of this execution so far */
    /* Positions in that thread's buffer that may commit now, at least one. */
    uint32_t (*committable)(uint32_t thread, uint16_t *positions, uint32_t max);
    /* The store at that position of a thread's buffer; how many there are. */
    struct sched_op (*buffered)(uint32_t thread, uint32_t position);
    uint32_t (*buffered_count)(uint32_t thread);
    /* Would that thread's operation have to wait?  It may run nevertheless. */
    bool (*would_wait)(uint32_t thread);
    /* Can that decision be taken now? */
    bool (*fits)(uint32_t decision);
    /* For a strategy with `footprints`: of the steps since it last cleared
     * it.  NULL for others. */
    struct footprint *footprint;
    /* For a strategy with `logs`: what happened since the execution began.
     * NULL for others. */
    struct happening *log;
    uint32_t log_count, log_room;
    /* What a thread that would wait is about to do, as a pending happening;
     * false: nothing that a monitor judges. */
    bool (*pending)(uint32_t thread, struct happening *h);
    /* The order of writes to different memory matters to somebody (loads that
     * go back to a moment). */
    bool writes_ordered;
    /* Something that the model allows was not offered. */
    bool lossy;
    enum execution_end how; /* it ended */
};

/* All but `name` and the next four may be NULL; of one that works by itself
 * these, too. */
struct strategy {
    const char *name;
    /* A new execution.  `depth` is PCT's, 0 for its default. */
    void (*begin)(uint64_t seed, uint64_t run, uint32_t depth);
    /* Somebody runs, commits or times out.  At least one list is not empty.
     * The decision fits, unless the strategy `repeats`. */
    uint32_t (*next)(const struct sched_view *view);
    /* A number below n for `kind`: how stale a load is, or fencer_choose. */
    uint32_t (*choose)(enum decision_kind kind, uint32_t n);
    /* A phase ended, dense or sparse: back edges to run now without looking,
     * or 0: look at every access. */
    uint32_t (*ticks)(bool after_dense);
    /* That thread was made, or did its operation. */
    void (*made)(const struct sched_view *view, uint32_t thread);
    void (*did)(const struct sched_view *view, uint32_t thread);
    /* That thread is about to make an access in an atomic block; nobody can
     * come before it. */
    void (*inside)(const struct sched_view *view, uint32_t thread,
                   const struct sched_op *op);
    /* The execution is over, as view.how says; buffers are as it left them. */
    void (*end)(const struct sched_view *view);

    /* Does the whole job, with threads that run by themselves (runtime/
     * native.h): no execution is run, and nobody asks what comes next. */
    void (*work)(bool by_process);

    /* The search, from one execution to the next.
     *
     * A job begins, or goes on in another process: what it is to do is in the
     * channel, and so is all that the search must not lose with its process.
     * False: no memory. */
    bool (*open)(struct channel *job, const struct model *model);
    /* Another job begins in the same process. */
    void (*forget)(void);
    /* Number of the execution to come; else they are counted. */
    uint64_t (*run)(void);
    /* Is there none to come, or none that is worth it?  If there is one it is
     * prepared: run it. */
    bool (*is_over)(const struct channel *job);
    /* Did the last execution do what it was to do? */
    bool (*is_done)(void);
    /* Is it one of those that count? */
    bool (*counts)(void);
    /* Every execution was explored, and none was cut. */
    bool (*is_exhausted)(void);
    /* A process died in the middle of the execution. */
    void (*abandon)(const struct sched_view *view);

    bool footprints; /* it wants to see them */
    bool logs;       /* and what happens */
    bool explores;   /* each execution once: nothing may depend on luck, spin
                        loops and assumptions wait instead of ending it */
    bool repeats;    /* decisions of another execution, perhaps of another
                        program: where one does not fit, any will do */
};

extern const struct strategy strategy_random, strategy_pct, strategy_pos,
    strategy_rr, strategy_every, strategy_replay, strategy_relaxer,
    strategy_orion, strategy_directed, strategy_witness;

/* Where `every` keeps its search tree, if not in the channel: zeroes at first,
 * and then what it left there, in whatever process. */
void strategy_every_region(void *region, uint64_t size);
uint64_t strategy_every_size(void); /* bytes that are in use there */
/* What is not among the executions; NULL: nothing is missing. */
const char *strategy_every_missing(void);

#endif
