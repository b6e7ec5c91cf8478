/* SPDX-License-Identifier: MIT
 *
 * One of several shapes of up to four threads, with the orders ST and LD; see
 * power.sh.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;
static atomic_int *p;
static int a, b, c, d;

#ifndef ST
#define ST memory_order_relaxed
#define LD memory_order_relaxed
#endif
#define STORE(to, v, o) atomic_store_explicit(&(to), v, o)
#define LOAD(from, o) atomic_load_explicit(&(from), o)
#define RELAXED memory_order_relaxed

#if defined IRIW /* two readers see two stores in different orders */
#define FIRST STORE(x, 1, ST)
#define SECOND STORE(y, 1, ST)
#define THIRD a = LOAD(x, LD), b = LOAD(y, LD)
#define FOURTH c = LOAD(y, LD), d = LOAD(x, LD)
#define WEAK (a == 1 && b == 0 && c == 1 && d == 0)
#elif defined WRC /* what one thread has read another may not see */
#define FIRST STORE(x, 1, RELAXED)
#define SECOND a = LOAD(x, RELAXED), STORE(y, 1 + a, ST)
#define THIRD b = LOAD(y, LD), c = LOAD(x, RELAXED)
#define WEAK (b == 2 && c == 0)
#elif defined DETOUR /* what it stored another overwrote before it read that   \
                      */
#define FIRST                                                                  \
    STORE(x, 1, RELAXED);                                                      \
    atomic_thread_fence(memory_order_seq_cst);                                 \
    STORE(y, 1, RELAXED)
#define SECOND                                                                 \
    a = LOAD(y, RELAXED);                                                      \
    STORE(z, a, RELAXED);                                                      \
    b = LOAD(z, RELAXED);                                                      \
    c = LOAD((&x)[b - b], RELAXED)
#define THIRD STORE(z, 2, RELAXED)
#define WEAK (a == 1 && b == 2 && c == 0)
#elif defined HANG /* a wake-up that is lost */
#define FIRST                                                                  \
    STORE(x, 1, ST);                                                           \
    if (!LOAD(y, LD))                                                          \
        while (!LOAD(z, LD))                                                   \
            ;
#define SECOND                                                                 \
    STORE(y, 1, ST);                                                           \
    if (LOAD(x, LD))                                                           \
    STORE(z, 1, ST)
#define WEAK 0
#elif defined HANDED /* freed when its user has said that it is done */
#define FIRST                                                                  \
    a = LOAD(*p, RELAXED);                                                     \
    STORE(x, 1, ST)
#define SECOND                                                                 \
    if (LOAD(x, RELAXED))                                                      \
    free(p)
#define WEAK 0
#elif defined LAST /* freed when its last store is seen */
#define FIRST                                                                  \
    atomic_int *own = p;                                                       \
    STORE(*own, 1, RELAXED);                                                   \
    STORE(*own, 2, RELAXED)
#define SECOND                                                                 \
    if (LOAD(*p, RELAXED) == 2)                                                \
    free(p)
#define WEAK 0
#elif defined TWINS /* two equal threads, one of which is late */
#define FIRST                                                                  \
    LOAD(x, RELAXED);                                                          \
    STORE(y, 1, RELAXED)
#define SECOND FIRST
#define THIRD                                                                  \
    if (LOAD(y, RELAXED))                                                      \
    STORE(x, 1, RELAXED)
#define FOURTH STORE(x, 2, RELAXED)
#define WEAK 0
#endif
#ifndef THIRD
#define THIRD
#endif
#ifndef FOURTH
#define FOURTH
#endif

static void *first(void *arg)
{
    FIRST;
    return arg;
}

static void *second(void *arg)
{
    SECOND;
    return arg;
}

static void *third(void *arg)
{
    THIRD;
    return arg;
}

static void *fourth(void *arg)
{
    FOURTH;
    return arg;
}

int main(void)
{
    void *(*starts[])(void *) = {first, second, third, fourth};
    pthread_t threads[4];

#ifdef TWINS
    starts[1] = first;
    (void)second;
#endif
    p = malloc(sizeof *p);
    atomic_init(p, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!WEAK);
    return 0;
}
