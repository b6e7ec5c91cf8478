/* SPDX-License-Identifier: MIT
 *
 * Objects of the thread library, one by one: -DSEMAPHORE, -DRWLOCK, -DBARRIER,
 * -DTRY.  With -DBUG each is used in a wrong way.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int a, b;

#if defined(SEMAPHORE)
static sem_t empty, full;

static void *first(void *unused)
{
    for (int i = 1; i <= 2; i++) {
#ifndef BUG
        sem_wait(&empty);
#endif
        a = i;
        sem_post(&full);
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        sem_wait(&full);
        assert(a == i);
        sem_post(&empty);
    }
    return unused;
}

static void begin(void)
{
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
}
#elif defined(RWLOCK)
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *second(void *unused)
{
#ifndef BUG
    pthread_rwlock_rdlock(&lock);
#endif
    assert(a == b);
#ifndef BUG
    pthread_rwlock_unlock(&lock);
#endif
    return unused;
}

static void begin(void)
{
}
#elif defined(BARRIER)
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inits;

static void init(void)
{
    inits++;
}

static void *first(void *unused)
{
    pthread_once(&once, init);
    assert(inits == 1);
    a = 1;
#ifndef BUG
    pthread_barrier_wait(&barrier);
#endif
    assert(b == 1);
    return unused;
}

static void *second(void *unused)
{
    pthread_once(&once, init);
    assert(inits == 1);
    b = 1;
#ifndef BUG
    pthread_barrier_wait(&barrier);
#endif
    assert(a == 1);
    return unused;
}

static void begin(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    pthread_mutex_lock(&mutex);
    a++;
    b++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    int busy = pthread_mutex_trylock(&mutex);

#ifdef BUG
    assert(a == b);
#else
    assert(busy || a == b);
#endif
    if (!busy)
        pthread_mutex_unlock(&mutex);
    return unused;
}

static void begin(void)
{
}
#endif

int main(void)
{
    pthread_t one, other;

    begin();
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
