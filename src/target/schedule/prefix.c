/* SPDX-License-Identifier: MIT
 *
 * Beginnings of executions: see prefix.h.
 *
 * Each has a place by chance among those of the same number of steps, so that
 * they stay different.  One that was used often and led nowhere makes room.
 */
#include "schedule/prefix.h"

#include "schedule/rng.h"

#define LENGTH_MAX 2048u /* decisions */
#define DEPTHS 17u       /* steps of a plan, 0 included */
#define PLACES 6u        /* beginnings that came to that step */
#define USES_MAX 24u     /* without success */

struct prefix {
    struct plan plan;
    uint32_t length; /* 0: none */
    uint32_t uses;
    uint32_t decisions[LENGTH_MAX];
};

static struct prefix table[DEPTHS][PLACES];
static uint64_t table_seed, last_run;

/* This execution. */
static uint32_t decisions[LENGTH_MAX];
static uint32_t count; /* beyond LENGTH_MAX: too long to be kept */
static struct prefix *followed;
static uint32_t followed_at;

void prefix_begin(uint64_t seed, uint64_t run)
{
    if (seed != table_seed || run <= last_run)
        for (uint32_t i = 0; i < DEPTHS; i++)
            for (uint32_t j = 0; j < PLACES; j++)
                table[i][j].length = 0;
    table_seed = seed;
    last_run = run;
    count = 0;
    followed = NULL;
}

void prefix_note(uint32_t decision)
{
    if (count < LENGTH_MAX)
        decisions[count] = decision;
    count++;
}

void prefix_keep(const struct plan *p, uint64_t *rng)
{
    struct prefix *to = table[p->at];

    if (count > LENGTH_MAX)
        return;
    for (uint32_t i = 0; i < PLACES; i++)
        if (!table[p->at][i].length)
            to = &table[p->at][i];
    if (to->length)
        to = &table[p->at][rng_below(rng, PLACES)];
    to->plan = *p;
    to->uses = 0;
    to->length = count;
    for (uint32_t i = 0; i < count; i++)
        to->decisions[i] = decisions[i];
}

static struct prefix *one_at(uint32_t depth, const struct plan *p,
                             uint64_t *rng)
{
    uint32_t from = rng_below(rng, PLACES);

    for (uint32_t i = 0; i < PLACES; i++) {
        struct prefix *x = &table[depth][(from + i) % PLACES];

        if (x->length && x->plan.pair == p->pair && x->plan.stale == p->stale)
            return x;
    }
    return NULL;
}

/* The deepest in half of the cases, else the one before it, ... */
bool prefix_choose(const struct plan *p, uint64_t *rng)
{
    for (uint32_t depth = DEPTHS - 1; depth; depth--) {
        struct prefix *x = one_at(depth, p, rng);

        if (!x || !rng_chance(rng, 512))
            continue;
        if (x->uses++ == USES_MAX) {
            x->length = 0;
            continue;
        }
        followed = x;
        followed_at = 0;
        return true;
    }
    return false;
}

bool prefix_is_followed(void)
{
    return followed != NULL;
}

bool prefix_next(uint32_t *decision, struct plan *p)
{
    if (!followed)
        return false;
    if (followed_at < followed->length) {
        *decision = followed->decisions[followed_at++];
        prefix_note(*decision);
        return true;
    }
    *p = followed->plan;
    followed = NULL;
    return false;
}

bool prefix_next_choice(enum decision_kind kind, uint32_t *choice)
{
    uint32_t d;

    if (!followed || followed_at == followed->length)
        return false;
    d = followed->decisions[followed_at];
    if ((d & 7) != (uint32_t)kind)
        return false;
    followed_at++;
    prefix_note(d);
    *choice = d >> 3;
    return true;
}
