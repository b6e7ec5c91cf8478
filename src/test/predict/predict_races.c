/* SPDX-License-Identifier: MIT
 *
 * A race is two sites, for that is what a programmer can look at; how often
 * the two met does not matter, in how many executions they did may.
 */
#include "predict/predict_races.h"

#include <stdlib.h>

#include "base/check.h"

void races_init(struct races *r, struct arena *a)
{
    *r = (struct races){.arena = a, .table_room = 256};
    r->table = calloc(r->table_room, sizeof(*r->table));
    CHECK(r->table != NULL);
}

void races_fini(struct races *r)
{
    free(r->list);
    free(r->last_trace);
    free(r->table);
}

void races_next_trace(struct races *r)
{
    r->trace++;
}

static uint32_t *slot_of(const struct races *r, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    uint64_t key = (uint64_t)first << 32 | second;
    size_t i =
        (size_t)(key * 0x9e3779b97f4a7c15ull >> 24) & (r->table_room - 1);

    while (r->table[i] && (r->list[r->table[i] - 1].first != first ||
                           r->list[r->table[i] - 1].second != second))
        i = (i + 1) & (r->table_room - 1);
    return &r->table[i];
}

bool races_have(const struct races *r, uint32_t a, uint32_t b)
{
    return *slot_of(r, a, b);
}

bool races_noted(const struct races *r, uint32_t a, uint32_t b)
{
    uint32_t n = *slot_of(r, a, b);

    return n && r->last_trace[n - 1] == r->trace;
}

bool races_have_site(const struct races *r, uint32_t site)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].first == site || r->list[i].second == site)
            return true;
    return false;
}

static void grow(struct races *r)
{
    r->room = r->room ? r->room * 2 : 64;
    r->list = realloc(r->list, r->room * sizeof(*r->list));
    r->last_trace = realloc(r->last_trace, r->room * sizeof(*r->last_trace));
    CHECK(r->list && r->last_trace);
    if (r->room * 2 <= r->table_room)
        return;
    free(r->table);
    r->table_room = r->room * 4;
    r->table = calloc(r->table_room, sizeof(*r->table));
    CHECK(r->table != NULL);
    for (size_t i = 0; i < r->count; i++)
        *slot_of(r, r->list[i].first, r->list[i].second) = (uint32_t)i + 1;
}

static const char *place_of(const struct races *r, const struct trace *t,
                            const struct event *at)
{
    struct buf text = {0};
    const char *copy;

    trace_place(t, at->object, at->offset, &text);
    copy = arena_copy(r->arena, text.count ? text.bytes : "");
    buf_free(&text);
    return copy;
}

void races_note(struct races *r, const struct trace *t, uint32_t a, uint32_t b,
                const struct event *at)
{
    uint32_t n;

    if (r->count == r->room)
        grow(r);
    n = *slot_of(r, a, b);
    if (!n) {
        uint32_t *slot = slot_of(r, a, b);

        r->list[r->count] = (struct race){.first = a < b ? a : b,
                                          .second = a < b ? b : a,
                                          .object = place_of(r, t, at)};
        r->last_trace[r->count] = 0;
        n = *slot = (uint32_t)++r->count;
    }
    if (r->last_trace[n - 1] != r->trace)
        r->list[n - 1].count++;
    r->last_trace[n - 1] = r->trace;
}
