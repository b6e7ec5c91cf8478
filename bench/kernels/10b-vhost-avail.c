/* SPDX-License-Identifier: MIT
 *
 * Linux, vhost: a missing smp_rmb (commit df9ace7).
 *
 * The driver puts the number of a buffer into the ring, has a write barrier,
 * and moves the index.  The device reads the index, then the ring's entry;
 * without a read barrier the entry may be read first.
 *
 * To the user: the host works on a buffer that the guest did not offer.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll after uint16_t idx = avail_idx;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#ifdef FIXED
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define smp_rmb() ((void)0)
#endif

static volatile uint16_t avail_idx, avail_ring[4];

static void *driver(void *unused)
{
    (void)unused;
    avail_ring[0] = 5;
    smp_wmb();
    avail_idx = 1;
    return NULL;
}

/* vhost_get_vq_desc. */
static void *device(void *unused)
{
    uint16_t last_avail_idx = 0;

    (void)unused;
    uint16_t idx = avail_idx;
    if (idx == last_avail_idx)
        return NULL;
    smp_rmb();
    uint16_t head = avail_ring[last_avail_idx % 4];
    assert(head == 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, driver, NULL);
    pthread_create(&b, NULL, device, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
