/* SPDX-License-Identifier: MIT
 *
 * What the monitors have in common: each watches operations on cells, and
 * threads that come and go.  One that has reported is not asked again in the
 * same execution.
 */
#ifndef MONITOR_WATCHER_H
#define MONITOR_WATCHER_H

#include "event/must.h"
#include "monitor/monitor.h"
#include "monitor/op.h"

struct watcher;

struct watcher_type {
    /* Memory for it; false: none left. */
    bool (*map)(struct watcher *w);
    /* There is one thread and no cell. */
    void (*forget)(struct watcher *w);
    /* A new cell; `new` is the upper part of what was `old`. */
    void (*cell)(struct watcher *w, uint16_t new);
    void (*split)(struct watcher *w, uint16_t old, uint16_t new);
    /* Threads: born without a past, making another, ending, joining. */
    void (*start)(struct watcher *w, uint32_t thread);
    void (*create)(struct watcher *w, uint32_t thread, uint32_t child);
    void (*leave)(struct watcher *w, uint32_t thread);
    void (*join)(struct watcher *w, uint32_t thread, uint32_t child);
    /* Could it take effect where no SC execution has it? */
    void (*check)(struct watcher *w, const struct op *op);
    /* It happened, an access or a fence; past and cells do not know yet. */
    void (*step)(struct watcher *w, const struct op *op);
};

/* The first member of every monitor. */
struct watcher {
    const struct watcher_type *type;
    bool reported;
    uint32_t doubts; /* enum monitor_doubt */
    struct monitor_report report;
};

/* e, had it been placed before that write. */
static inline void watcher_report(struct watcher *w, const struct op *e,
                                  const struct write *before)
{
    MUST(!w->reported);
    w->reported = true;
    w->report = op_report(e, before);
}

extern struct watcher *const relaxed_tso,
    *const relaxed_pso, *const relaxed_pslo;           /* monitor_relaxed.c */
extern struct watcher *const sober, *const tso_clocks; /* clocks.c */
extern struct watcher *const burnim_tso, *const burnim_pso; /* burnim.c */

#endif
