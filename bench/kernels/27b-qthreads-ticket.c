/* SPDX-License-Identifier: MIT
 *
 * Ticket locks of qthreads, entering: pull request 98, wrong answers and hangs
 * on POWER and ARM.
 *
 * A thread draws a ticket and spins until it is served.  Nothing keeps what it
 * reads then after that last look at `ticket`: it may have been read before
 * the thread ahead wrote it.
 *
 * To the user: a counter that loses increments, a list that loses entries.
 *
 * -DFIXED has an acquire fence after the loop.  The release fence in the
 * unlock, which was missing too, is there in both.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before counter = counter + 1;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint users;
static volatile unsigned ticket;
static volatile int counter;

static void *thread(void *unused)
{
    unsigned mine = atomic_fetch_add(&users, 1);

    (void)unused;
    while (ticket != mine)
        ;
#ifdef FIXED
    atomic_thread_fence(memory_order_acquire);
#endif
    counter = counter + 1;
    atomic_thread_fence(memory_order_release);
    ticket = mine + 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
