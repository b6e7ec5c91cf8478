/* SPDX-License-Identifier: MIT
 *
 * Counters of a thread's own, which the destructor of a key adds up when their
 * thread ends.  -DBROKEN: it forgets the lock.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add_up(void *counter)
{
#ifndef BROKEN
    pthread_mutex_lock(&total_lock);
#endif
    total += *(int *)counter;
#ifndef BROKEN
    pthread_mutex_unlock(&total_lock);
#endif
    free(counter);
}

static void make_key(void)
{
    pthread_key_create(&key, add_up);
}

static int *my_counter(void)
{
    int *counter;

    pthread_once(&once, make_key);
    counter = pthread_getspecific(key);
    if (!counter) {
        counter = malloc(sizeof(*counter));
        *counter = 0;
        pthread_setspecific(key, counter);
    }
    return counter;
}

static void *work(void *arg)
{
    *my_counter() += 1;
    *my_counter() += 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    (void)total_lock;
    assert(total == 4);
    return 0;
}
