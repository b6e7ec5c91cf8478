/* SPDX-License-Identifier: MIT
 *
 * virtio, device side: spdk issue 3178, ACRN pull request 2623.
 *
 * The device moves the used index, then looks whether the driver wants to be
 * interrupted.  The driver asks for interrupts again, then looks at the index a
 * last time.  The driver has a barrier; the device had none between its store
 * and its load.
 *
 * To the user: disk or network of a virtual machine hangs; the request is done,
 * the interrupt never came.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after __atomic_store_n(&used_idx
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

#define NO_INTERRUPT 1

static uint16_t used_idx;
static uint16_t avail_flags = NO_INTERRUPT;
static sem_t irq;

static void *device(void *unused)
{
    (void)unused;
    __atomic_store_n(&used_idx, 1, __ATOMIC_RELEASE);
#ifdef FIXED
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    if (!(__atomic_load_n(&avail_flags, __ATOMIC_RELAXED) & NO_INTERRUPT))
        sem_post(&irq);
    return NULL;
}

/* virtqueue_enable_cb. */
static void *driver(void *unused)
{
    uint16_t last_used_idx = 0;

    (void)unused;
    __atomic_store_n(&avail_flags, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&used_idx, __ATOMIC_ACQUIRE) == last_used_idx)
        sem_wait(&irq);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&irq, 0, 0);
    pthread_create(&a, NULL, device, NULL);
    pthread_create(&b, NULL, driver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
