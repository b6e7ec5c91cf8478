/* SPDX-License-Identifier: MIT
 *
 * A race is two sites, for that is what a programmer can look at; how often
 * the two met does not matter, in how many executions they did may.
 */
#include "predict/predict_races.h"

#include "base/check.h"

void races_init(struct races *r, struct arena *a)
{
    *r = (struct races){.arena = a};
}

void races_fini(struct races *r)
{
    VEC_FREE(r);
    VEC_FREE(&r->last_trace);
    map_free(&r->numbers);
}

void races_next_trace(struct races *r)
{
    r->trace++;
}

static uint64_t key_of(uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;

    return (uint64_t)first << 32 | second;
}

bool races_have(const struct races *r, uint32_t a, uint32_t b)
{
    return map_get(&r->numbers, key_of(a, b));
}

bool races_noted(const struct races *r, uint32_t a, uint32_t b)
{
    const uint64_t *n = map_get(&r->numbers, key_of(a, b));

    return n && VEC_AT(&r->last_trace, *n - 1) == r->trace;
}

bool races_have_site(const struct races *r, uint32_t site)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].first == site || r->list[i].second == site)
            return true;
    return false;
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
    uint64_t *n = map_put(&r->numbers, key_of(a, b));

    if (!*n) {
        VEC_PUSH(r, {.first = a < b ? a : b,
                     .second = a < b ? b : a,
                     .object = place_of(r, t, at)});
        VEC_PUSH(&r->last_trace, 0);
        *n = r->count;
    }
    CHECK(r->trace > 0 && r->last_trace.count == r->count);
    if (VEC_AT(&r->last_trace, *n - 1) != r->trace)
        r->list[*n - 1].count++;
    r->last_trace.list[*n - 1] = r->trace;
}
