/* SPDX-License-Identifier: MIT
 *
 * A search in parts, and one that is stopped and goes on; random ways down.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

/* ---- Ways ---- */

/* A search that stops now and then. */
struct halting {
    struct watched watched; /* first: its callbacks find it */
    struct random random;
    uint64_t stops;
};

static bool look_and_halt(void *context, const struct graph *g,
                          enum graph_end end)
{
    struct halting *h = context;

    watch_reduced(&h->watched, g, end);
    return random_below(&h->random, 3) > 0;
}

/* Goes on, from its way, until nothing is left of its part. */
static void explore_with_halts(struct graph_search s, struct halting *h)
{
    const struct graph_search fresh = s;

    for (;;) {
        struct graph_way at;

        graph_search_run(&s);
        if (!s.stop || !s.at.count)
            return;
        at = s.at;
        s = fresh;
        s.resume = at;
        h->stops++;
    }
}

static void explore_in_parts(struct graph_search s, unsigned parts,
                             struct halting *h)
{
    s.parts = parts > 1 ? parts : 0;
    for (s.part = 0; s.part < parts; s.part++)
        explore_with_halts(s, h);
}

int test_ways(unsigned long count, uint64_t seed)
{
    uint64_t wrong = 0, stops = 0, graphs = 0;

    for (uint64_t i = 0; i < count && wrong < 5; i++) {
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        if (i % 4)
            mini_random(&p, 9, &r);
        else
            mini_random_locks(&p, &r);
        open = mini_open(&p);
        for (int m = 0; m < BRUTE_MODELS; m++) {
            struct watched whole = {.looks = true, .reduces = true};
            struct halting h = {.watched = {.p = &p,
                                            .looks = true,
                                            .behaviour = mini_behaviour(open),
                                            .right = &whole.found},
                                .random = r};
            struct graph_search s = {.rules = watch_models[m].rules,
                                     .model = watch_models[m].model,
                                     .behaviour = mini_behaviour(open),
                                     .threads = p.started,
                                     .initial = watch_initial,
                                     .ended = look_and_halt,
                                     .context = &h,
                                     .drops = true,
                                     .defers = true};

            h.watched.search = &s;
            watch_run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &whole);
            explore_in_parts(s, 1 + (unsigned)(i % 3), &h);
            stops += h.stops;
            graphs += whole.found.count;
            if (h.watched.twice || h.watched.extra ||
                h.watched.found.count != whole.found.count ||
                h.watched.races.count != whole.races.count) {
                wrong++;
                printf("program %" PRIu64 ", %s: %zu graphs of %zu, %" PRIu64
                       " twice, %" PRIu64 " too many\n",
                       seed + i, watch_models[m].name, h.watched.found.count,
                       whole.found.count, h.watched.twice, h.watched.extra);
                mini_print(&p);
            }
            canon_free(&h.watched.found);
            canon_free(&h.watched.races);
            canon_free(&whole.found);
            canon_free(&whole.races);
        }
        mini_close(open);
    }
    printf("%lu programs in parts, %" PRIu64 " halts, %" PRIu64
           " graphs: %" PRIu64 " wrong\n",
           count, stops, graphs, wrong);
    return wrong > 0;
}

/* ---- Samples ---- */

#define SAMPLES 3000

/* Every sample is an execution, and the mean of what they estimate is the
 * number of executions: within six standard errors. */
int test_samples(unsigned long count, uint64_t seed)
{
    uint64_t wrong = 0, graphs = 0, seen = 0;

    for (uint64_t i = 0; i < count; i++) {
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        int m = (int)(i % BRUTE_MODELS);
        struct watched all = {.looks = true}, x = {.looks = true};
        struct graph_search s = {.rules = watch_models[m].rules,
                                 .model = watch_models[m].model,
                                 .initial = watch_initial,
                                 .ended = watch_reduced,
                                 .context = &x,
                                 .schedule = SCHEDULE_RANDOM};
        double sum = 0, squares = 0, mean, error, right;
        struct mini p;
        struct mini_run *open;

        if (i % 4)
            mini_random(&p, 8, &r);
        else
            mini_random_locks(&p, &r);
        open = mini_open(&p);
        s.behaviour = mini_behaviour(open);
        x.behaviour = s.behaviour;
        s.threads = p.started;
        x.p = &p;
        x.search = &s;
        {
            struct graph_counts c =
                watch_run(&p, s.behaviour, m, SCHEDULE_FIRST, &all);

            right = (double)(c.ends[GRAPH_COMPLETE] + c.ends[GRAPH_BLOCKED]);
        }
        x.right = &all.found;
        for (int k = 0; k < SAMPLES; k++) {
            double weight = graph_sample(&s, &r.state);

            sum += weight;
            squares += weight * weight;
        }
        mean = sum / SAMPLES;
        error = sqrt((squares / SAMPLES - mean * mean) / SAMPLES);
        graphs += all.found.count;
        seen += x.found.count;
        if (x.extra || fabs(mean - right) > 6 * error + 1e-9) {
            wrong++;
            printf("program %" PRIu64 ", %s: estimate %g, error %g; right %g; "
                   "%" PRIu64 " too many\n",
                   seed + i, watch_models[m].name, mean, error, right, x.extra);
        }
        mini_close(open);
        canon_free(&all.found);
        canon_free(&all.races);
        canon_free(&x.found);
        canon_free(&x.races);
    }
    printf("%lu programs, %d samples each: %" PRIu64 " of %" PRIu64
           " graphs seen, %" PRIu64 " wrong\n",
           count, SAMPLES, seen, graphs, wrong);
    return wrong > 0;
}
