/* SPDX-License-Identifier: MIT
 *
 * The cycle that a finding shows, and the fences that would have kept its
 * accesses in order.
 */
#include "finding/shown.h"

#include <string.h>

#define CYCLES_MAX 256 /* of one execution to choose from */

void shown_set_cycle(struct shown *s, const struct cycle *c,
                     const struct cycle_witness *w)
{
    s->cycle.length = c->length;
    s->cycle.reordered = w->reordered;
    for (uint32_t i = 0; i < c->length; i++) {
        s->cycle.events[i] = w->events[i];
        s->cycle.pairs[i] = c->nodes[i].pair;
    }
}

/* The weakest fence that keeps two accesses in order.  Between an RMW and a
 * load PSLO would be content with load-load, but a machine whose RMW is a load
 * and a store, and C11, are not. */
static unsigned fence_for(const struct event *first, const struct event *second)
{
    if (first->kind == EV_LOAD || first->kind == EV_CAS_FAIL)
        return FENCE_LL;
    return second->kind == EV_STORE || second->kind == EV_RMW ? FENCE_SS
                                                              : FENCE_SL;
}

bool shown_add_fences(const struct trace *t, const struct cycle *c,
                      const struct cycle_witness *w,
                      struct channel_fence *fences, size_t *count)
{
    bool added = false;

    for (uint32_t i = 0; i < c->length; i++) {
        struct channel_fence f = {c->nodes[i].site, 0};
        bool there = !(w->reordered >> i & 1);

        if (!there)
            f.bits = fence_for(&t->events[w->events[i]],
                               &t->events[w->events[(i + 1) % c->length]]);
        for (size_t k = 0; k < *count && !there; k++)
            there = fences[k].site == f.site && fences[k].bits == f.bits;
        if (there || *count == CHANNEL_FENCES_MAX)
            continue;
        fences[(*count)++] = f;
        added = true;
    }
    return added;
}

/* Fewer pairs swapped, then shorter. */
static bool is_better(const struct cycle *c, const struct cycle_witness *w,
                      const struct cycle *than,
                      const struct cycle_witness *than_w)
{
    int a = __builtin_popcount(w->reordered);
    int b = __builtin_popcount(than_w->reordered);

    if (than->length == 0 || a != b)
        return than->length == 0 || a < b;
    return c->length < than->length;
}

bool shown_explain(struct shown *s, unsigned max_length)
{
    const struct trace *t = &s->trace;
    struct arena scratch = ARENA_INIT;
    struct cycle *all, best = {.length = 0};
    struct cycle_witness w, best_w;
    size_t count;

    memset(&best_w, 0, sizeof(best_w));
    predict_all(t, max_length, CYCLES_MAX, &scratch, &all, &count);
    for (size_t i = 0; i < count; i++) {
        if (!predict_find(t, &all[i], &w) ||
            !is_better(&all[i], &w, &best, &best_w))
            continue;
        best = all[i];
        best_w = w;
    }
    arena_free(&scratch);
    if (!best.length && !predict_any(t, &best, &best_w))
        return false;
    shown_set_cycle(s, &best, &best_w);
    s->fence_count = 0;
    shown_add_fences(t, &best, &best_w, s->fences, &s->fence_count);
    return true;
}
