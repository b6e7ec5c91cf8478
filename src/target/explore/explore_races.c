/* SPDX-License-Identifier: MIT
 *
 * Which steps happened before which, and which race: two steps race if they
 * conflict and nothing between them orders them.
 */
#include <string.h>

#include "event/must.h"
#include "explore/explore_inside.h"

struct race {
    uint32_t early, late;
};

#define RACES_MAX (1u << 16)

static struct race races[RACES_MAX];
static uint32_t race_count;
static uint32_t threads; /* that have steps, in any execution */

/* ---- Clocks ---- */

static void join(uint16_t *clock, uint32_t step)
{
    const uint16_t *with = execution.clocks[step];

    for (uint32_t i = 0; i < threads; i++)
        if (clock[i] < with[i])
            clock[i] = with[i];
}

/* What orders the step whatever it touches: its thread, or who made that. */
static void begin_clock(uint32_t k)
{
    const struct step *s = &execution.steps[k];
    uint32_t before = s->before ? s->before : s->cause;
    uint16_t *clock = execution.clocks[k];

    MUST(before <= k);
    if (before)
        memcpy(clock, execution.clocks[before - 1], sizeof *execution.clocks);
    else
        memset(clock, 0, sizeof *execution.clocks);
}

/* The last step of a thread that conflicts with k and is not ordered before
 * it yet, number + 1; 0: none. */
static uint32_t conflicting(uint32_t thread, uint32_t k, uint32_t from,
                            const uint16_t *clock)
{
    uint32_t at = from;

    while (at && execution.steps[at - 1].index > clock[thread]) {
        if (steps_conflict(at - 1, k))
            return at;
        at = execution.steps[at - 1].before;
    }
    return 0;
}

static void note_race(uint32_t early, uint32_t late)
{
    MUST(early < late);
    MUST(who_thread(execution.steps[early].who) !=
         who_thread(execution.steps[late].who));
    if (race_count == RACES_MAX) {
        explore_lost("too many races in one execution");
        return;
    }
    races[race_count++] = (struct race){early, late};
}

static bool is_ordered(uint32_t step, const uint16_t *clock)
{
    const struct step *s = &execution.steps[step];

    return clock[who_thread(s->who)] >= s->index;
}

/* Keeps `found` in order, the last step first. */
static uint32_t put(uint32_t *found, uint32_t n, uint32_t step)
{
    uint32_t i = n;

    for (; i && found[i - 1] < step; i--)
        found[i] = found[i - 1];
    found[i] = step;
    return n + 1;
}

/* Joins the clocks of what k conflicts with; those not ordered by others race
 * with it. */
static void find(uint32_t k)
{
    uint32_t self = who_thread(execution.steps[k].who);
    uint16_t *clock = execution.clocks[k];
    uint32_t found[THREADS_MAX], n = 0;

    for (uint32_t t = 0; t < threads; t++) {
        uint32_t at =
            t == self ? 0 : conflicting(t, k, execution.last_of[t], clock);

        if (at)
            n = put(found, n, at);
    }
    MUST(clock[self] < execution.steps[k].index);
    for (uint32_t i = 0; i < n; i++) {
        if (is_ordered(found[i] - 1, clock))
            continue;
        note_race(found[i] - 1, k);
        join(clock, found[i] - 1);
    }
    clock[self] = execution.steps[k].index;
}

/* ---- Hashes ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* A trace is its steps with what happened before each, in whatever order. */
static void hash(uint32_t k)
{
    const struct step *s = &execution.steps[k];
    struct step *after = &execution.steps[k + 1];
    uint64_t h = mix(s->who + ((uint64_t)s->index << 32) + 1);

    for (uint32_t i = 0; i < threads; i++)
        if (execution.clocks[k][i])
            h += mix(i + ((uint64_t)execution.clocks[k][i] << 32));
    after->hash[0] = s->hash[0] + mix(h);
    after->hash[1] = s->hash[1] + mix(h ^ 0x5851f42d4c957f2dull);
}

void races_begin(void)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < race_count; i++)
        if (races[i].late < execution.fresh)
            races[kept++] = races[i];
    race_count = kept;
    execution.steps[0].hash[0] = execution.steps[0].hash[1] = 0;
}

void races_find(uint32_t step)
{
    uint32_t t = who_thread(execution.steps[step].who);

    MUST(step < execution.count);
    if (threads <= t)
        threads = t + 1;
    begin_clock(step);
    find(step);
    if (execution.hashed)
        hash(step);
}

bool races_get(uint32_t n, uint32_t *early, uint32_t *late)
{
    if (n >= race_count)
        return false;
    *early = races[n].early;
    *late = races[n].late;
    return true;
}
