/* SPDX-License-Identifier: MIT
 *
 * What monitors and the search for data races say of an execution.
 */
#include <string.h>
#include <sys/mman.h>

#include "explore/inside.h"
#include "monitor/monitor.h"

#define TRACES_MAX (1u << 22) /* that can be told apart */

static uint64_t (*traces)[2];

void judge_open(const struct channel_explore *orders)
{
    if (!(orders->flags & EXPLORE_COUNT))
        return;
    if (!traces)
        traces = mmap(NULL, TRACES_MAX * sizeof *traces, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    else if (!orders->traces)
        madvise(traces, TRACES_MAX * sizeof *traces, MADV_DONTNEED);
}

/* Is it a trace that was not seen yet? */
static bool is_new_trace(void)
{
    const uint64_t *hash = execution.steps[execution.count].hash;
    uint32_t i = (uint32_t)(hash[0] >> 40) & (TRACES_MAX - 1);

    while (traces[i][0] | traces[i][1]) {
        if (memcmp(traces[i], hash, sizeof *traces) == 0)
            return false;
        i = (i + 1) & (TRACES_MAX - 1);
    }
    memcpy(traces[i], hash, sizeof *traces);
    return true;
}

static void keep_report(struct channel_report *to,
                        const struct monitor_report *r, uint64_t run)
{
    *to = (struct channel_report){.found = 1,
                                  .e_thread = r->e_thread,
                                  .e_site = r->e_site,
                                  .e_index = r->e_index,
                                  .e_number = r->e_number,
                                  .e_kind = r->e_kind,
                                  .w_thread = r->w_thread,
                                  .w_site = r->w_site,
                                  .w_index = r->w_index,
                                  .w_number = r->w_number,
                                  .address = r->address,
                                  .run = run};
}

static void watch(const struct sched_view *view, uint32_t kinds)
{
    struct happening h;

    monitor_begin(kinds);
    for (uint32_t i = 0; i < view->log_count; i++)
        monitor_step(&view->log[i]);
    for (uint32_t t = 0; t < view->thread_count; t++)
        if (view->threads[t].ready_at != UINT32_MAX && view->pending(t, &h))
            monitor_pending(&h);
}

void judge(struct channel_explore *orders, const struct sched_view *view)
{
    uint32_t reported;

    orders->traces++;
    if (orders->flags & EXPLORE_COUNT && orders->distinct < TRACES_MAX / 2)
        orders->distinct += is_new_trace();
    if (!orders->monitors)
        return;
    watch(view, orders->monitors);
    reported = monitor_reported();
    for (uint32_t k = 0; k < MONITOR_COUNT; k++) {
        if (!(orders->monitors >> k & 1))
            continue;
        orders->doubts[k] |= monitor_doubts(k);
        if (!(reported >> k & 1))
            continue;
        orders->borderline[k]++;
        if (!orders->reports[k].found && !(orders->known >> k & 1))
            keep_report(&orders->reports[k], monitor_report(k),
                        orders->traces - 1);
    }
}
