/* SPDX-License-Identifier: MIT
 *
 * What `fencer verify` compares its findings on C11 with (src/verify/
 * c11_axioms.c), and those on processors (processor_axioms.c), against brute
 * force: candidates of random programs, of their executions and of others.
 */
#include <inttypes.h>
#include <stdio.h>

#include "verify/c11_axioms.h"
#include "verify/processor_axioms.h"
#include "watch.h"

static struct {
    uint64_t candidates, allowed, races, wrong;
    uint64_t on_sc; /* of a program: C11's without a cycle */
    uint64_t of_processors, judged;
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

/* Does a trace say all that the model's order is made of?  It has no
 * dependencies, so what they forbid may pass; nor does it tell an exchange from
 * a CAS, where these are compiled to different things. */
static bool says_all(const struct model *m, enum brute_rmws rmws)
{
    const struct model_mapping *mapping = m->axioms->mappings[0];

    return rmws == BRUTE_NO_RMW || (rmws == BRUTE_EXCHANGES &&
                                    mapping->rmw_pairs == mapping->cas_pairs);
}

static void look_at_processor(const struct trace *t, enum brute_model m,
                              bool is, enum brute_rmws rmws)
{
    const struct model *model = watch_model_of(m);
    struct err e;
    bool holds = processor_holds(model, t, &e);

    sum.judged++;
    sum.of_processors += is;
    sum.wrong += says_all(model, rmws) ? is != holds : is && !holds;
}

int test_axioms(unsigned long count, uint64_t seed)
{
    brute_tells = look;
    brute_tells_processor = look_at_processor;
    for (uint64_t i = 0; i < count && !sum.wrong; i++) {
        struct canon_set sets[BRUTE_SETS] = {0};
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        if (i % 8 == 7)
            mini_random_bundles(&p, 5, &r);
        else
            mini_random(&p, 6, &r);
        open = mini_open(&p);
        if (!brute_force(&p, mini_behaviour(open), sets))
            sets[BRUTE_SC].count = sum.on_sc; /* not all of them */
        sum.wrong += !p.bundles && sum.on_sc != sets[BRUTE_SC].count;
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
    printf("%" PRIu64 " judged for processors, %" PRIu64 " theirs\n",
           sum.judged, sum.of_processors);
    return sum.wrong || !sum.races || !sum.of_processors;
}
