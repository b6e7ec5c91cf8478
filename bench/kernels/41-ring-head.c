/* SPDX-License-Identifier: MIT
 *
 * A ring of one slot whose consumer says relaxed that the slot is free again.
 *
 * Its load of the slot may take effect after that store: the producer sees the
 * new head, writes the next element, and the consumer takes that one.  No store
 * buffer does it; ARM, RISC-V and POWER may, and to C11 it is a data race.
 *
 * To the user: one element is lost, and another comes twice.
 *
 * -DFIXED releases the slot.
 *
 *   broken: none
 *   failure: assertion failed
 *   fixed: pslo
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int slot;
static atomic_int head, tail;

static void *consumer(void *arg)
{
    int element;

    while (!atomic_load_explicit(&tail, memory_order_acquire))
        ;
    element = slot;
    atomic_store_explicit(&head, 1, PUBLISH);
    assert(element == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, consumer, NULL);
    slot = 1;
    atomic_store_explicit(&tail, 1, memory_order_release);
    while (!atomic_load_explicit(&head, memory_order_acquire))
        ;
    slot = 2;
    pthread_join(t, NULL);
    return 0;
}
