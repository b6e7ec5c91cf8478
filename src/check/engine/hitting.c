/* SPDX-License-Identifier: MIT
 *
 * Branch and bound: some set is not hit, so one of its things is chosen; the
 * one with the fewest is tried first, and things that were tried are not tried
 * again below.  Sets that share nothing give a lower bound.
 *
 * Before that, what another thing does as well and as cheaply is left out, and
 * so is a set that holds another one.
 */
#include "engine/hitting.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct hitting {
    size_t things, sets;
    unsigned *weights;
    VEC(bool) in; /* sets times things */
};

struct search {
    const struct hitting *h;
    bool *chosen, *excluded, *best, *taken;
    unsigned cost, best_cost;
};

struct hitting *hitting_new(size_t things, const unsigned *weights)
{
    struct hitting *h = calloc(1, sizeof *h);

    CHECK(h);
    h->things = things;
    h->weights = calloc(things + 1, sizeof *h->weights);
    CHECK(h->weights);
    memcpy(h->weights, weights, things * sizeof *weights);
    return h;
}

void hitting_free(struct hitting *h)
{
    if (!h)
        return;
    free(h->weights);
    VEC_FREE(&h->in);
    free(h);
}

void hitting_add(struct hitting *h, const bool *set)
{
    VEC_FIT(&h->in, h->in.count + h->things);
    memcpy(h->in.list + h->in.count, set, h->things * sizeof *set);
    h->in.count += h->things;
    h->sets++;
}

static bool is_hit(const struct search *s, const bool *set)
{
    for (size_t i = 0; i < s->h->things; i++) {
        if (set[i] && s->chosen[i])
            return true;
    }
    return false;
}

static size_t choices(const struct search *s, const bool *set)
{
    size_t n = 0;

    for (size_t i = 0; i < s->h->things; i++)
        n += set[i] && !s->excluded[i];
    return n;
}

/* What disjoint sets that are not hit cost at least. */
static unsigned lower_bound(const struct search *s)
{
    const struct hitting *h = s->h;
    unsigned sum = 0;

    memset(s->taken, 0, h->things * sizeof *s->taken);
    for (size_t k = 0; k < h->sets; k++) {
        const bool *set = h->in.list + k * h->things;
        unsigned least = UINT32_MAX;
        bool free_of_others = !is_hit(s, set);

        for (size_t i = 0; i < h->things && free_of_others; i++) {
            if (!set[i] || s->excluded[i])
                continue;
            free_of_others = !s->taken[i];
            if (h->weights[i] < least)
                least = h->weights[i];
        }
        if (!free_of_others)
            continue;
        sum += least == UINT32_MAX ? 0 : least;
        for (size_t i = 0; i < h->things; i++)
            s->taken[i] |= set[i] && !s->excluded[i];
    }
    return sum;
}

static const bool *smallest_open(const struct search *s)
{
    const bool *best = NULL;
    size_t least = SIZE_MAX;

    for (size_t k = 0; k < s->h->sets; k++) {
        const bool *set = s->h->in.list + k * s->h->things;

        if (!is_hit(s, set) && choices(s, set) < least) {
            least = choices(s, set);
            best = set;
        }
    }
    return best;
}

static void branch(struct search *s);

static void try_each(struct search *s, const bool *set)
{
    const struct hitting *h = s->h;
    bool *tried = calloc(h->things + 1, sizeof *tried);

    CHECK(tried);
    for (size_t i = 0; i < h->things; i++) {
        if (!set[i] || s->excluded[i])
            continue;
        s->chosen[i] = true;
        s->cost += h->weights[i];
        branch(s);
        s->cost -= h->weights[i];
        s->chosen[i] = false;
        s->excluded[i] = tried[i] = true;
    }
    for (size_t i = 0; i < h->things; i++)
        s->excluded[i] &= !tried[i];
    free(tried);
}

static void branch(struct search *s)
{
    const bool *open = smallest_open(s);

    if (!open) {
        if (s->cost < s->best_cost) {
            s->best_cost = s->cost;
            memcpy(s->best, s->chosen, s->h->things * sizeof *s->best);
        }
        return;
    }
    if (s->cost + lower_bound(s) < s->best_cost)
        try_each(s, open);
}

/* ---- What need not be looked at ---- */

static bool covers(const struct hitting *h, size_t a, size_t b)
{
    for (size_t k = 0; k < h->sets; k++) {
        const bool *set = h->in.list + k * h->things;

        if (set[b] && !set[a])
            return false;
    }
    return true;
}

/* Is a as good as b in every way, and better in one or listed first? */
static bool replaces(const struct hitting *h, size_t a, size_t b)
{
    if (a == b || h->weights[a] > h->weights[b] || !covers(h, a, b))
        return false;
    return a < b || h->weights[a] < h->weights[b] || !covers(h, b, a);
}

static void exclude_replaced(struct search *s)
{
    const struct hitting *h = s->h;

    for (size_t b = 0; b < h->things; b++) {
        for (size_t a = 0; a < h->things && !s->excluded[b]; a++)
            s->excluded[b] = replaces(h, a, b);
    }
}

static bool holds_set(const struct hitting *h, const bool *large,
                      const bool *small)
{
    for (size_t i = 0; i < h->things; i++) {
        if (small[i] && !large[i])
            return false;
    }
    return true;
}

static bool is_redundant(const struct hitting *h, size_t k)
{
    const bool *set = h->in.list + k * h->things;

    for (size_t i = 0; i < h->sets; i++) {
        const bool *other = h->in.list + i * h->things;

        if (i != k && holds_set(h, set, other) &&
            (i < k || !holds_set(h, other, set)))
            return true;
    }
    return false;
}

/* Only the sets that hold no other one. */
static struct hitting *reduced(const struct hitting *h)
{
    struct hitting *r = hitting_new(h->things, h->weights);

    for (size_t k = 0; k < h->sets; k++) {
        if (!is_redundant(h, k))
            hitting_add(r, h->in.list + k * h->things);
    }
    return r;
}

void hitting_solve(const struct hitting *h, bool *chosen)
{
    bool *room = calloc(3 * h->things + 1, sizeof *room);
    struct hitting *r = reduced(h);
    struct search s = {.h = r,
                       .chosen = room,
                       .excluded = room + h->things,
                       .taken = room + 2 * h->things,
                       .best = chosen,
                       .best_cost = UINT32_MAX};

    CHECK(room);
    memset(chosen, 0, h->things * sizeof *chosen);
    exclude_replaced(&s);
    branch(&s);
    hitting_free(r);
    free(room);
}
