/* SPDX-License-Identifier: MIT
 *
 * One execution through the monitors.
 */
#include "watch.h"

#include <string.h>

#include "monitor/monitor.h"

_Static_assert((int)WATCH_TSO == (int)MONITOR_TSO &&
                   (int)WATCH_BURNIM_PSO == (int)MONITOR_BURNIM_PSO &&
                   (int)WATCH_COUNT == (int)MONITOR_COUNT,
               "the same kinds");

bool watch_open(void)
{
    return monitor_map((1u << MONITOR_COUNT) - 1);
}

const char *watch_name(enum watch_kind kind)
{
    return monitor_name((enum monitor_kind)kind);
}

enum { STRANGER = 40, STRIDE = 7 };

static void stranger(size_t i)
{
    struct happening h = {.kind = EV_CREATE, .other = STRANGER};

    if (!i)
        monitor_step(&h); /* by the thread that makes the others too */
    h = (struct happening){.kind = EV_STORE, .thread = STRANGER, .size = 8};
    for (size_t k = 0; k < STRIDE; k++) {
        h.address = 0x100000 + 8 * (i * STRIDE + k);
        monitor_step(&h);
    }
}

struct watched watch(uint32_t kinds, const struct happening *log, size_t count,
                     const struct happening *pending, size_t pending_count,
                     bool crowded)
{
    struct watched w = {0, 0};

    monitor_begin(kinds);
    for (size_t i = 0; i < count; i++) {
        if (crowded &&
            (!(log[i].flags & HAPPENED_BLOCK) || log[i].flags & HAPPENED_FIRST))
            stranger(i);
        monitor_step(&log[i]);
    }
    for (size_t i = 0; i < pending_count; i++)
        monitor_pending(&pending[i]);
    w.reported = monitor_reported();
    for (uint32_t k = 0; k < MONITOR_COUNT; k++)
        if (kinds >> k & 1 && monitor_doubts((enum monitor_kind)k))
            w.doubted |= 1u << k;
    return w;
}
