/* SPDX-License-Identifier: MIT
 *
 * The monitors by name, and the way of a happening to each of them.
 */
#include "monitor/monitor.h"

#include <string.h>

static const struct {
    const char *name;
    const struct model *model;
    bool needs_all;
} table[MONITOR_COUNT] = {
    [MONITOR_TSO] = {"tso", &model_tso, false},
    [MONITOR_PSO] = {"pso", &model_pso, false},
    [MONITOR_PSLO] = {"pslo", &model_pslo, false},
    [MONITOR_SOBER] = {"sober", &model_tso, false},
    [MONITOR_TSO_CLOCKS] = {"tso-clocks", &model_tso, false},
    [MONITOR_BURNIM_TSO] = {"burnim-tso", &model_tso, true},
    [MONITOR_BURNIM_PSO] = {"burnim-pso", &model_pso, true},
};

const char *monitor_name(enum monitor_kind kind)
{
    return table[kind].name;
}

enum monitor_kind monitor_find(const char *name)
{
    enum monitor_kind k = 0;

    while (k < MONITOR_COUNT && strcmp(table[k].name, name) != 0)
        k++;
    return k;
}

const struct model *monitor_model(enum monitor_kind kind)
{
    return table[kind].model;
}

bool monitor_needs_all(enum monitor_kind kind)
{
    return table[kind].needs_all;
}

bool monitor_map(uint32_t kinds)
{
    (void)kinds;
    return true;
}

void monitor_begin(uint32_t kinds)
{
    (void)kinds;
}

void monitor_step(const struct happening *h)
{
    (void)h;
}

void monitor_pending(const struct happening *h)
{
    (void)h;
}

uint32_t monitor_reported(void)
{
    return 0;
}

const struct monitor_report *monitor_report(enum monitor_kind kind)
{
    (void)kind;
    return NULL;
}

uint32_t monitor_doubts(enum monitor_kind kind)
{
    (void)kind;
    return 0;
}
