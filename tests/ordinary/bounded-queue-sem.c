/* SPDX-License-Identifier: MIT
 *
 * The bounded queue of the textbooks: semaphores count free and used places, a
 * mutex guards the indices.  A statistics thread looks from outside.
 * -DBROKEN: it reads the item after a relaxed look at the count.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 1

static int ring[SLOTS];
static unsigned in, out;
static sem_t empty, full;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_int produced;
static int last_item;

static void put(int item)
{
    sem_wait(&empty);
    pthread_mutex_lock(&guard);
    ring[in++ % SLOTS] = item;
    pthread_mutex_unlock(&guard);
    sem_post(&full);
}

static int get(void)
{
    int item;

    sem_wait(&full);
    pthread_mutex_lock(&guard);
    item = ring[out++ % SLOTS];
    pthread_mutex_unlock(&guard);
    sem_post(&empty);
    return item;
}

static void *producer(void *unused)
{
    put(1);
    put(2);
    last_item = 2;
    atomic_store_explicit(&produced, 2, memory_order_release);
    return unused;
}

static void *consumer(void *unused)
{
    assert(get() == 1);
    assert(get() == 2);
    return unused;
}

static void *statistics(void *unused)
{
#ifdef BROKEN
    int n = atomic_load_explicit(&produced, memory_order_relaxed);
#else
    int n = atomic_load_explicit(&produced, memory_order_acquire);
#endif

    if (n == 2)
        assert(last_item == 2);
    return unused;
}

int main(void)
{
    pthread_t t[3];

    sem_init(&empty, 0, SLOTS);
    sem_init(&full, 0, 0);
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_create(&t[2], NULL, statistics, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
