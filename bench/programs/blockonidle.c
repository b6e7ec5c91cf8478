/* SPDX-License-Identifier: MIT
 *
 * BlockOnIdle and NotifyPotentialWork, the bug that SOBER found in a library
 * in production (its figure 4b): the producer takes the lock only if it sees
 * the consumer idle.  Nobody checks a result: what goes wrong is that the
 * consumer waits for ever.
 *
 *   sc: correct
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * Each side stores, then looks at what the other stored.
 *
 *   without 1: tso sl idle see-work
 *   without 2: tso sl work see-idle
 */
#include "harness.h"

static volatile bool is_idling, has_work;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void block_on_idle(void)
{
    pthread_mutex_lock(&lock);
    is_idling = true; /* idle */
    FENCE(1, sl);
    if (!has_work) /* see-work */
        pthread_cond_wait(&condition, &lock);
    is_idling = false;
    pthread_mutex_unlock(&lock);
}

static void notify_potential_work(void)
{
    has_work = true; /* work */
    FENCE(2, sl);
    if (is_idling) { /* see-idle */
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
    }
}

static void *consumer(void *unused)
{
    (void)unused;
    block_on_idle();
    return NULL;
}

static void *producer(void *unused)
{
    (void)unused;
    notify_potential_work();
    return NULL;
}

int main(void)
{
    run_threads((bodies){consumer, producer}, 2);
    return 0;
}
