/* SPDX-License-Identifier: MIT
 *
 * The strategies' random numbers: splitmix64 to spread a seed, xorshift64* to
 * draw.  Written out here so that a seed means the same on every machine.
 */
#ifndef SCHEDULE_RNG_H
#define SCHEDULE_RNG_H

#include <stdint.h>

static inline uint64_t rng_spread(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static inline uint64_t rng_seed(uint64_t seed, uint64_t run)
{
    uint64_t s = rng_spread(rng_spread(seed) + run);

    return s ? s : 1;
}

static inline uint64_t rng_next(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1dull;
}

static inline uint32_t rng_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((rng_next(state) >> 32) * n >> 32);
}

/* True in `parts` of 1024 cases. */
static inline int rng_chance(uint64_t *state, uint32_t parts)
{
    return (rng_next(state) >> 54) < parts;
}

#endif
