/* SPDX-License-Identifier: MIT
 *
 * Who may touch plain data?  One of the ways below keeps the two threads apart,
 * or does not:
 *
 *   NOTHING, VOLATILE, ATOMIC, RELAXED_ATOMIC   the data alone
 *   MUTEX, SEMAPHORE                            and what guards them
 *   SPIN                                        a lock made of an atomic_flag
 *   ONCE                                        initialised on first use
 *   SPINS                                       a spin loop reads what is not
 *                                               yet atomic
 *
 * BUG leaves out what makes it right.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

#if defined(ATOMIC)
static atomic_int data;
#elif defined(VOLATILE)
static volatile int data;
#else
static int data;
#endif

#if defined(RELAXED_ATOMIC)
#define PUT(v) __atomic_store_n(&data, v, __ATOMIC_RELAXED)
#define GET() __atomic_load_n(&data, __ATOMIC_RELAXED)
#else
#define PUT(v) (data = (v))
#define GET() (data)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int made;
static sem_t full;

static void enter(void)
{
#if defined(MUTEX)
    pthread_mutex_lock(&mutex);
#elif defined(SPIN)
    while (atomic_flag_test_and_set_explicit(&taken, ACQUIRE))
        ;
#endif
}

static void leave(void)
{
#if defined(MUTEX)
    pthread_mutex_unlock(&mutex);
#elif defined(SPIN)
    atomic_flag_clear_explicit(&taken, RELEASE);
#endif
}

/* Double-checked: who comes first makes the data, once. */
static int once(void)
{
    if (!atomic_load_explicit(&made, ACQUIRE)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&made, memory_order_relaxed)) {
            data = 7;
            atomic_store_explicit(&made, 1, RELEASE);
        }
        pthread_mutex_unlock(&mutex);
    }
    return data;
}

static void *first(void *unused)
{
#if defined(ONCE)
    assert(once() == 7);
#elif defined(SPINS)
#ifdef BUG
    data = 1;
#else
    __atomic_store_n(&data, 1, __ATOMIC_RELAXED);
#endif
    __atomic_store_n(&data, 2, __ATOMIC_RELEASE);
#else
    enter();
    PUT(GET() + 1);
    leave();
#ifdef SEMAPHORE
    sem_post(&full);
#endif
#endif
    return unused;
}

static void *second(void *unused)
{
#if defined(ONCE)
    assert(once() == 7);
#elif defined(SPINS)
    while (__atomic_load_n(&data, __ATOMIC_ACQUIRE) != 2)
        ;
#else
#if defined(SEMAPHORE) && !defined(BUG)
    sem_wait(&full);
#endif
#if !defined(BUG) || defined(SPIN)
    enter();
#endif
    PUT(GET() + 1);
#if !defined(BUG) || defined(SPIN)
    leave();
#endif
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&full, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
