/* SPDX-License-Identifier: MIT
 *
 * What a happening costs each monitor, and the three view monitors together:
 * nanoseconds for programs with few and with many addresses.
 *
 * Monitors that have reported have nothing more to do, so the executions are
 * such that nobody reports: either all accesses are seq_cst, or two threads
 * write with release what the two others read with acquire.  Where there are
 * few addresses an execution is as long as that of a litmus test, where there
 * are many it has some happenings for each.  All of it counts: begin too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitor/monitor.h"

enum { THREADS = 4, VARIANTS = 16, REPEATS = 7, SIZES = 5 };

static const uint32_t sizes[SIZES] = {4, 16, 64, 256, 1024};

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- Executions ---- */

static struct happening seq_cst(uint32_t addresses)
{
    uint32_t what = random_below(10);

    return (struct happening){.thread = (uint16_t)(1 + random_below(THREADS)),
                              .address = 0x1000 +
                                         8 * (uint64_t)random_below(addresses),
                              .size = 4,
                              .site = 1,
                              .kind = what < 5   ? EV_LOAD
                                      : what < 9 ? EV_STORE
                                                 : EV_RMW,
                              .order = ORDER_SEQ_CST};
}

/* Threads 1 and 2 write, each its own half of memory; 3 and 4 read. */
static struct happening release_acquire(uint32_t addresses)
{
    uint32_t thread = 1 + random_below(THREADS), at = random_below(addresses);
    bool writes = thread <= THREADS / 2;

    if (writes)
        at = at / 2 * 2 + thread - 1;
    return (struct happening){.thread = (uint16_t)thread,
                              .address = 0x1000 + 8 * (uint64_t)at,
                              .size = 4,
                              .site = 1,
                              .kind = !writes            ? EV_LOAD
                                      : random_below(10) ? EV_STORE
                                                         : EV_RMW,
                              .order = writes ? ORDER_RELEASE : ORDER_ACQUIRE};
}

typedef struct happening draw_fn(uint32_t addresses);

static struct happening *draw(draw_fn *fn, uint32_t addresses, uint32_t length)
{
    struct happening *list = calloc(length, sizeof *list);

    for (uint32_t i = 0; i < length; i++)
        list[i] = i < THREADS ? (struct happening){.kind = EV_CREATE,
                                                   .other = (uint16_t)(i + 1)}
                              : fn(addresses);
    return list;
}

/* ---- Measuring ---- */

static double once(uint32_t kinds, struct happening *const *variants,
                   uint32_t length)
{
    double start = now_ns(), end;
    uint64_t events = 0;

    do {
        for (uint32_t v = 0; v < VARIANTS; v++) {
            monitor_begin(kinds);
            for (uint32_t i = 0; i < length; i++)
                monitor_step(&variants[v][i]);
            events += length;
        }
        end = now_ns();
    } while (end - start < 2e7);
    if (monitor_reported())
        printf(" (reported)");
    return (end - start) / (double)events;
}

static double measure(draw_fn *fn, uint32_t kinds, uint32_t addresses)
{
    uint32_t length = addresses * 4 < 24 ? 24 : addresses * 4;
    struct happening *variants[VARIANTS];
    double best = 0;

    random_state = 1;
    for (uint32_t v = 0; v < VARIANTS; v++)
        variants[v] = draw(fn, addresses, length);
    for (uint32_t i = 0; i < REPEATS; i++) {
        double one = once(kinds, variants, length);

        if (!i || one < best)
            best = one;
    }
    for (uint32_t v = 0; v < VARIANTS; v++)
        free(variants[v]);
    return best;
}

static void row(const char *name, draw_fn *fn, uint32_t kinds)
{
    printf("%-14s", name);
    for (uint32_t i = 0; i < SIZES; i++)
        printf(" %8.1f", measure(fn, kinds, sizes[i]));
    printf("\n");
}

static void rows(const char *words, draw_fn *fn)
{
    printf("%-14s", words);
    for (uint32_t i = 0; i < SIZES; i++)
        printf(" %8u", sizes[i]);
    printf("\n");
    for (enum monitor_kind k = 0; k < MONITOR_COUNT; k++)
        row(monitor_name(k), fn, 1u << k);
    row("tso,pso,pslo", fn,
        1u << MONITOR_TSO | 1u << MONITOR_PSO | 1u << MONITOR_PSLO);
}

int main(void)
{
    if (!monitor_map((1u << MONITOR_COUNT) - 1))
        return 1;
    printf("ns a happening, by addresses\n");
    rows("seq_cst", seq_cst);
    rows("rel, acq", release_acquire);
    return 0;
}
