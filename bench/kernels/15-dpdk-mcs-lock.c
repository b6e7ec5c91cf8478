/* SPDX-License-Identifier: MIT
 *
 * DPDK, rte_mcslock: commit 021b698, "fix hang in weak memory model".
 *
 * Who wants the lock says in its node that it waits, exchanges the tail, links
 * itself behind its predecessor and spins on its own node.  The predecessor
 * finds the link and writes 0 into the node.  The first store of all, 1 into
 * the node, may reach memory after that 0.
 *
 * The real exchange was acq_rel, and the link passed the half of it that
 * writes.  On PSO and PSLO an RMW is one event: acquire alone leaves the same
 * hole.  Where it is a loop of exclusives, as on ARM, and on C11 it is there as
 * it was written: -DREAL.  On POWER an acquire RMW ends with lwsync, which
 * keeps the stores in order.
 *
 * To the user: a core spins for ever on a lock that was handed to it.
 *
 * -DFIXED links with a release store.  The owner finds the link with relaxed
 * loads, and writes to the address that it found: every machine keeps these in
 * order, C11 does not.  -DFIXED_C11 finds it with acquire.
 *
 *   broken: pso
 *   failure: livelock
 *   fixed: pslo
 *   fence: ss before atomic_store_explicit(&prev->next, me
 *   verify: arm broken, riscv broken, power right, c11 broken
 *   verify -DREAL: arm broken, riscv right, power right, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 broken
 *   verify -DFIXED -DREAL: arm right, riscv right, power right, c11 broken
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define LINK memory_order_release
#else
#define LINK memory_order_relaxed
#endif

#ifdef FIXED_C11
#define FIND memory_order_acquire
#else
#define FIND memory_order_relaxed
#endif
#ifdef REAL
#define TAKE memory_order_acq_rel
#else
#define TAKE memory_order_acquire
#endif

struct mcslock {
    struct mcslock *_Atomic next;
    atomic_int locked;
};

static struct mcslock nodes[2];
static struct mcslock *_Atomic tail = &nodes[0]; /* held by `owner` */

/* rte_mcslock_unlock. */
static void *owner(void *unused)
{
    struct mcslock *me = &nodes[0], *next, *expected = me;

    (void)unused;
    next = atomic_load_explicit(&me->next, FIND);
    if (next == NULL) {
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL,
                                                    memory_order_release,
                                                    memory_order_relaxed))
            return NULL;
        while ((next = atomic_load_explicit(&me->next, FIND)) == NULL)
            ;
    }
    atomic_store_explicit(&next->locked, 0, memory_order_release);
    return NULL;
}

/* rte_mcslock_lock. */
static void *waiter(void *unused)
{
    struct mcslock *me = &nodes[1], *prev;

    (void)unused;
    atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    prev = atomic_exchange_explicit(&tail, me, TAKE);
    if (prev == NULL)
        return NULL;
    atomic_store_explicit(&prev->next, me, LINK);
    while (atomic_load_explicit(&me->locked, memory_order_acquire))
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
