/* SPDX-License-Identifier: MIT
 *
 * Executions drawn as graphs: a choice before there are threads, a spin loop,
 * a mutex, memory that turns out to be shared late, and two failures.
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int ready;
static int message, rare, lock_count;
static unsigned chosen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count(void)
{
    pthread_mutex_lock(&lock);
    lock_count++;
    pthread_mutex_unlock(&lock);
}

static void *sends(void *unused)
{
    message = 1 + (int)chosen;
    atomic_store_explicit(&ready, 1, ORDER);
    count();
    return unused;
}

static void *receives(void *unused)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    if (message == 0)
        rare = 1; /* nobody touches it where nothing is reordered */
    count();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    chosen = fencer_choose(3);
    pthread_create(&a, NULL, sends, NULL);
    pthread_create(&b, NULL, receives, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fencer_observe("chosen", chosen);
    assert(lock_count == 2);
    assert(!rare || chosen == 2);
    assert(!rare);
    return 0;
}
