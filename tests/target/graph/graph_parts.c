/* SPDX-License-Identifier: MIT
 *
 * A search in parts, and one that is stopped and goes on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

/* ---- Ways ---- */

/* A search that stops now and then. */
struct halting {
    struct watched watched; /* first: its callbacks find it */
    struct random random;
    uint64_t stops, cuts;
    uint64_t ends[GRAPH_FAILED + 1];
};

static bool look_and_halt(void *context, const struct graph *g,
                          enum graph_end end)
{
    struct halting *h = context;

    watch_reduced(&h->watched, g, end);
    return random_below(&h->random, 3) > 0;
}

static bool pause_now_and_then(void *context)
{
    struct halting *h = context;

    return random_below(&h->random, 5) == 0;
}

/* A part of the tree. */
struct part {
    struct graph_way from, until;
};

#define PARTS_MAX 8

/* A stopped search gives away some of what is left of its part, if that can be
 * cut. */
static bool give_away(struct part *mine, struct part *given, struct halting *h)
{
    given->until = mine->until;
    if (!graph_way_cut(&mine->from, &mine->until,
                       (uint32_t)random_below(&h->random, 4), &given->from))
        return false;
    mine->until = given->from;
    h->cuts++;
    return true;
}

/* One part after the other, the last first; each halts now and then, and goes
 * on from its way. */
static void explore_in_parts(const struct graph_search *fresh, unsigned most,
                             struct halting *h)
{
    static struct part parts[PARTS_MAX];
    unsigned count = 1;

    parts[0].from.count = parts[0].until.count = 0;
    while (count) {
        struct part *p = &parts[count - 1];
        struct graph_search s = *fresh;

        s.resume = p->from;
        s.until = p->until;
        graph_search_run(&s);
        for (int i = 0; i <= GRAPH_FAILED; i++)
            h->ends[i] += s.counts.ends[i];
        if (!s.stop || s.done) {
            count--;
            continue;
        }
        p->from = s.at;
        h->stops++;
        if (count < most)
            count += give_away(p, p + 1, h);
    }
}

static bool starts_threads(const struct mini *p)
{
    for (unsigned i = 0; i < p->length[0]; i++)
        if (p->code[0][i].kind == MINI_CREATE ||
            p->code[0][i].kind == MINI_JOIN)
            return true;
    return false;
}

/* Of those whose last thread may be alone every second one waits, so that some
 * graphs end with nobody alone. */
static void make_way(struct mini *p, uint64_t number, bool lone,
                     struct random *r)
{
    if (number % 4 == 1)
        (number % 8 == 1 ? mini_random_bundles : mini_random_blocks)(p, 8, r);
    else if (number % 4)
        mini_random(p, 9, r);
    else
        mini_random_locks(p, r);
    if (lone && number % 4 == 2)
        mini_random_waits(p, r);
    if (lone && !starts_threads(p))
        known_give_parent(p, 1);
}

int test_ways(unsigned long count, uint64_t seed)
{
    uint64_t wrong = 0, stops = 0, cuts = 0, graphs = 0;

    for (uint64_t i = 0; i < count && wrong < 5; i++) {
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        bool lone = i / 4 % 2; /* then graphs are not compared */
        struct mini p;
        struct mini_run *open;

        make_way(&p, i, lone, &r);
        open = mini_open(&p);
        for (int m = 0; m < watch_model_count(&p); m++) {
            struct graph_counts counts;
            struct watched whole = {
                .looks = true, .reduces = true, .lone = lone};
            struct halting h = {.watched = {.p = &p,
                                            .looks = true,
                                            .behaviour = mini_behaviour(open),
                                            .right = &whole.found},
                                .random = r};
            struct graph_search s = {
                .rules = watch_models[m].rules,
                .model = watch_model_of(m),
                .behaviour = mini_behaviour(open),
                .threads = p.started,
                .initial = watch_initial,
                .reaches = watch_reaches,
                .is_ghost = watch_is_ghost,
                .ended = look_and_halt,
                .pauses = pause_now_and_then,
                .patience = (uint32_t)(i % 3),
                .orders = watch_orders(watch_models[m].rules, watch_model_of(m),
                                       mini_behaviour(open), p.started),
                .context = &h,
                .races = m == BRUTE_SC,
                .drops = true,
                .defers = true,
                .lone = lone};

            if (!watch_takes(&p, m, i))
                continue;
            h.watched.search = &s;
            counts =
                watch_run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &whole);
            explore_in_parts(&s, 1 + (unsigned)(i % PARTS_MAX), &h);
            stops += h.stops;
            cuts += h.cuts;
            graphs += whole.found.count;
            if ((!lone && (h.watched.twice || h.watched.extra)) ||
                memcmp(h.ends, counts.ends, sizeof h.ends) != 0 ||
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
           " cuts, %" PRIu64 " graphs: %" PRIu64 " wrong\n",
           count, stops, cuts, graphs, wrong);
    return wrong > 0;
}
