/* SPDX-License-Identifier: MIT
 *
 * DPDK, rte_ring: "guarantee load/load order" (dpdk-dev, November 2017); the
 * same in OpenDataPlane (pull request 636) and IREE (23707).
 *
 * A producer reads its head, then the consumers' tail, and computes from the
 * two how many slots are free.  If the tail was read first, an old tail meets a
 * new head, the subtraction goes below zero, and the ring seems to have four
 * billion free slots.  The compare-and-swap that follows checks the head alone.
 *
 * To the user: packets in the ring are overwritten, others come twice.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll after uint32_t old_head = prod_head;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIXED
#define rte_smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define rte_smp_rmb() ((void)0)
#endif

#define CAPACITY 1

static volatile uint32_t prod_head = CAPACITY, cons_tail; /* full */

/* __rte_ring_move_prod_head, for one element. */
static bool move_prod_head(void)
{
    for (;;) {
        uint32_t old_head = prod_head;
        rte_smp_rmb();
        uint32_t free_entries = CAPACITY + cons_tail - old_head;
        if (free_entries == 0)
            return false;
        if (__sync_bool_compare_and_swap(&prod_head, old_head, old_head + 1)) {
            assert(free_entries <= CAPACITY);
            return true;
        }
    }
}

static void *producer(void *unused)
{
    (void)unused;
    move_prod_head();
    return NULL;
}

/* Takes one element out, puts another one in. */
static void *both(void *unused)
{
    (void)unused;
    __atomic_store_n(&cons_tail, 1, __ATOMIC_RELEASE);
    move_prod_head();
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, both, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
