/* SPDX-License-Identifier: MIT
 *
 * Clozure Common Lisp, recursive locks on arm64: pull request 594, one start in
 * forty hangs.
 *
 * A spin lock guards the lock's count.  It is taken with a full barrier and let
 * go with a plain store, which may overtake what was written inside.  An
 * unlocker then sees a count from before: nobody waits, nobody is woken.
 *
 * To the user: the program hangs while it starts; every thread waits for a lock
 * that has no owner.
 *
 * -DFIXED lets go with release.
 *
 *   broken: pso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: ss before __atomic_store_n(&spin, 0
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifdef FIXED
#define LEAVE __ATOMIC_RELEASE
#else
#define LEAVE __ATOMIC_RELAXED
#endif

static int spin;
static volatile int avail = 1; /* 1 for the owner, 1 for each who waits */
static sem_t semaphore;

static void spin_lock(void)
{
    while (__atomic_exchange_n(&spin, 1, __ATOMIC_SEQ_CST))
        ;
}

static void spin_unlock(void)
{
    __atomic_store_n(&spin, 0, LEAVE);
}

static void *waiter(void *unused)
{
    int before;

    (void)unused;
    spin_lock();
    before = avail;
    avail = before + 1;
    spin_unlock();
    if (before > 0)
        sem_wait(&semaphore);
    return NULL;
}

static void *owner(void *unused)
{
    int waiting;

    (void)unused;
    spin_lock();
    waiting = avail - 1;
    avail = waiting;
    spin_unlock();
    if (waiting > 0)
        sem_post(&semaphore);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&semaphore, 0, 0);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
