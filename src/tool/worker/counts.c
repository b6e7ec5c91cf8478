/* SPDX-License-Identifier: MIT
 *
 * Sums over the channel, whose numbers are bounded by now (result.c).
 */
#include "worker/counts.h"

#include <stdio.h>
#include <string.h>

void counts_set_text(char to[128], const char *from)
{
    if (!*to)
        snprintf(to, 128, "%.127s", from);
}

/* Two counts of what nobody can count that far must not turn into few. */
static void add(uint64_t *to, uint64_t n)
{
    if (__builtin_add_overflow(*to, n, to))
        *to = UINT64_MAX;
}

static void add_await(struct counts *n, uint32_t site)
{
    uint32_t at = 0;

    while (at < n->await_count && n->awaits[at] < site)
        at++;
    if (n->await_count == CHANNEL_AWAITS_MAX ||
        (at < n->await_count && n->awaits[at] == site))
        return;
    memmove(&n->awaits[at + 1], &n->awaits[at],
            (n->await_count - at) * sizeof(*n->awaits));
    n->awaits[at] = site;
    n->await_count++;
}

static void take_exploration(struct counts *n, const struct channel_explore *x)
{
    n->distinct = x->distinct;
    n->too_long = x->too_long;
    n->unroll_site = x->unroll_site;
    if (x->too_long)
        n->cuts |= CUT_EVENTS;
    if (x->unroll_site)
        n->cuts |= CUT_UNROLL;
    for (size_t i = 0; i < CHANNEL_MONITORS_MAX; i++) {
        n->borderline[i] = x->borderline[i];
        n->doubts[i] = x->doubts[i];
    }
    if (x->incomplete) {
        n->cuts |= CUT_ENGINE;
        counts_set_text(n->why, x->why);
    }
}

static void add_drains(struct counts *to, const uint32_t *sites, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;

        while (at < to->drain_count && to->drain_sites[at] != sites[i])
            at++;
        if (at == CHANNEL_DRAINS_MAX)
            return;
        to->drain_sites[at] = sites[i];
        to->drain_count += at == to->drain_count;
    }
}

void counts_take(struct counts *n, const struct worker *w,
                 struct tally *outcomes, struct arena *a)
{
    const struct channel *c = w->channel;
    struct counts one = {.executions = c->done,
                         .complete = c->complete,
                         .failed = c->failed,
                         .assumed = c->assumed,
                         .cut = c->cut,
                         .redundant = c->redundant,
                         .blocked = c->graph.blocked,
                         .symmetric = c->graph.has_equals != 0,
                         .mappings_differ = c->graph.mappings_differ != 0,
                         .unprotected = c->graph.unprotected != 0,
                         .unprotected_load = c->graph.unprotected_load,
                         .unprotected_store = c->graph.unprotected_store,
                         .events = c->events,
                         .checked = c->checked != 0,
                         .unwatched_local = c->unwatched_local,
                         .exhausted = w->end == WORKER_DONE && c->exhausted,
                         .by_process = c->by_process != 0};

    for (size_t i = 0; i < FAIL_KIND_COUNT; i++)
        one.by_kind[i] = c->failures_by_kind[i];
    for (size_t i = 0; i < 8; i++)
        one.extern_hits[i] = c->extern_hits[i];
    add_drains(&one, c->drain_sites, c->drain_count);
    for (size_t i = 0; i < c->await_count; i++)
        add_await(&one, c->awaits[i]);
    if (c->by_process)
        counts_set_text(one.by_process_why, c->by_process_why);
    take_exploration(&one, &c->explore);
    if (outcomes)
        one.outcomes_lost = worker_outcomes(w, outcomes, a);
    counts_add(n, &one);
}

static void add_exploration(struct counts *to, const struct counts *from)
{
    for (size_t i = 0; i < CHANNEL_MONITORS_MAX; i++) {
        add(&to->borderline[i], from->borderline[i]);
        to->doubts[i] |= from->doubts[i];
    }
    add(&to->distinct, from->distinct);
    add(&to->too_long, from->too_long);
    to->cuts |= from->cuts;
    if (from->unroll_site)
        to->unroll_site = from->unroll_site;
    counts_set_text(to->why, from->why);
}

void counts_add(struct counts *to, const struct counts *from)
{
    add(&to->executions, from->executions);
    add(&to->complete, from->complete);
    add(&to->failed, from->failed);
    add(&to->assumed, from->assumed);
    add(&to->cut, from->cut);
    add(&to->redundant, from->redundant);
    add(&to->blocked, from->blocked);
    add(&to->events, from->events);
    add(&to->outcomes_lost, from->outcomes_lost);
    to->exhausted |= from->exhausted;
    to->checked |= from->checked;
    if (!to->unwatched_local)
        to->unwatched_local = from->unwatched_local;
    to->symmetric |= from->symmetric;
    to->mappings_differ |= from->mappings_differ;
    if (from->unprotected && !to->unprotected) {
        to->unprotected = 1;
        to->unprotected_load = from->unprotected_load;
        to->unprotected_store = from->unprotected_store;
    }
    for (size_t i = 0; i < FAIL_KIND_COUNT; i++)
        add(&to->by_kind[i], from->by_kind[i]);
    for (size_t i = 0; i < 8; i++)
        to->extern_hits[i] |= from->extern_hits[i];
    add_drains(to, from->drain_sites, from->drain_count);
    for (size_t i = 0; i < from->await_count; i++)
        add_await(to, from->awaits[i]);
    to->by_process |= from->by_process;
    counts_set_text(to->by_process_why, from->by_process_why);
    add_exploration(to, from);
}
