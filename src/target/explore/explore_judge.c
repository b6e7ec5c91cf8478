/* SPDX-License-Identifier: MIT
 *
 * What monitors and the search for data races say of an execution.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "explore/explore_inside.h"
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

/* ---- Data races ----
 *
 * Two accesses that race here could be done at the same time: the later one is
 * possible where the earlier one is (C11 5.1.2.4, with SC's executions).  One
 * that is neither atomic nor volatile makes it a data race. */

static const struct happening *access_of(const struct sched_view *view,
                                         uint32_t step)
{
    const struct step *s = &execution.steps[step];
    const struct happening *h = &view->log[s->log_at];

    if (s->log_at >= view->log_count || h->thread != who_thread(s->who) ||
        h->flags & (HAPPENED_GHOST | HAPPENED_BLOCK) ||
        (h->kind != EV_LOAD && h->kind != EV_STORE && h->kind != EV_RMW &&
         h->kind != EV_CAS_FAIL))
        return NULL;
    return h;
}

static bool is_plain(const struct happening *h)
{
    return (h->kind == EV_LOAD || h->kind == EV_STORE) &&
           h->order == ORDER_PLAIN;
}

static bool is_known_race(const struct channel_explore *x, uint32_t a,
                          uint32_t b)
{
    for (uint32_t i = 0; i < x->race_count && i < CHANNEL_RACES_MAX; i++)
        if ((x->races[i].first == a && x->races[i].second == b) ||
            (x->races[i].first == b && x->races[i].second == a))
            return true;
    return x->race_count >= CHANNEL_RACES_MAX;
}

static void look_for_data_races(struct channel_explore *x,
                                const struct sched_view *view)
{
    uint32_t early, late;

    for (uint32_t i = 0; races_get(i, &early, &late); i++) {
        const struct happening *a, *b;

        if (late >= execution.count || !(a = access_of(view, early)) ||
            !(b = access_of(view, late)) || (!is_plain(a) && !is_plain(b)) ||
            is_known_race(x, a->site, b->site))
            continue;
        MUST(early < late && x->race_count < CHANNEL_RACES_MAX);
        x->news = 1;
        x->races[x->race_count++] = (struct channel_race){
            a->site, b->site, a->thread, b->thread, a->address, x->traces - 1};
    }
}

/* ---- Monitors ---- */

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

    MUST(view->log_count <= view->log_room);
    monitor_begin(kinds);
    for (uint32_t i = 0; i < view->log_count; i++)
        monitor_step(&view->log[i]);
    for (uint32_t t = 0; t < view->thread_count; t++)
        if (view->threads[t].ready_at != UINT32_MAX && view->pending(t, &h))
            monitor_pending(&h);
}

static void ask_monitors(struct channel_explore *orders,
                         const struct sched_view *view)
{
    uint32_t kinds = orders->monitors, reported;

    if (orders->flags & EXPLORE_ONCE)
        kinds &= ~orders->known;
    if (!kinds)
        return;
    watch(view, kinds);
    reported = monitor_reported();
    for (uint32_t k = 0; k < MONITOR_COUNT; k++) {
        if (!(kinds >> k & 1))
            continue;
        orders->doubts[k] |= monitor_doubts(k);
        if (!(reported >> k & 1))
            continue;
        MUST(monitor_report(k));
        orders->borderline[k]++;
        if (orders->reports[k].found || orders->known >> k & 1)
            continue;
        keep_report(&orders->reports[k], monitor_report(k), orders->traces - 1);
        orders->news = 1;
    }
}

void judge(struct channel_explore *orders, const struct sched_view *view)
{
    orders->traces++;
    if (orders->flags & EXPLORE_COUNT && orders->distinct < TRACES_MAX / 2)
        orders->distinct += is_new_trace();
    if (orders->flags & EXPLORE_RACES)
        look_for_data_races(orders, view);
    ask_monitors(orders, view);
}
