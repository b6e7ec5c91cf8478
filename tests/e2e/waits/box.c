/* SPDX-License-Identifier: MIT
 *
 * Take waits until something was put, and is meant to.  In T each thread takes
 * something: who puts and takes first leaves nothing for the other.
 *
 * -DWRONG takes the lock before it waits, so that nobody can put.
 */
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t full;
static int box;

FENCER_INIT
{
    sem_init(&full, 0, 0);
}

FENCER_OP(p)
{
    pthread_mutex_lock(&lock);
    box++;
    pthread_mutex_unlock(&lock);
    sem_post(&full);
}

FENCER_OP(t)
{
#ifdef WRONG
    pthread_mutex_lock(&lock);
    sem_wait(&full);
#else
    sem_wait(&full);
    pthread_mutex_lock(&lock);
#endif
    fencer_observe("left", --box);
    pthread_mutex_unlock(&lock);
}

FENCER_TEST(T, "( p t | t p )");
