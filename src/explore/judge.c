/* SPDX-License-Identifier: MIT
 *
 * What monitors and the search for data races say of an execution.
 */
#include "explore/inside.h"
#include "monitor/monitor.h"

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
