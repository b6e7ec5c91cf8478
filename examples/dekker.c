/* SPDX-License-Identifier: MIT
 *
 * Dekker's mutual exclusion (1965), correct under sequential consistency and
 * broken on every machine with a store buffer: "I want to enter" is still in
 * the buffer when the thread looks whether the other one wants to.  Both
 * enter, and one increment is lost.
 *
 *   sc:  correct        tso, arm, pso, pslo, c11:  broken
 *
 * -DFENCED puts a full fence after each raised flag and around the critical
 * section, which is correct on every model and more than each of them needs.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#define ROUNDS 2

static volatile int wants[2];
static volatile int turn;
static volatile int counter; /* what the critical section protects */

static void enter(int me)
{
    int other = 1 - me;

    wants[me] = 1;
    FENCE();
    while (wants[other]) {
        if (turn == me)
            continue;
        /* It is the other's turn: step back until it comes to us. */
        wants[me] = 0;
        while (turn != me)
            ;
        wants[me] = 1;
        FENCE();
    }
    FENCE();
}

static void leave(int me)
{
    FENCE();
    turn = 1 - me;
    FENCE();
    wants[me] = 0;
}

static void *worker(void *arg)
{
    int me = *(int *)arg;

    for (int i = 0; i < ROUNDS; i++) {
        enter(me);
        counter = counter + 1;
        leave(me);
    }
    return NULL;
}

int main(void)
{
    int ids[2] = {0, 1};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2 * ROUNDS);
    return 0;
}
