/* SPDX-License-Identifier: MIT
 *
 * Random numbers: own generators, in the same state at the start of every
 * execution.  The sequences are not glibc's; rand() after srand(1) is not the
 * sequence of rand() without srand().  drand48's family is the 48-bit generator
 * that POSIX prescribes, so its sequences are everybody's.
 *
 * A generator's state is the library's, or, for the _r functions, in the
 * caller's structure, read and written as events.
 */
#include "libc/libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t rand_state, entropy_state;
static char *state_array; /* what initstate and setstate were given last */

/* POSIX: x' = a x + c modulo 2^48. */
struct lcg {
    uint64_t x, a, c;
};
static struct lcg lcg;
static unsigned short seed48_old[3]; /* seed48 returns its address */

#define LCG_A 0x5deece66dull
#define LCG_C 0xbull
#define MASK48 ((1ull << 48) - 1)

void libc_reset_random(void)
{
    rand_state = 1;
    entropy_state = 0x66656e636572ull;
    state_array = NULL;
    lcg = (struct lcg){0x1234abcd330eull, LCG_A, LCG_C};
    memset(seed48_old, 0, sizeof seed48_old);
}

/* splitmix64: any state is as good as any other. */
static uint64_t next64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static int next31(uint64_t *state)
{
    return (int)(next64(state) >> 33);
}

/* ---- rand and random share one generator, as in glibc ---- */

static void take_random(void)
{
    libc_state(&rand_state, sizeof rand_state, rt_take_site_known());
}

MODEL(int, rand, (void))
{
    take_random();
    return next31(&rand_state);
}

MODEL(void, srand, (unsigned seed))
{
    take_random();
    rand_state = seed;
}

MODEL(long, random, (void))
{
    take_random();
    return next31(&rand_state);
}

MODEL_ALSO(srandom, srand)

MODEL(int, rand_r, (unsigned *seed))
{
    uint32_t site = rt_take_site_known();
    uint64_t state = 0;
    int n;

    libc_in(&state, seed, sizeof *seed, site);
    n = next31(&state);
    libc_out(seed, &state, sizeof *seed, site);
    return n;
}

/* The array that the program lends holds our 8 bytes of state. */
MODEL(char *, initstate, (unsigned seed, char *array, size_t size))
{
    uint32_t site = rt_take_site();
    char *old = state_array;

    if (size < 8) {
        errno = EINVAL;
        return NULL;
    }
    if (old)
        libc_out(old, &rand_state, sizeof rand_state, site);
    rand_state = seed;
    libc_out(array, &rand_state, sizeof rand_state, site);
    state_array = array;
    return old;
}

MODEL(char *, setstate, (char *array))
{
    uint32_t site = rt_take_site();
    char *old = state_array;

    if (old)
        libc_out(old, &rand_state, sizeof rand_state, site);
    libc_in(&rand_state, array, sizeof rand_state, site);
    state_array = array;
    return old;
}

/* struct random_data: `state` points to the array; that is all we use. */

static int reseed(unsigned seed, int32_t *array, uint32_t site)
{
    uint64_t state = seed;

    libc_out(array, &state, sizeof state, site);
    return 0;
}

MODEL(int, random_r, (struct random_data *data, int32_t *result))
{
    uint32_t site = rt_take_site_known();
    int32_t *array, n;
    uint64_t state;

    libc_in(&array, &data->state, sizeof array, site);
    if (!array) {
        errno = EINVAL;
        return -1;
    }
    libc_in(&state, array, sizeof state, site);
    n = next31(&state);
    libc_out(array, &state, sizeof state, site);
    libc_out(result, &n, sizeof n, site);
    return 0;
}

MODEL(int, srandom_r, (unsigned seed, struct random_data *data))
{
    uint32_t site = rt_take_site_known();
    int32_t *array;

    libc_in(&array, &data->state, sizeof array, site);
    if (!array)
        return -1;
    return reseed(seed, array, site);
}

MODEL(int, initstate_r,
      (unsigned seed, char *array, size_t size, struct random_data *data))
{
    uint32_t site = rt_take_site_known();

    if (size < 8) {
        errno = EINVAL;
        return -1;
    }
    libc_out(&data->state, &array, sizeof array, site);
    return reseed(seed, (int32_t *)array, site);
}

MODEL(int, setstate_r, (char *array, struct random_data *data))
{
    uint32_t site = rt_take_site_known();

    libc_out(&data->state, &array, sizeof array, site);
    return 0;
}

/* ---- drand48 and its family ---- */

static uint64_t step(struct lcg *g)
{
    g->x = (g->a * g->x + g->c) & MASK48;
    return g->x;
}

static uint64_t join(const unsigned short x[3])
{
    return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32;
}

static void split(uint64_t x, unsigned short to[3])
{
    to[0] = (unsigned short)x;
    to[1] = (unsigned short)(x >> 16);
    to[2] = (unsigned short)(x >> 32);
}

/* The next 48 bits of the caller's own x, by the numbers of g. */
static uint64_t step_own(unsigned short x[3], struct lcg g, uint32_t site)
{
    unsigned short copy[3];

    libc_in(copy, x, sizeof copy, site);
    g.x = join(copy);
    split(step(&g), copy);
    libc_out(x, copy, sizeof copy, site);
    return g.x;
}

static double real_of(uint64_t x)
{
    return (double)x / (double)(1ull << 48);
}

static long long_of(uint64_t x)
{
    return (long)(x >> 17);
}

static long signed_of(uint64_t x)
{
    return (int32_t)(x >> 16);
}

static struct lcg seed_high(long high)
{
    return (struct lcg){(uint64_t)(uint32_t)high << 16 | 0x330e, LCG_A, LCG_C};
}

static struct lcg seed_x(const unsigned short from[3], uint32_t site)
{
    unsigned short x[3];

    libc_in(x, from, sizeof x, site);
    return (struct lcg){join(x), LCG_A, LCG_C};
}

static struct lcg seed_whole(const unsigned short from[7], uint32_t site)
{
    unsigned short p[7];

    libc_in(p, from, sizeof p, site);
    return (struct lcg){join(p), join(p + 3), p[6]};
}

/* The reentrant ones keep glibc's structure: x, a and c in its fields. */

static struct lcg get(struct drand48_data *from, uint32_t site)
{
    struct drand48_data d;

    libc_in(&d, from, sizeof d, site);
    if (!d.__init)
        return (struct lcg){join(d.__x), LCG_A, LCG_C};
    return (struct lcg){join(d.__x), d.__a, d.__c};
}

static int set(struct drand48_data *to, struct lcg g, uint32_t site)
{
    struct drand48_data d;

    memset(&d, 0, sizeof d);
    split(g.x, d.__x);
    d.__a = g.a;
    d.__c = (unsigned short)g.c;
    d.__init = 1;
    libc_out(to, &d, sizeof d, site);
    return 0;
}

static uint64_t step_in(struct drand48_data *d, uint32_t site)
{
    struct lcg g = get(d, site);

    step(&g);
    set(d, g, site);
    return g.x;
}

static uint32_t take_lcg(void)
{
    uint32_t site = rt_take_site_known();

    libc_state(&lcg, sizeof lcg, site);
    return site;
}

/* One result in four ways: of the library's generator, of the caller's x, and
 * both of the caller's structure. */
#define RESULTS(plain, own, type, result_of)                                   \
    MODEL_IS(type, plain, (void), (take_lcg(), result_of(step(&lcg))))         \
    MODEL(type, own, (unsigned short x[3]))                                    \
    {                                                                          \
        uint32_t site = take_lcg();                                            \
                                                                               \
        return result_of(step_own(x, lcg, site));                              \
    }                                                                          \
    MODEL(int, plain##_r, (struct drand48_data * d, type * to))                \
    {                                                                          \
        uint32_t site = rt_take_site_known();                                  \
        type value = result_of(step_in(d, site));                              \
                                                                               \
        libc_out(to, &value, sizeof value, site);                              \
        return 0;                                                              \
    }                                                                          \
    MODEL(int, own##_r,                                                        \
          (unsigned short x[3], struct drand48_data *d, type *to))             \
    {                                                                          \
        uint32_t site = rt_take_site_known();                                  \
        type value = result_of(step_own(x, get(d, site), site));               \
                                                                               \
        libc_out(to, &value, sizeof value, site);                              \
        return 0;                                                              \
    }

RESULTS(drand48, erand48, double, real_of)
RESULTS(lrand48, nrand48, long, long_of)
RESULTS(mrand48, jrand48, long, signed_of)

MODEL_DOES(srand48, (long high), (take_lcg(), lcg = seed_high(high)))

MODEL(void, lcong48, (unsigned short from[7]))
{
    uint32_t site = rt_take_site_known();
    struct lcg new = seed_whole(from, site);

    libc_state(&lcg, sizeof lcg, site);
    lcg = new;
}

/* What it returns is memory of ours that it may read at any time. */
MODEL(unsigned short *, seed48, (unsigned short x[3]))
{
    struct lcg new = seed_x(x, rt_take_site());

    split(lcg.x, seed48_old);
    lcg = new;
    return seed48_old;
}

MODEL_IS(int, srand48_r, (long high, struct drand48_data *d),
         set(d, seed_high(high), rt_take_site_known()))

MODEL(int, seed48_r, (unsigned short x[3], struct drand48_data *d))
{
    uint32_t site = rt_take_site_known();

    return set(d, seed_x(x, site), site);
}

MODEL(int, lcong48_r, (unsigned short from[7], struct drand48_data *d))
{
    uint32_t site = rt_take_site_known();

    return set(d, seed_whole(from, site), site);
}

/* ---- Entropy that is none ---- */

static uint32_t take_entropy(void)
{
    uint32_t site = rt_take_site_known();

    libc_state(&entropy_state, sizeof entropy_state, site);
    return site;
}

static void fill(char *to, size_t count, uint32_t site)
{
    uint64_t mine = entropy_state;

    for (size_t i = 0; i < count; i += sizeof mine)
        next64(&entropy_state);
    while (count) {
        uint64_t word = next64(&mine);
        size_t n = count < sizeof word ? count : sizeof word;

        libc_out(to, &word, n, site);
        to += n;
        count -= n;
    }
}

HIDDEN_IS(uint32_t, arc4random, (void),
          (take_entropy(), (uint32_t)next64(&entropy_state)))
HIDDEN_IS(
    uint32_t, arc4random_uniform, (uint32_t bound),
    (take_entropy(), bound ? (uint32_t)(next64(&entropy_state) % bound) : 0))
HIDDEN_DOES(arc4random_buf, (void *to, size_t count),
            fill(to, count, take_entropy()))

MODEL(ssize_t, getrandom, (void *to, size_t count, unsigned flags))
{
    fill(to, count, take_entropy());
    return (ssize_t)count;
}

MODEL(int, getentropy, (void *to, size_t count))
{
    uint32_t site = take_entropy();

    if (count > 256) {
        errno = EIO;
        return -1;
    }
    fill(to, count, site);
    return 0;
}
