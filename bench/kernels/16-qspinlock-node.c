/* SPDX-License-Identifier: MIT
 *
 * Linux, queued spin locks: commit 95bcade33a8a, "ensure node is initialised
 * before updating prev->next".
 *
 * A locker clears its node and publishes it by exchanging the tail.  Whoever
 * was there before gets a pointer to the node, and will set `locked` in it. The
 * exchange orders the clearing only before the half of it that writes; the
 * pointer may be stored before both.
 *
 * The real exchange was a release.  On PSO and PSLO an RMW is one event:
 * relaxed leaves the same hole.  With a release it is there on ARM and in C11:
 * -DREAL.
 *
 * To the user: a CPU spins for ever in queued_spin_lock_slowpath.
 *
 * -DFIXED makes the store of `prev->next` a release.  Who finds it there relies
 * on its address, as Linux may: to C11 the plain stores to the node race with
 * its own.  -DFIXED_C11 finds it with acquire.
 *
 *   broken: pso
 *   failure: livelock
 *   fixed: pslo
 *   fence: ss before __atomic_store_n(&prev->next, node
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DREAL: arm broken, riscv right, power right, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 race
 *   verify -DFIXED -DREAL: arm right, riscv right, power right, c11 race
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define LINK __ATOMIC_RELEASE
#else
#define LINK __ATOMIC_RELAXED
#endif

#ifdef FIXED_C11
#define FIND __ATOMIC_ACQUIRE
#else
#define FIND __ATOMIC_RELAXED
#endif
#ifdef REAL
#define PUBLISH __ATOMIC_RELEASE
#else
#define PUBLISH __ATOMIC_RELAXED
#endif

struct mcs_spinlock {
    struct mcs_spinlock *next;
    int locked;
};

/* `locked` is what the node's last use left there. */
static struct mcs_spinlock nodes[2] = {{NULL, 0}, {NULL, 1}};
static struct mcs_spinlock *tail = &nodes[0]; /* it is at the head */

/* Has the lock word, and makes the next one head of the queue. */
static void *head(void *unused)
{
    struct mcs_spinlock *node = &nodes[0], *next;

    (void)unused;
    while ((next = __atomic_load_n(&node->next, FIND)) == NULL)
        ;
    __atomic_store_n(&next->locked, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* queued_spin_lock_slowpath. */
static void *locker(void *unused)
{
    struct mcs_spinlock *node = &nodes[1], *prev;

    (void)unused;
    node->locked = 0;
    node->next = NULL;
    prev = __atomic_exchange_n(&tail, node, PUBLISH);
    __atomic_store_n(&prev->next, node, LINK);
    while (!__atomic_load_n(&node->locked, __ATOMIC_ACQUIRE))
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, head, NULL);
    pthread_create(&b, NULL, locker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
