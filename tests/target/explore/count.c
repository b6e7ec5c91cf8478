/* SPDX-License-Identifier: MIT
 *
 * Explores a program that `fencer cc` made and prints what the engine counted:
 *
 *   explore_count PROGRAM [MODEL [FLAGS [BOUND [MONITORS [UNROLL [WAY]]]]]]
 *
 * With WAY also what the executions observed; "every" is the other strategy.
 *
 *   traces 3 distinct 3 complete 3 assumed 0 cut 0 failed 0 redundant 0 ...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "worker/worker.h"

static void add(struct channel *sum, const struct channel *c)
{
    sum->complete += c->complete;
    sum->assumed += c->assumed;
    sum->cut += c->cut;
    sum->failed += c->failed;
    sum->redundant += c->redundant;
    sum->events += c->events;
    sum->explore.traces += c->explore.traces;
    sum->explore.distinct = c->explore.distinct;
    for (int i = 0; i < CHANNEL_MONITORS_MAX; i++)
        sum->explore.borderline[i] += c->explore.borderline[i];
    sum->exhausted = c->exhausted;
}

static void print_outcomes(const struct channel *c)
{
    const struct outcome *o =
        (const struct outcome *)((const char *)c + CHANNEL_OUTCOMES_AT);

    for (uint64_t i = 0; i < c->outcome_count && i < CHANNEL_OUTCOMES_MAX; i++)
        printf("%s\n", o[i].text);
}

int main(int argc, char **argv)
{
    static char *const none[] = {NULL};
    struct channel_explore orders = {
        .tree_fd = -1,
        .flags = argc > 3 ? (uint32_t)atoi(argv[3]) : 0,
        .bound = argc > 4 ? (uint32_t)atoi(argv[4]) : 0,
        .monitors = argc > 5 ? (uint32_t)atoi(argv[5]) : 0,
        .known = UINT32_MAX,
        .unroll = argc > 6 ? (uint32_t)atoi(argv[6]) : 0};
    bool every = argc > 7 && argv[7][0] == 'e';
    struct job j = {.program = argv[1],
                    .name = argv[1],
                    .arguments = none,
                    .model = argc > 2 ? argv[2] : "sc",
                    .strategy = every ? STRATEGY_EVERY : STRATEGY_EXPLORE,
                    .flags = CHANNEL_KEEP_GOING,
                    .count = 1ull << 40,
                    .explore = &orders};
    static struct channel sum;
    struct worker w = {0}, *one = &w;
    struct err e;
    uint64_t start = worker_now_ms();

    if (argc < 2 || !worker_start(&w, &j, &e)) {
        fprintf(stderr, "explore_count: %s\n", argc < 2 ? "PROGRAM?" : e.text);
        return 2;
    }
    worker_wait(&one, 1, 0);
    add(&sum, w.channel);
    printf("traces %" PRIu64 " distinct %" PRIu64 " complete %" PRIu64
           " assumed %" PRIu64 " cut %" PRIu64 " failed %" PRIu64
           " redundant %" PRIu64 " events %" PRIu64 " exhausted %u ms %" PRIu64
           "\n",
           sum.explore.traces, sum.explore.distinct, sum.complete, sum.assumed,
           sum.cut, sum.failed, sum.redundant, sum.events, sum.exhausted,
           worker_now_ms() - start);
    for (int i = 0; i < CHANNEL_MONITORS_MAX; i++)
        if (sum.explore.borderline[i])
            printf("borderline %d %" PRIu64 "\n", i, sum.explore.borderline[i]);
    if (w.end != WORKER_DONE || w.channel->explore.incomplete)
        printf("end %d %s %s\n", w.end, w.channel->explore.why,
               w.channel->message);
    printf("races %u\n", w.channel->explore.race_count);
    if (argc > 7)
        print_outcomes(w.channel);
    if (sum.failed)
        printf("failure %s\n", w.channel->failure.message);
    return 0;
}
