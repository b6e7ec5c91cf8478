/* SPDX-License-Identifier: MIT
 *
 * Shapes of programs with accesses of several parts that random ones nearly
 * never have.
 */
#include "mini.h"

static struct mini_code *put(struct mini *p, unsigned t, enum mini_kind kind,
                             unsigned location, unsigned parts)
{
    struct mini_code *c = &p->code[t][p->length[t]];

    *c = (struct mini_code){.kind = kind,
                            .to = p->length[t] % MINI_REGISTERS,
                            .location = location,
                            .parts = parts,
                            .order = ORDER_RELAXED,
                            .failure_order = ORDER_RELAXED,
                            .first = {-1, parts ? 0x22 : 1 + t % 2},
                            .second = {-1, 0}};
    p->length[t]++;
    return c;
}

static void put_fence(struct mini *p, unsigned t, struct random *r,
                      unsigned one_in)
{
    if (random_below(r, one_in) == 0)
        put(p, t, MINI_FENCE, 0, 0)->fence =
            random_below(r, 3) ? 1u << random_below(r, 3) : FENCE_FULL;
}

/* One of the two pairs of neighbours, whole or a part of it. */
static void put_some(struct mini *p, unsigned t, enum mini_kind kind,
                     struct random *r)
{
    unsigned pair = 2 * random_below(r, 2);

    if (random_below(r, 2))
        put(p, t, kind, pair, 2);
    else
        put(p, t, kind, pair + random_below(r, 2), 0);
}

/* Two threads store a part, look at something, and load the whole:
 *
 *     x[0] = 1; r = x or y; r = x  ||  r = x; y[0] = 1; r = x or y; r = y
 *
 * and a third one stores something.  Was each store in memory when its load
 * looked?  What is known of one pair may say it of the other. */
static void make_pairs(struct mini *p, struct random *r)
{
    *p = (struct mini){.threads = 3, .started = 3, .locations = 4};
    for (unsigned t = 0; t < 2; t++) {
        if (t == 1 && random_below(r, 4)) {
            put_some(p, t, MINI_LOAD, r);
            put_fence(p, t, r, 2);
        }
        put(p, t, MINI_STORE, 2 * t + random_below(r, 2), 0);
        put_fence(p, t, r, 8);
        if (t == 0 || random_below(r, 4))
            put_some(p, t, MINI_LOAD, r);
        put_fence(p, t, r, 8);
        put(p, t, MINI_LOAD, 2 * t, 2);
    }
    put_some(p, 2, MINI_STORE, r);
}

/* A load whose sources come from threads that know nothing of each other, in
 * any order of co:
 *
 *     x[0] = 1  ||  r = x  ||  x[0] = 2  ||  x[0] = 1; x[1] = 1 */
static void make_claims(struct mini *p, struct random *r)
{
    unsigned first = random_below(r, 4);

    *p = (struct mini){.threads = 4, .started = 4, .locations = 2};
    put(p, first, MINI_STORE, random_below(r, 2), 0);
    put(p, (first + 1) % 4, MINI_LOAD, 0, 2);
    put_fence(p, (first + 1) % 4, r, 4);
    put(p, (first + 2) % 4, MINI_STORE, random_below(r, 2), 0);
    for (unsigned i = 0; i < 2; i++) {
        put(p, (first + 3) % 4, MINI_STORE, random_below(r, 2), 0);
        put_fence(p, (first + 3) % 4, r, 6);
    }
    if (random_below(r, 2))
        put_some(p, random_below(r, 4), MINI_LOAD + random_below(r, 2), r);
    for (unsigned t = 0; t < 4; t++) {
        for (unsigned i = 0; i < p->length[t]; i++)
            p->code[t][i].location %= 2;
    }
}

/* ---- The same of an atomic block ---- */

static void put_block(struct mini *p, unsigned t, unsigned count)
{
    put(p, t, MINI_BLOCK, 0, 0)->count = count;
}

/* Neighbours of the block are what it touches if the lowest bit of what it read
 * first is set; and one of its loads is left out if that was 0 or 1. */
static void put_unfolding(struct mini *p, unsigned t, struct random *r)
{
    unsigned begin = p->length[t], from;
    bool skips = random_below(r, 2), writes = random_below(r, 3) == 0;

    put_block(p, t, 3 + skips + writes);
    from = put(p, t, MINI_LOAD, random_below(r, 3), 0)->to;
    if (skips) {
        struct mini_code *c = put(p, t, MINI_SKIP, 0, 0);

        c->count = 1;
        c->first = (struct mini_value){(int)from, 0};
        c->second = (struct mini_value){-1, random_below(r, 2)};
    }
    for (unsigned i = 0; i < 2; i++)
        put(p, t, MINI_LOAD, random_below(r, 3), 0)->index =
            random_below(r, 2) ? from + 1 : 0;
    if (writes)
        put(p, t, MINI_STORE, random_below(r, 3), 0);
    p->code[t][begin].to = MINI_REGISTERS - 1;
}

/* One or two stores, perhaps as a block. */
static void put_stores(struct mini *p, unsigned t, struct random *r)
{
    unsigned count = 1 + random_below(r, 2);

    if (random_below(r, 2))
        put_block(p, t, count);
    for (unsigned i = 0; i < count; i++)
        put(p, t, MINI_STORE, random_below(r, 3), 0);
}

void mini_random_unfolding(struct mini *p, unsigned accesses, struct random *r)
{
    unsigned threads = 3 + random_below(r, 2);
    unsigned block = random_below(r, threads);

    (void)accesses;
    *p = (struct mini){.threads = threads,
                       .started = threads,
                       .locations = 3,
                       .bundles = true,
                       .blocks = true};
    for (unsigned t = 0; t < threads; t++) {
        if (t == block)
            put_unfolding(p, t, r);
        else
            put_stores(p, t, r);
    }
}

/* ---- Of them all ---- */

void mini_random_torn(struct mini *p, unsigned accesses, struct random *r)
{
    (void)accesses;
    (random_below(r, 2) ? make_pairs : make_claims)(p, r);
    p->bundles = true;
    p->big = random_below(r, 4) == 0;
}
