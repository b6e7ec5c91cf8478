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

struct watched watch(uint32_t kinds, const struct happening *log, size_t count,
                     const struct happening *pending, size_t pending_count)
{
    struct watched w = {0, 0};

    monitor_begin(kinds);
    for (size_t i = 0; i < count; i++)
        monitor_step(&log[i]);
    for (size_t i = 0; i < pending_count; i++)
        monitor_pending(&pending[i]);
    w.reported = monitor_reported();
    for (uint32_t k = 0; k < MONITOR_COUNT; k++)
        if (kinds >> k & 1 && monitor_doubts((enum monitor_kind)k))
            w.doubted |= 1u << k;
    return w;
}
