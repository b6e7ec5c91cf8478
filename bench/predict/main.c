/* SPDX-License-Identifier: MIT
 *
 * What prediction costs on one long trace: a million events, a hundred racing
 * sites, as a program with four threads would leave it.  Half of the events
 * are accesses of a thread's own; there are locks and fences among them.
 *
 *     phases  each part of the program has a few variables and sites of its
 *             own, as programs have
 *     tangle  every site may meet every other, and there are more cycles than
 *             anybody wants: the search must give up in time
 *     list    sites that run through a thousand nodes of memory
 *
 * Prints CPU seconds and the largest size of the process.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "predict/predict.h"

#define EVENTS 1000000
#define THREADS 4
#define SITES 100
#define PRIVATE_SITES 100
#define LENGTH 8
#define INSTANCES 20

enum shape { PHASES, TANGLE, LIST, SHAPES };
static const char *const shape_words[SHAPES] = {"phases", "tangle", "list"};

static uint64_t state = 88172645463325252ull;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % n);
}

/* ---- The trace ---- */

static struct trace trace;
static uint32_t held[THREADS]; /* lock + 1 */

static void add(enum event_kind kind, uint32_t thread, uint32_t site,
                uint32_t object, uint64_t offset)
{
    trace.events[trace.event_count++] =
        (struct event){.kind = (uint8_t)kind,
                       .size = object ? 8 : 0,
                       .thread = (uint16_t)thread,
                       .site = site,
                       .object = object,
                       .offset = offset,
                       .value = kind == EV_CREATE || kind == EV_LOCK ? 1 : 0,
                       .index = trace.threads[thread].events++};
}

/* Every third site stores.  Objects: 1 shared data, 2 locks, 3 and up the
 * threads' own. */
static void add_racing(enum shape shape, uint32_t thread)
{
    uint32_t site = 1 + below(SITES);
    uint32_t variable = shape == PHASES   ? (site - 1) / 5 * 2 + site % 2
                        : shape == TANGLE ? site % 20
                                          : below(1000);

    add(site % 3 ? EV_LOAD : EV_STORE, thread, site, 1, variable * 8);
}

static void add_lock(uint32_t thread)
{
    uint32_t lock = below(4);

    if (held[thread]) {
        add(EV_UNLOCK, thread, 0, 2, (held[thread] - 1) * 64);
        held[thread] = 0;
        return;
    }
    for (uint32_t i = 0; i < THREADS; i++)
        if (held[i] == lock + 1)
            return;
    add(EV_LOCK, thread, 0, 2, lock * 64);
    held[thread] = lock + 1;
}

static void add_any(enum shape shape, uint32_t thread)
{
    uint32_t what = below(100);

    if (what < 50)
        add(what % 2 ? EV_LOAD : EV_STORE, thread,
            1 + SITES + below(PRIVATE_SITES), 3 + thread, below(512) * 8);
    else if (what < 96)
        add_racing(shape, thread);
    else if (what < 99)
        add_lock(thread);
    else
        add(EV_CALL, thread, 0, 0, 0);
}

static void make_trace(enum shape shape)
{
    static struct fencer_site sites[1 + SITES + PRIVATE_SITES];
    static struct trace_object objects[3 + THREADS];
    static struct trace_thread threads[THREADS];
    uint32_t thread = 0;

    for (uint32_t i = 0; i < 1 + SITES + PRIVATE_SITES; i++)
        sites[i] = (struct fencer_site){.file = "bench.c",
                                        .dir = "",
                                        .function = "f",
                                        .name = "x",
                                        .line = i};
    for (uint32_t i = 0; i < 3 + THREADS; i++)
        objects[i] = (struct trace_object){.kind = OBJECT_GLOBAL,
                                           .address = 0x100000ull * (i + 1),
                                           .size = 0x10000,
                                           .name = "data",
                                           .fields = ""};
    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i] = (struct trace_thread){.parent = 0};
        held[i] = 0;
    }
    trace.program = "bench";
    trace.model = "sc";
    trace.strategy = "pos";
    trace.sites = sites;
    trace.site_count = 1 + SITES + PRIVATE_SITES;
    trace.objects = objects;
    trace.object_count = 3 + THREADS;
    trace.threads = threads;
    trace.thread_count = THREADS;
    trace.event_count = 0;
    for (uint32_t i = 1; i < THREADS; i++) {
        add(EV_CREATE, 0, 0, 0, 0);
        trace.events[trace.event_count - 1].value = i;
    }
    while (trace.event_count < EVENTS) {
        if (below(5) == 0)
            thread = below(THREADS);
        add_any(shape, thread);
    }
}

/* ---- Measuring ---- */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void measure(enum shape shape)
{
    struct predict *p;
    struct predict_cut cut;
    struct rusage usage;
    size_t races, cycles;
    double start, added, done;

    make_trace(shape);
    start = seconds();
    p = predict_new(LENGTH, INSTANCES);
    predict_add(p, &trace);
    added = seconds();
    predict_run(p);
    done = seconds();
    predict_races(p, &races);
    predict_cycles(p, &cycles);
    cut = predict_cut(p);
    getrusage(RUSAGE_SELF, &usage);
    printf("%-7s events %zu races %zu cycles %zu%s left out %" PRIu64
           "  gather %.2f s  search %.2f s  all %.2f s  %ld MiB\n",
           shape_words[shape], trace.event_count, races, cycles,
           cut.cycles ? " (cut)" : "", cut.instances, added - start,
           done - added, done - start, usage.ru_maxrss >> 10);
    predict_free(p);
}

int main(void)
{
    trace.events = calloc(EVENTS + 1, sizeof(*trace.events));
    if (!trace.events)
        return 3;
    for (int shape = 0; shape < SHAPES; shape++)
        measure((enum shape)shape);
    free(trace.events);
    return 0;
}
