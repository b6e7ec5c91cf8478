/* SPDX-License-Identifier: MIT
 *
 * What `fencer verify` compares its findings on C11 with (src/verify/
 * c11_axioms.c), against brute force: candidates of random programs, of C11's
 * executions and of others.
 */
#include <inttypes.h>
#include <stdio.h>

#include "verify/c11_axioms.h"
#include "watch.h"

static struct {
    uint64_t candidates, allowed, races, wrong;
    uint64_t on_sc; /* of a program: C11's without a cycle */
} sum;

/* No race at all, if brute force has found none. */
static bool races_anywhere(const struct trace *t)
{
    for (size_t x = 0; x < t->event_count; x++) {
        for (size_t y = 0; y < x; y++) {
            if (c11_races(t, x, y))
                return true;
        }
    }
    return false;
}

static bool is_race_right(const struct trace *t, const uint32_t race[2])
{
    if (race[0])
        return c11_races(t, race[0] - 1, race[1] - 1);
    return sum.candidates % 16 || !races_anywhere(t);
}

static void look(const struct trace *t, bool is_c11, const uint32_t race[2])
{
    struct shown_cycle cycle;
    struct err e;

    sum.candidates++;
    sum.allowed += is_c11;
    sum.races += race[0] != 0;
    sum.on_sc += is_c11 && !c11_cycle(t, &cycle);
    sum.wrong += c11_holds(t, &e) != is_c11 || !is_race_right(t, race);
}

int test_axioms(unsigned long count, uint64_t seed)
{
    brute_tells = look;
    for (uint64_t i = 0; i < count && !sum.wrong; i++) {
        struct canon_set sets[BRUTE_SETS] = {0};
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        mini_random(&p, 6, &r);
        open = mini_open(&p);
        if (!brute_force(&p, mini_behaviour(open), sets))
            sets[BRUTE_SC].count = sum.on_sc; /* not all of them */
        sum.wrong += sum.on_sc != sets[BRUTE_SC].count;
        sum.on_sc = 0;
        if (sum.wrong)
            mini_print(&p);
        for (int m = 0; m < BRUTE_SETS; m++)
            canon_free(&sets[m]);
        mini_close(open);
    }
    printf("%" PRIu64 " candidates, %" PRIu64 " of C11, %" PRIu64
           " with races: %" PRIu64 " wrong\n",
           sum.candidates, sum.allowed, sum.races, sum.wrong);
    return sum.wrong || !sum.races;
}
