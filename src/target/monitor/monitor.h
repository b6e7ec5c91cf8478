/* SPDX-License-Identifier: MIT
 *
 * Monitors: from SC executions alone, could a relaxed machine leave SC here?
 * The door of this folder.
 *
 * Each monitor watches one SC execution, happening by happening, and says of
 * each operation that a thread is about to make whether the model could let it
 * take effect where no SC execution has it ("lo < hi").
 * Linked into the tested program: no malloc, no stdio, fixed memory.
 *
 *   tso pso pslo     views; exact, whatever execution stands for its trace
 *   sober            CAV 2008 as published; misses some (see its head comment)
 *   tso-clocks       the same repaired, in O(threads)
 *   burnim-tso/-pso  TACAS 2011, operational; exact over all schedules only
 */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "event/happening.h"
#include "model/model.h"

enum monitor_kind {
    MONITOR_TSO,
    MONITOR_PSO,
    MONITOR_PSLO,
    MONITOR_SOBER,
    MONITOR_TSO_CLOCKS,
    MONITOR_BURNIM_TSO,
    MONITOR_BURNIM_PSO,
    MONITOR_COUNT
};

#define MONITOR_THREADS_MAX 64 /* executions with more are not judged */

/* Operation e of thread `thread`, had it been placed before the write w. */
struct monitor_report {
    uint32_t e_thread, e_site;
    uint32_t e_index;  /* accesses (happening_accesses) of its thread before */
    uint32_t e_number; /* happenings of the execution before; its own number, if
                          it happened */
    uint32_t w_thread, w_index, w_site; /* likewise */
    uint32_t w_number;
    uint64_t address;
    uint8_t e_kind; /* enum event_kind */
};

/* What a monitor could not judge in this execution; bits. */
enum monitor_doubt {
    MONITOR_DOUBT_SIZES = 1, /* accesses of different sizes overlap */
    MONITOR_DOUBT_THREADS = 2,
    MONITOR_DOUBT_ROOM = 4,   /* too many addresses or writes */
    MONITOR_DOUBT_BLOCKS = 8, /* a fencer_atomic block may read other values,
                                 and what it would do then is not known */
    MONITOR_DOUBT_VALUES = 16 /* it depends on a value that nobody told */
};

/* "tso", "burnim-pso"; the monitor of that name, or MONITOR_COUNT; the model it
 * judges; may it see one execution per trace, or must it see all? */
const char *monitor_name(enum monitor_kind kind);
enum monitor_kind monitor_find(const char *name);
const struct model *monitor_model(enum monitor_kind kind);
bool monitor_needs_all(enum monitor_kind kind);

/* Memory for the monitors whose bits (1 << kind) are set; false: none left. */
bool monitor_map(uint32_t kinds);

/* Watch an execution: begin; each happening in order; at its end what threads
 * were about to do and could not.  Cheap where kinds is 0. */
void monitor_begin(uint32_t kinds);
void monitor_step(const struct happening *h);
void monitor_pending(const struct happening *h);

/* Kinds that reported in this execution, and the first report of one. */
uint32_t monitor_reported(void);
const struct monitor_report *monitor_report(enum monitor_kind kind);
uint32_t monitor_doubts(enum monitor_kind kind);

#endif
