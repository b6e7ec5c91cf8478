/* SPDX-License-Identifier: MIT
 *
 * The monitors under test, behind a door that knows no word of the oracle's:
 * both speak of models, and mean different types.
 */
#ifndef MONITOR_TEST_WATCH_H
#define MONITOR_TEST_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "event/happening.h"

enum watch_kind {
    WATCH_TSO,
    WATCH_PSO,
    WATCH_PSLO,
    WATCH_SOBER,
    WATCH_TSO_CLOCKS,
    WATCH_BURNIM_TSO,
    WATCH_BURNIM_PSO,
    WATCH_COUNT
};

/* Bits, 1 << kind. */
struct watched {
    uint32_t reported, doubted;
};

bool watch_open(void);
const char *watch_name(enum watch_kind kind);

/* What the monitors of those kinds say of an execution and of what its blocked
 * threads were about to do.  Crowded: the same with a stranger among them, who
 * goes through much memory of his own all the time. */
struct watched watch(uint32_t kinds, const struct happening *log, size_t count,
                     const struct happening *pending, size_t pending_count,
                     bool crowded);

#endif
