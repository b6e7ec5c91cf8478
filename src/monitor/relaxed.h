/* SPDX-License-Identifier: MIT
 *
 * The view monitor of one model: what the model keeps in order of an SC
 * execution, and where that is less than happens-before.
 */
#ifndef MONITOR_RELAXED_H
#define MONITOR_RELAXED_H

#include "monitor/monitor.h"
#include "monitor/op.h"
#include "monitor/view.h"

struct relaxed {
    const struct model *model;
    struct views threads; /* RELAXED_VIEWS each */
    struct views writes;  /* of a cell: what comes before its newest write */
    struct views all;     /* ... or before any access; if reads[cell] */
    bool reads[CELLS_MAX];
    bool ss[MONITOR_THREADS_MAX]; /* its view SS says more than LS */
    bool sl[MONITOR_THREADS_MAX]; /* SL likewise */
    bool ps[MONITOR_THREADS_MAX]; /* PS likewise */
    bool ls[MONITOR_THREADS_MAX]; /* LS more than LL */
    bool reported;
    bool reorders; /* there was something that it may reorder */
    struct monitor_report report;
    uint32_t doubts;
};

bool relaxed_map(struct relaxed *m);
void relaxed_begin(struct relaxed *m);
void relaxed_forget(struct relaxed *m);
void relaxed_cell(struct relaxed *m, uint16_t new);
void relaxed_split(struct relaxed *m, uint16_t old, uint16_t new);

/* Threads: born without a past, making another, ending, being joined. */
void relaxed_start(struct relaxed *m, uint32_t thread);
void relaxed_create(struct relaxed *m, uint32_t thread, uint32_t child);
void relaxed_exit(struct relaxed *m, uint32_t thread);
void relaxed_join(struct relaxed *m, uint32_t thread, uint32_t child);

/* Could it take effect where no SC execution has it? */
void relaxed_check(struct relaxed *m, const struct op *op);

/* It happened, an access or a fence; past and cells do not know yet. */
void relaxed_step(struct relaxed *m, const struct op *op);

/* At the end: enum monitor_doubt. */
uint32_t relaxed_doubts(const struct relaxed *m);

#endif
