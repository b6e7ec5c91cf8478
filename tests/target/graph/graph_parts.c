/* SPDX-License-Identifier: MIT
 *
 * A search in parts, sent as bytes; and random ways down.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

/* ---- Tasks ---- */

/* Graphs that were given away, as bytes. */
struct bag {
    struct watched watched; /* first: its callbacks find it */
    struct random random;
    struct task {
        size_t size;
        uint8_t bytes[GRAPH_TASK_MAX];
    } *tasks;
    size_t count, room, given;
};

static bool give_some(void *context, const struct graph *g)
{
    struct bag *b = context;

    if (random_below(&b->random, 3))
        return false;
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->tasks = realloc(b->tasks, b->room * sizeof *b->tasks);
        if (!b->tasks)
            abort();
    }
    b->tasks[b->count].size = graph_write_task(g, b->tasks[b->count].bytes);
    b->count++;
    b->given++;
    return true;
}

/* Bytes that are wrong here and there are refused, or are a graph. */
static void read_damaged(struct graph_search *s, struct task t,
                         struct random *r)
{
    static struct graph g;

    for (int i = 0; i < 3; i++)
        t.bytes[random_below(r, (unsigned)t.size)] =
            (uint8_t)random_below(r, random_below(r, 2) ? 256 : 20);
    graph_read_task(&g, s, t.bytes, t.size - random_below(r, 2));
}

/* Everything that is given away is explored later, from its bytes. */
static void explore_in_parts(struct graph_search *s, struct bag *b)
{
    static struct graph g;

    graph_search_run(s, NULL);
    while (b->count > 0) {
        struct task t = b->tasks[--b->count];

        read_damaged(s, t, &b->random);
        if (!graph_read_task(&g, s, t.bytes, t.size)) {
            b->watched.extra++;
            continue;
        }
        graph_search_run(s, &g);
    }
}

int test_tasks(unsigned long count, uint64_t seed)
{
    uint64_t wrong = 0, given = 0, graphs = 0;

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
            struct bag b = {.watched = {.p = &p,
                                        .looks = true,
                                        .behaviour = mini_behaviour(open),
                                        .right = &whole.found},
                            .random = r};
            struct graph_search s = {.rules = watch_models[m].rules,
                                     .model = watch_models[m].model,
                                     .behaviour = mini_behaviour(open),
                                     .threads = p.started,
                                     .initial = watch_initial,
                                     .ended = watch_reduced,
                                     .give = give_some,
                                     .context = &b,
                                     .drops = true,
                                     .defers = true};

            watch_run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &whole);
            explore_in_parts(&s, &b);
            given += b.given;
            graphs += whole.found.count;
            if (b.watched.twice || b.watched.extra ||
                b.watched.found.count != whole.found.count) {
                wrong++;
                printf("program %" PRIu64 ", %s: %zu graphs of %zu, %" PRIu64
                       " twice, %" PRIu64 " too many\n",
                       seed + i, watch_models[m].name, b.watched.found.count,
                       whole.found.count, b.watched.twice, b.watched.extra);
                mini_print(&p);
            }
            free(b.tasks);
            canon_free(&b.watched.found);
            canon_free(&whole.found);
        }
        mini_close(open);
    }
    printf("%lu programs in parts, %" PRIu64 " tasks, %" PRIu64
           " graphs: %" PRIu64 " wrong\n",
           count, given, graphs, wrong);
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
        canon_free(&x.found);
    }
    printf("%lu programs, %d samples each: %" PRIu64 " of %" PRIu64
           " graphs seen, %" PRIu64 " wrong\n",
           count, SAMPLES, seen, graphs, wrong);
    return wrong > 0;
}
