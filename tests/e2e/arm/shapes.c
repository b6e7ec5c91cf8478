/* SPDX-License-Identifier: MIT
 *
 * One of several shapes, with the orders ST and LD; see arm.sh.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

#define STORE(a, v, o) atomic_store_explicit(&(a), v, o)
#define LOAD(a, o) atomic_load_explicit(&(a), o)
#define RELAXED memory_order_relaxed

#if defined MP
#define FIRST STORE(x, 1, RELAXED), STORE(y, 1, ST)
#define SECOND r0 = LOAD(y, LD), r1 = LOAD(x, RELAXED)
#define WEAK (r0 == 1 && r1 == 0)
#elif defined SB
#define FIRST STORE(x, 1, ST), r0 = LOAD(y, LD)
#define SECOND STORE(y, 1, ST), r1 = LOAD(x, LD)
#define WEAK (r0 == 0 && r1 == 0)
#elif defined XCHG
#define FIRST atomic_exchange(&x, 1), r0 = LOAD(y, RELAXED)
#define SECOND atomic_exchange(&y, 1), r1 = LOAD(x, RELAXED)
#define WEAK (r0 == 0 && r1 == 0)
#elif defined LB
#define FIRST r0 = LOAD(x, LD), STORE(y, 1, ST)
#define SECOND r1 = LOAD(y, LD), STORE(x, 1, ST)
#define WEAK (r0 == 1 && r1 == 1)
#elif defined S
#define FIRST STORE(y, 1, RELAXED), STORE(x, 1, memory_order_release)
#define SECOND                                                                 \
    int v = LOAD(x, RELAXED);                                                  \
    STORE(y, VALUE, RELAXED);                                                  \
    r0 = v
#define WEAK (r0 == 1 && LOAD(y, RELAXED) == 1)
#elif defined LB_DATA /* out of thin air */
#define FIRST r0 = LOAD(x, LD), STORE(y, r0, ST)
#define SECOND r1 = LOAD(y, LD), STORE(x, r1, ST)
#define WEAK (r0 != 0 || r1 != 0)
#elif defined LB_RMW
#define FIRST                                                                  \
    r0 = atomic_exchange_explicit(&x, 2, memory_order_relaxed), STORE(y, 1, ST)
#define SECOND r1 = LOAD(y, LD), STORE(x, 1, ST)
#define WEAK (r0 == 1 && r1 == 1)
#elif defined LB_CAS /* only an RMW that is late lets another one write */
#ifndef ST
#define ST RELAXED
#endif
#define FIRST r0 = atomic_exchange_explicit(&x, 1, RELAXED), STORE(y, 1, ST)
#define SECOND                                                                 \
    if (LOAD(y, RELAXED))                                                      \
    atomic_compare_exchange_strong_explicit(&x, &r1, 2, RELAXED, RELAXED)
#define WEAK (r0 == 2)
#elif defined POSTED
static sem_t posted;
#define FIRST sem_post(&posted), STORE(y, 1, RELAXED)
#define SECOND sem_post(&posted), r1 = LOAD(y, RELAXED)
#define WEAK (r1 == 2)
#elif defined LB_MANY
#define FIRST r0 = LOAD(x, RELAXED), STORE(y, 1, RELAXED)
#define SECOND                                                                 \
    r1 = LOAD(y, RELAXED);                                                     \
    for (int i = 1; i < 80; i++)                                               \
    STORE(x, i, RELAXED)
#define WEAK (r0 == 80 && r1 == 1)
#elif defined LOCKED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define FIRST                                                                  \
    pthread_mutex_lock(&mutex), r0 = LOAD(x, RELAXED), STORE(y, 1, RELAXED),   \
                                pthread_mutex_unlock(&mutex)
#define SECOND                                                                 \
    pthread_mutex_lock(&mutex), r1 = LOAD(y, RELAXED), STORE(x, 1, RELAXED),   \
                                pthread_mutex_unlock(&mutex)
#define WEAK (r0 == 1 && r1 == 1)
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

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!WEAK);
    return 0;
}
