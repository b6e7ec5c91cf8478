/* SPDX-License-Identifier: MIT
 *
 * Linux, ptr_ring: commit a8ceb5dbfde1, crashes on ThunderX.
 *
 * The producer fills an object and stores a pointer to it into a free slot. The
 * consumer takes the pointer and uses the object.  The slot may reach memory
 * before what it points to.
 *
 * To the user: packets with garbage in them, and crashes in the network stack.
 *
 * -DFIXED has a write barrier before the slot, and after the consumer's load
 * what only Alpha needs: smp_read_barrier_depends.  To C11 it is a data race
 * still, since each side looks at or clears the slot with a plain access;
 * -DFIXED_C11 marks these, too.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after skb->len = 64;
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 race
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_read_barrier_depends() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define smp_wmb() ((void)0)
#define smp_read_barrier_depends() ((void)0)
#endif
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (READ_ONCE(x) = (value))
#ifdef FIXED_C11
#define SLOT READ_ONCE(queue[0])
#else
#define SLOT queue[0]
#endif

struct sk_buff {
    int len;
};

static struct sk_buff packet;
static struct sk_buff *queue[2];

/* __ptr_ring_produce. */
static void *producer(void *unused)
{
    struct sk_buff *skb = &packet;

    (void)unused;
    skb->len = 64;
    if (SLOT != NULL)
        return NULL;
    smp_wmb();
    WRITE_ONCE(queue[0], skb);
    return NULL;
}

/* __ptr_ring_consume. */
static void *consumer(void *unused)
{
    struct sk_buff *skb = READ_ONCE(queue[0]);

    (void)unused;
    if (skb == NULL)
        return NULL;
    SLOT = NULL;
    smp_read_barrier_depends();
    assert(skb->len == 64);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
