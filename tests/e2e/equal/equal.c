/* SPDX-License-Identifier: MIT
 *
 * For equal.sh: threads of the same function that somebody tells apart.  Each
 * asserts what holds as long as the first of them is the first to come.
 *
 *   -DARGUMENT  by what they are given
 *   -DSELF      by their pthread_t
 *   -DSTACK     by where their stacks are
 *   -DRETURNED  by what they return
 *   -DJOINED    one is joined before the other
 *   -DSTUCK     the same, and the other one never ends
 *   -DOBSERVED  they say what they are
 *   -DREADS     C11: by po and rf one leads to what the other reads
 *   -DSAME      by nothing: it holds, and they come in one order
 *   -DHOLDS     the same, and they hold mutexes and wait
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

#include <fencer.h>

#define RELAXED memory_order_relaxed

static atomic_int arrived;
static pthread_t ids[3];

static inline int arrive(void)
{
    return atomic_fetch_add(&arrived, 1);
}

#if defined ARGUMENT
enum { THREADS = 2 };
static atomic_int first;

static void *run(void *number)
{
    if (arrive() == 0)
        first = (int)(intptr_t)number;
    return NULL;
}

static void judge(void)
{
    assert(first == 0);
}

#elif defined SELF
enum { THREADS = 2 };
static _Atomic pthread_t first;

static void *run(void *unused)
{
    if (arrive() == 0)
        first = pthread_self();
    return unused;
}

static void judge(void)
{
    assert(pthread_equal(first, ids[0]));
}

#elif defined STACK
enum { THREADS = 2 };
static _Atomic uintptr_t places[2];

static void *run(void *unused)
{
    int mine = arrive();

    places[mine] = (uintptr_t)&mine;
    return unused;
}

static void judge(void)
{
    assert(places[0] < places[1]);
}

#elif defined OBSERVED
enum { THREADS = 2 };

static void *run(void *unused)
{
    fencer_observe("arrived", arrive());
    return unused;
}

static void judge(void)
{
}

#elif defined STUCK
enum { THREADS = 2 };
static sem_t never;

static void *run(void *unused)
{
    if (arrive() > 0)
        sem_wait(&never);
    return unused;
}

#elif defined READS
enum { THREADS = 2 };
static atomic_int x, y, z;

static void *run(void *unused)
{
    int seen = atomic_load_explicit(&x, RELAXED);

    if (seen == 2)
        atomic_store_explicit(&y, 1, RELAXED);
    if (seen == 1)
        atomic_store_explicit(&z, 1, RELAXED);
    return unused;
}

static void *answer(void *unused)
{
    if (atomic_load_explicit(&y, RELAXED) == 1)
        atomic_store_explicit(&x, 1, RELAXED);
    return unused;
}

static void judge(void)
{
    assert(!(z == 1 && x == 2));
}

#elif defined HOLDS
enum { THREADS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int inside;

static void *run(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (++inside == THREADS)
        pthread_cond_broadcast(&all);
    while (inside < THREADS)
        pthread_cond_wait(&all, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void judge(void)
{
    assert(inside == THREADS);
}

#else
enum { THREADS = 2 };

static void *run(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)arrive();
}

static void judge(void)
{
}
#endif

int main(void)
{
    void *results[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&ids[i], NULL, run, (void *)(intptr_t)i);
#if defined STUCK
    pthread_join(ids[1], results);
    assert(!"the second has come first");
#elif defined JOINED
    pthread_join(ids[1], NULL);
    assert(arrived == 2);
    pthread_join(ids[0], NULL);
#else
#ifdef READS
    pthread_create(&ids[THREADS], NULL, answer, NULL);
    atomic_store_explicit(&x, 2, RELAXED);
    pthread_join(ids[THREADS], NULL);
#endif
    for (int i = 0; i < THREADS; i++) {
#ifdef RETURNED
        pthread_join(ids[i], &results[i]);
#else
        pthread_join(ids[i], NULL);
#endif
    }
#ifdef RETURNED
    assert((intptr_t)results[0] < (intptr_t)results[1]);
#endif
    judge();
#endif
    return 0;
}
