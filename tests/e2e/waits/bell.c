/* SPDX-License-Identifier: MIT
 *
 * A thread goes to sleep unless there is work; another brings work, and rings
 * if somebody sleeps.  Without fences both look too early: nobody rings.
 *
 *   sc: never stuck    tso and weaker: stuck, unless -DFENCED
 *
 * -DSPIN spins until it rings, instead of waiting for a semaphore.  As a test
 * of operations: no serial execution waits for ever.
 */
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifdef FENCED
#define FENCE() fencer_fence_sl()
#else
#define FENCE() (void)0
#endif

static int asleep, work;

#ifdef SPIN
static volatile int bell;
#define INIT() bell = 0
#define RING() bell = 1
#define LISTEN()                                                               \
    while (!bell)                                                              \
    continue
#else
static sem_t bell;
#define INIT() sem_init(&bell, 0, 0)
#define RING() sem_post(&bell)
#define LISTEN() sem_wait(&bell)
#endif

static void rest(void)
{
    asleep = 1;
    FENCE();
    if (!work)
        LISTEN();
}

static void bring(void)
{
    work = 1;
    FENCE();
    if (asleep)
        RING();
}

#ifdef OPERATIONS

FENCER_INIT
{
    INIT();
}
FENCER_OP(r)
{
    rest();
}
FENCER_OP(b)
{
    bring();
}
FENCER_TEST(T, "( r | b )");

#else

static void *sleeper(void *unused)
{
    rest();
    return unused;
}

static void *worker(void *unused)
{
    bring();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    INIT();
    pthread_create(&a, NULL, sleeper, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

#endif
