/* SPDX-License-Identifier: MIT
 *
 * Load buffering: executions with a cycle of po and rf, which only processors
 * have.
 */
#include <inttypes.h>
#include <stdio.h>

#include "watch.h"

struct late_tally {
    uint64_t programs, left_out, graphs, with, spared, open, rounds, wrong;
};

/* ---- Programs that have many ---- */

static enum event_order some_order(const struct mini_code *c, struct random *r)
{
    if (random_below(r, 5))
        return ORDER_RELAXED;
    return c->kind == MINI_LOAD    ? ORDER_ACQUIRE
           : c->kind == MINI_STORE ? ORDER_RELEASE
                                   : ORDER_ACQUIRE + random_below(r, 3);
}

static void make_fence(struct mini_code *c, struct random *r)
{
    static const enum event_order orders[] = {ORDER_ACQUIRE, ORDER_RELEASE,
                                              ORDER_SEQ_CST};

    c->kind = MINI_FENCE;
    c->fence = random_below(r, 3) ? 0 : 1u << random_below(r, 5);
    c->order = orders[random_below(r, 3)];
}

/* How many per cent of the accesses are these, or those before; the others are
 * CAS.  `waits`: for values, and CAS expect more than 0. */
struct mix {
    unsigned loads, stores, exchanges, adds;
    bool waits;
};
static const struct mix usual = {42, 84, 91, 96, false};
static const struct mix waiting = {30, 58, 66, 82, true};

/* `known`: registers that have been read into. */
static void make_access(struct mini_code *c, unsigned known,
                        const struct mix *mix, struct random *r)
{
    unsigned kind = random_below(r, 100);

    c->kind = kind < mix->loads       ? MINI_LOAD
              : kind < mix->stores    ? MINI_STORE
              : kind < mix->exchanges ? MINI_XCHG
              : kind < mix->adds      ? MINI_ADD
                                      : MINI_CAS;
    c->first.add = 1 + random_below(r, 2);
    if (mix->waits && c->kind == MINI_CAS) {
        c->second.add = random_below(r, 3);
        if (known && !random_below(r, 4))
            c->second = (struct mini_value){(int)random_below(r, known), 0};
    }
    if (known && !random_below(r, 3)) {
        unsigned from = random_below(r, known);

        if (c->kind != MINI_ADD && random_below(r, 2))
            c->first = (struct mini_value){(int)from, 0};
        else
            c->data = from + 1;
    }
    if (known && !random_below(r, 8))
        c->pointer = 1 + random_below(r, known);
    c->order = some_order(c, r);
    c->failure_order = ORDER_RELAXED;
}

/* For what was read last. */
static void make_wait(struct mini *p, unsigned t, unsigned known,
                      struct random *r)
{
    p->code[t][p->length[t]++] = (struct mini_code){
        .kind = random_below(r, 2) ? MINI_ASSUME : MINI_ASSUME_NOT,
        .to = MINI_REGISTERS - 1,
        .first = {.from = (int)known - 1},
        .second = {-1, random_below(r, 3)}};
}

static void make_thread(struct mini *p, unsigned t, unsigned accesses,
                        const struct mix *mix, struct random *r)
{
    unsigned known = 0;

    for (unsigned i = 0; i < accesses; i++) {
        struct mini_code *c = &p->code[t][p->length[t]++];
        bool first = !i && random_below(r, 4),
             last = i + 1 == accesses && random_below(r, 4);

        *c = (struct mini_code){.to = MINI_REGISTERS - 1,
                                .first = {.from = -1},
                                .second = {.from = -1}};
        if (i && !random_below(r, 8)) {
            make_fence(c, r);
            c = &p->code[t][p->length[t]++];
            *c = c[-1];
            c->kind = MINI_LOAD;
            c->fence = 0;
        } else if (known && !random_below(r, 8)) {
            c->kind = MINI_SKIP;
            c->count = 1;
            c->first.from = (int)random_below(r, known);
            c->second.add = random_below(r, 2);
            c = &p->code[t][p->length[t]++];
            *c = (struct mini_code){.to = MINI_REGISTERS - 1,
                                    .first = {.from = -1},
                                    .second = {.from = -1}};
        }
        do
            make_access(c, known, mix, r);
        while ((first && c->kind == MINI_STORE) ||
               (last && c->kind == MINI_LOAD));
        c->location = first  ? t % p->locations
                      : last ? (t + 1) % p->locations
                             : random_below(r, p->locations);
        if (c->kind != MINI_STORE && known < MINI_REGISTERS - 1)
            c->to = known++;
        if (mix->waits && known && !last && !random_below(r, 5))
            make_wait(p, t, known, r);
    }
}

static void make_late(struct mini *p, unsigned accesses, const struct mix *mix,
                      struct random *r)
{
    unsigned each;

    *p = (struct mini){.threads = 2 + !random_below(r, 3),
                       .locations = 2 + !random_below(r, 3),
                       .depends = true};
    p->started = p->threads;
    each = accesses / p->threads;
    for (unsigned t = 0; t < p->threads; t++)
        make_thread(p, t, each + (t < accesses % p->threads), mix, r);
}

/* ---- Programs in which POWER's stores propagate after a late load ----
 *
 *     r0 = x; fence; p = 1; fence; y = 1  ||  r0 = y; x = 1; fence; p = 2
 *
 * The second thread loads y late, and what it writes to p may not be before
 * what the first one wrote: not by hb, which leaves co out, but since stores
 * propagate in that order.  Any part may be another one. */

static struct mini_code *put(struct mini *p, unsigned t, enum mini_kind kind,
                             unsigned location, unsigned value)
{
    struct mini_code *c = &p->code[t][p->length[t]++];

    *c = (struct mini_code){.kind = kind,
                            .to = p->length[t] - 1,
                            .location = location,
                            .order = ORDER_RELAXED,
                            .failure_order = ORDER_RELAXED,
                            .first = {-1, value},
                            .second = {-1, 0}};
    return c;
}

static void put_fence(struct mini *p, unsigned t, struct random *r)
{
    unsigned kind = random_below(r, 6);

    if (kind)
        put(p, t, MINI_FENCE, 0, 0)->order =
            kind < 4 ? ORDER_ACQ_REL : ORDER_SEQ_CST;
}

static void make_pushed(struct mini *p, struct random *r)
{
    static const enum mini_kind kinds[] = {MINI_STORE, MINI_STORE, MINI_STORE,
                                           MINI_LOAD, MINI_XCHG};

    *p = (struct mini){
        .threads = 2, .started = 2, .locations = 3, .depends = true};
    put(p, 0, MINI_LOAD, 0, 0);
    put_fence(p, 0, r);
    put(p, 0, kinds[random_below(r, 5)], 2, 1);
    put_fence(p, 0, r);
    put(p, 0, MINI_STORE, 1, 1);
    put(p, 1, MINI_LOAD, 1, 0);
    put(p, 1, MINI_STORE, 0, 1);
    put_fence(p, 1, r);
    put(p, 1, kinds[random_below(r, 5)], 2, 2);
}

/* ---- Programs in which a CAS compares with what was read ----
 *
 *     r0 = x; CAS of z, which expects r0; y = 1  ||  r0 = y; x = r0 */

static void make_compared(struct mini *p, struct random *r)
{
    *p = (struct mini){
        .threads = 2, .started = 2, .locations = 3, .depends = true};
    put(p, 0, MINI_LOAD, 0, 0);
    put(p, 0, MINI_CAS, 2, 1)->second = (struct mini_value){0, 0};
    put_fence(p, 0, r);
    put(p, 0, MINI_STORE, random_below(r, 3), 1 + random_below(r, 2));
    put(p, 0, MINI_STORE, 1, 1);
    put(p, 1, MINI_LOAD, 1, 0);
    put_fence(p, 1, r);
    put(p, 1, MINI_STORE, 0, 1)->data = random_below(r, 2);
}

/* ---- Programs in which what is late is deleted ----
 *
 *     r0 = z  ||  r0 = x; y = 1  ||  z = 1; r0 = y; x = 0
 *
 * The write of z revisits its read and deletes the second thread, whose load
 * may be late with 0: with what comes again by itself without it. */

static void make_deleted(struct mini *p, struct random *r)
{
    *p = (struct mini){
        .threads = 3, .started = 3, .locations = 3, .depends = true};
    put(p, 0, MINI_LOAD, 2, 0);
    put(p, 1, MINI_LOAD, 0, 0);
    put(p, 1, MINI_STORE, 1, 1);
    put(p, 2, MINI_STORE, 2, 1);
    put(p, 2, MINI_LOAD, 1, 0);
    put_fence(p, 2, r);
    put(p, 2, MINI_STORE, 0, random_below(r, 2));
}

/* In some of them fences are of every thread. */
static void make_everybody(struct mini *p, struct random r)
{
    if (random_below(&r, 4))
        return;
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned i = 0; i < p->length[t]; i++) {
            struct mini_code *c = &p->code[t][i];

            if (c->kind != MINI_FENCE || random_below(&r, 3) == 0)
                continue;
            c->everybody = p->everybody = true;
            c->fence = FENCE_FULL;
        }
    }
}

/* ---- Comparing ---- */

/* All executions, each once; and where that is not said, no others.  Where no
 * pair is met there is no cycle. */
static void compare_late(const struct mini *p, struct behaviour *b, int m,
                         int how, const struct canon_set *all, uint64_t seed,
                         struct late_tally *sum)
{
    struct watched without = {.right = all}, x = {.right = all, .late = true};

    watch_run(p, b, m, how, &without);
    watch_run(p, b, m, how, &x);
    sum->with += without.found.count < all->count;
    sum->spared += x.rounds == 0;
    sum->open += x.open;
    sum->graphs += x.found.count;
    if (x.rounds > sum->rounds)
        sum->rounds = x.rounds;
    if (x.twice || x.extra || (!x.open && x.found.count < all->count)) {
        sum->wrong++;
        printf("program %" PRIu64 ", %s, schedule %d: %zu graphs of %zu, "
               "%" PRIu64 " twice, %" PRIu64 " too many, %zu without cycles, "
               "%" PRIu64 " rounds, %s\n",
               seed, watch_models[m].name, how, x.found.count, all->count,
               x.twice, x.extra, without.found.count, x.rounds,
               x.open ? "not all" : "all");
        mini_print(p);
    }
    canon_free(&without.found);
    canon_free(&x.found);
}

static void make_of_kind(struct mini *p, enum late_kind kind, unsigned accesses,
                         struct random *r)
{
    static void (*const made[])(struct mini *, struct random *) = {
        [LATE_PUSHED] = make_pushed,
        [LATE_COMPARED] = make_compared,
        [LATE_DELETED] = make_deleted};

    if (made[kind]) {
        made[kind](p, r);
        return;
    }
    make_late(p, 4 + random_below(r, accesses - 3),
              kind == LATE_WAITS ? &waiting : &usual, r);
    make_everybody(p, *r);
}

int test_late(unsigned long count, uint64_t seed, unsigned accesses,
              enum late_kind kind)
{
    struct late_tally sum = {0};

    for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
        struct canon_set sets[BRUTE_SETS] = {0};
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        make_of_kind(&p, kind, accesses, &r);
        open = mini_open(&p);
        if (brute_force_late(&p, mini_behaviour(open), sets)) {
            sum.programs++;
            for (int m = BRUTE_ARM;
                 m < (p.everybody ? BRUTE_POWER : BRUTE_MODELS); m++)
                compare_late(&p, mini_behaviour(open), m,
                             (int)((seed + i) % SCHEDULE_COUNT), &sets[m],
                             seed + i, &sum);
        } else {
            sum.left_out++;
        }
        for (int m = 0; m < BRUTE_SETS; m++)
            canon_free(&sets[m]);
        mini_close(open);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " left out, %" PRIu64
           " graphs, cycles in %" PRIu64 ", no pair in %" PRIu64
           ", not said to be all in %" PRIu64 ", at most %" PRIu64
           " rounds: %" PRIu64 " wrong\n",
           sum.programs, sum.left_out, sum.graphs, sum.with, sum.spared,
           sum.open, sum.rounds, sum.wrong);
    return sum.wrong || !sum.with;
}
