/* SPDX-License-Identifier: MIT
 *
 * A flag that is looked at under its mutex, again and again.  Each of these
 * makes of a round that fails one that must not be left out:
 *
 * -DCOUNTS: it counts.
 * -DTAKEN: somebody asks meanwhile whether the mutex is free.
 * -DPEEKS: it reads what a third thread writes without the mutex, after it saw,
 * in no order, that the loop is over: a race on C11 alone.
 * -DNEVER: the flag may stay as it is.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, data, looks, hint;
static atomic_int taken, over, begun;

static bool look(int *seen)
{
    bool found;

    pthread_mutex_lock(&mutex);
    found = ready;
#ifdef COUNTS
    looks++;
#endif
#ifdef PEEKS
    if (!found)
        *seen = hint;
#endif
    (void)seen;
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *waiter(void *unused)
{
    int seen;

    atomic_store(&begun, 1);
    while (!look(&seen))
        usleep(100);
    atomic_store_explicit(&over, 1, memory_order_relaxed);
    assert(data == 5);
    assert(!atomic_load(&taken));
    return unused;
}

static void *late(void *unused)
{
    while (!atomic_load_explicit(&over, memory_order_relaxed))
        ;
    hint = 1;
    return unused;
}

int main(void)
{
    bool sets = true;
    pthread_t t, last;

    pthread_create(&t, NULL, waiter, NULL);
#ifdef PEEKS
    pthread_create(&last, NULL, late, NULL);
#endif
    (void)late;
    (void)last;
    data = 5;
#ifdef TAKEN
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else
        atomic_store(&taken, 1);
#endif
#ifdef NEVER
    sets = atomic_load(&begun);
#endif
    pthread_mutex_lock(&mutex);
    ready = sets;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    assert(looks <= 1);
#ifdef PEEKS
    pthread_join(last, NULL);
#endif
    return 0;
}
