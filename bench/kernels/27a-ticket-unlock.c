/* SPDX-License-Identifier: MIT
 *
 * Ticket locks without barriers: qthreads pull request 98, edk2 issue 9993,
 * NuttX pull request 20072.
 *
 * Unlocking lets the next ticket in with a plain store.  What was written
 * inside may reach memory later.
 *
 * To the user: a counter that loses increments, a list that loses entries.
 *
 * -DFIXED unlocks with release and enters with acquire.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after counter = counter + 1;
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define ENTER __ATOMIC_ACQUIRE
#define LEAVE __ATOMIC_RELEASE
#else
#define ENTER __ATOMIC_RELAXED
#define LEAVE __ATOMIC_RELAXED
#endif

static unsigned next_ticket, serving;
static volatile int counter;

static void *thread(void *unused)
{
    unsigned mine = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_RELAXED);

    (void)unused;
    while (__atomic_load_n(&serving, ENTER) != mine)
        ;
    counter = counter + 1;
    __atomic_store_n(&serving, mine + 1, LEAVE);
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
