/* SPDX-License-Identifier: MIT
 *
 * Two shapes of programs with loads of several parts, that random ones nearly
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

void mini_random_torn(struct mini *p, unsigned accesses, struct random *r)
{
    (void)accesses;
    (random_below(r, 2) ? make_pairs : make_claims)(p, r);
    p->bundles = true;
    p->big = random_below(r, 4) == 0;
}
