/* SPDX-License-Identifier: MIT
 *
 * A ring whose sides each keep a copy of the other's index, and look at it only
 * when the ring seems full, or empty; the ring is freed in the end.  -DBROKEN:
 * a slot is published without release.  -DEARLY: the consumer gives its slot
 * back without release; what it does with the item decides whether it goes on.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 * verify -DEARLY:   sc no, tso no, pso no, pslo no, c11 yes
 * verify -DEARLY:   arm no, riscv no, power no
 */
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#ifdef EARLY
#define GIVE_BACK memory_order_relaxed
#else
#define GIVE_BACK memory_order_release
#endif

typedef struct {
    size_t capacity;
    int *slots;
    alignas(64) atomic_size_t write_idx;
    alignas(64) size_t read_cache;
    alignas(64) atomic_size_t read_idx;
    alignas(64) size_t write_cache;
} spsc_t;

static bool spsc_try_push(spsc_t *q, int v)
{
    size_t w = atomic_load_explicit(&q->write_idx, memory_order_relaxed);
    size_t next = w + 1;
    if (next == q->capacity)
        next = 0;
    if (next == q->read_cache) {
        q->read_cache =
            atomic_load_explicit(&q->read_idx, memory_order_acquire);
        if (next == q->read_cache)
            return false;
    }
    q->slots[w] = v;
    atomic_store_explicit(&q->write_idx, next, PUBLISH);
    return true;
}

static bool spsc_try_pop(spsc_t *q, int *out)
{
    size_t r = atomic_load_explicit(&q->read_idx, memory_order_relaxed);
    if (r == q->write_cache) {
        q->write_cache =
            atomic_load_explicit(&q->write_idx, memory_order_acquire);
        if (r == q->write_cache)
            return false;
    }
    *out = q->slots[r];
    if (++r == q->capacity)
        r = 0;
    atomic_store_explicit(&q->read_idx, r, GIVE_BACK);
    return true;
}

static spsc_t *q;

static void *prod(void *a)
{
    for (int i = 1; i <= 4; i++)
        while (!spsc_try_push(q, i))
            ;
    return a;
}

static void *cons(void *a)
{
    int v;
    for (int i = 1; i <= 4; i++) {
        while (!spsc_try_pop(q, &v))
            ;
        assert(v == i);
    }
    return a;
}

int main(void)
{
    pthread_t t[2];
    q = aligned_alloc(64, sizeof *q);
    q->capacity = 3;
    q->slots = calloc(3, sizeof *q->slots);
    q->read_cache = q->write_cache = 0;
    atomic_init(&q->write_idx, 0);
    atomic_init(&q->read_idx, 0);
    pthread_create(&t[0], NULL, prod, NULL);
    pthread_create(&t[1], NULL, cons, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    free(q->slots);
    free(q);
    return 0;
}
