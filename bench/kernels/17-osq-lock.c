/* SPDX-License-Identifier: MIT
 *
 * Linux, osq_lock: commit 50972fe78f24, "fix queue corruption".
 *
 * CPU 6 has the lock, CPU 2 waits behind it, CPU 0 comes: it notes CPU 2 as its
 * predecessor, then tells CPU 2 that it is its successor.  CPU 2 gives up, and
 * tells its two neighbours of each other.  If CPU 0's note about CPU 2 reaches
 * memory last, it replaces CPU 2's better one.
 *
 * To the user: the queue points at a node that is long gone; CPUs spin for
 * ever.
 *
 * -DFIXED has a write barrier between CPU 0's two stores.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after node->prev = prev;
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define smp_wmb() ((void)0)
#endif
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

struct node {
    struct node *next, *prev;
};

static struct node cpu0, cpu2, cpu6;
static struct node *tail = &cpu2;

/* osq_lock. */
static void *lock(void *unused)
{
    struct node *node = &cpu0, *prev;

    (void)unused;
    prev = __atomic_exchange_n(&tail, node, __ATOMIC_SEQ_CST);
    node->prev = prev;
    smp_wmb();
    WRITE_ONCE(prev->next, node);
    return NULL;
}

/* The end of osq_lock: unqueue, as somebody is behind us. */
static void *unqueue(void *unused)
{
    struct node *node = &cpu2, *prev = node->prev, *next;

    (void)unused;
    while (!(next = __atomic_exchange_n(&node->next, NULL, __ATOMIC_SEQ_CST)))
        ;
    WRITE_ONCE(next->prev, prev);
    WRITE_ONCE(prev->next, next);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    cpu6.next = &cpu2;
    cpu2.prev = &cpu6;
    pthread_create(&a, NULL, lock, NULL);
    pthread_create(&b, NULL, unqueue, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cpu0.prev == &cpu6 && cpu6.next == &cpu0);
    return 0;
}
