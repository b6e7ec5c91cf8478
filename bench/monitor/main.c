/* SPDX-License-Identifier: MIT
 *
 * What a happening costs each monitor, and the three view monitors together:
 * nanoseconds for programs with few and with many addresses.
 *
 * Four threads load, store, exchange and fence at random; an execution has as
 * many happenings as a litmus test where there are few addresses, and some for
 * each address where there are many.  All of an execution counts: begin too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitor/monitor.h"

enum { THREADS = 4, VARIANTS = 16 };

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One in `fences` operations is a fence; 0: none is. */
static struct happening draw(uint32_t addresses, uint32_t fences)
{
    struct happening h = {
        .thread = (uint16_t)(1 + random_below(THREADS)), .size = 4, .site = 1};
    uint32_t what = random_below(10);

    if (fences && random_below(fences) == 0) {
        h.kind = EV_FENCE;
        h.bits = FENCE_FULL;
        return h;
    }
    h.address = 0x1000 + 8 * (uint64_t)random_below(addresses);
    h.kind = what < 5 ? EV_LOAD : what < 9 ? EV_STORE : EV_RMW;
    h.order = h.kind == EV_RMW ? ORDER_RELAXED : ORDER_PLAIN;
    return h;
}

static void fill(struct happening *list, uint32_t length, uint32_t addresses,
                 uint32_t fences)
{
    for (uint32_t i = 0; i < THREADS; i++)
        list[i] =
            (struct happening){.kind = EV_CREATE, .other = (uint16_t)(i + 1)};
    for (uint32_t i = THREADS; i < length; i++)
        list[i] = draw(addresses, fences);
}

/* Monitors that have reported have nothing more to do: what is measured here is
 * an execution in which all threads act in turn behind fences, so that nobody
 * reports. */
static void make_quiet(struct happening *list, uint32_t length)
{
    for (uint32_t i = THREADS; i < length; i++)
        if (list[i].kind == EV_LOAD || list[i].kind == EV_STORE)
            list[i].order = ORDER_SEQ_CST;
        else if (list[i].kind == EV_RMW)
            list[i].order = ORDER_SEQ_CST;
}

static double measure(uint32_t kinds, struct happening *const *variants,
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
    } while (end - start < 2e8);
    return (end - start) / (double)events;
}

static void row(const char *name, uint32_t kinds)
{
    static const uint32_t addresses[] = {4, 16, 64, 256, 1024};

    printf("%-12s", name);
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t length = addresses[i] * 4 < 24 ? 24 : addresses[i] * 4;
        struct happening *variants[VARIANTS];

        for (uint32_t v = 0; v < VARIANTS; v++) {
            variants[v] = calloc(length, sizeof **variants);
            fill(variants[v], length, addresses[i], 0);
            make_quiet(variants[v], length);
        }
        printf(" %8.1f", measure(kinds, variants, length));
        for (uint32_t v = 0; v < VARIANTS; v++)
            free(variants[v]);
    }
    printf("\n");
}

int main(void)
{
    uint32_t views = 1u << MONITOR_TSO | 1u << MONITOR_PSO | 1u << MONITOR_PSLO;

    if (!monitor_map((1u << MONITOR_COUNT) - 1))
        return 1;
    printf("ns a happening, by addresses\n%-12s %8u %8u %8u %8u %8u\n", "", 4,
           16, 64, 256, 1024);
    for (enum monitor_kind k = 0; k < MONITOR_COUNT; k++)
        row(monitor_name(k), 1u << k);
    row("tso,pso,pslo", views);
    return 0;
}
