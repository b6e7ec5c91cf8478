/* SPDX-License-Identifier: MIT
 *
 * One rare execution is to be brought about, in which steps of one thread stand
 * between those of others: of the first thread after it joined another one;
 * with -DREADS, of readers of a lock around what pthread_once does; with
 * -DWAITS=n, of one that adds, between a signal and the return from the wait
 * for it.
 */
#include <assert.h>
#include <pthread.h>

static int x;

#ifdef READS
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void)
{
    x += 10;
}

static int get(void)
{
    int value;

    pthread_rwlock_rdlock(&lock);
    value = x;
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *run(void *seen)
{
    int *to = seen;

    to[0] = get();
    to[1] = get();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int seen[2][2];

    pthread_create(&threads[0], NULL, run, seen[0]);
    pthread_create(&threads[1], NULL, run, seen[1]);
    pthread_once(&once, begin);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!(seen[0][0] == 0 && seen[0][1] == 10 && seen[1][0] == 0 &&
             seen[1][1] == 10));
    return 0;
}
#elif defined(WAITS)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int told, seen;

static void *await(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!told)
        pthread_cond_wait(&condition, &lock);
    seen = x;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *add(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t waits, adds;
    int before;

    pthread_create(&waits, NULL, await, NULL);
    pthread_create(&adds, NULL, add, NULL);
    pthread_mutex_lock(&lock);
    told = 1;
    before = x;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&condition);
    pthread_join(waits, NULL);
    pthread_join(adds, NULL);
    assert(!(before == 0 && seen == WAITS));
    return 0;
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *times)
{
    for (int i = 0; i < *(const int *)times; i++) {
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static int get(void)
{
    int value;

    pthread_mutex_lock(&lock);
    value = x;
    pthread_mutex_unlock(&lock);
    return value;
}

int main(void)
{
    pthread_t one, other;
    int once = 1, thrice = 3, seen[3];

    pthread_create(&one, NULL, add, &once);
    pthread_create(&other, NULL, add, &thrice);
    pthread_join(one, NULL);
    for (int i = 0; i < 3; i++)
        seen[i] = get();
    assert(!(seen[0] == 2 && seen[1] == 2 && seen[2] == 4));
    pthread_join(other, NULL);
    return 0;
}
#endif
