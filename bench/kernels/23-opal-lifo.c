/* SPDX-License-Identifier: MIT
 *
 * Open MPI, opal_lifo: issue 13762 (hangs and crashes on RISC-V and LoongArch),
 * pull request 13969.
 *
 * A pop reads the head, locks that item with a swap, reads its successor, and
 * swings the head there.  After the swap was a write barrier; the successor
 * may have been read before the item was locked, while another thread took the
 * item off the list and put it back on top of others.
 *
 * To the user: items that are in use are on the free list too.
 *
 * ARM's fence for a release is a full one, and POWER's lwsync keeps loads in
 * order, so these are right.  RISC-V's `fence rw,w` is what it says.
 *
 * -DFIXED has a read barrier there.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before struct item *next =
 *   verify: arm right, riscv broken, power right, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)

struct item {
    struct item *next;
    int busy;
};

static struct item second, first = {&second, 0}; /* on the list */
static struct item *head = &first;
static int second_in_use;

static struct item *pop(void)
{
    struct item *item = __atomic_load_n(&head, __ATOMIC_RELAXED);

    if (item == NULL || __atomic_exchange_n(&item->busy, 1, __ATOMIC_RELAXED))
        return NULL; /* would try again */
#ifdef FIXED
    rmb();
#else
    wmb();
#endif
    struct item *next = item->next;
    struct item *expected = item;
    if (__atomic_compare_exchange_n(&head, &expected, next, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        return item;
    __atomic_store_n(&item->busy, 0, __ATOMIC_RELAXED);
    return NULL;
}

static void *popper(void *unused)
{
    (void)unused;
    pop();
    return NULL;
}

/* Takes both items off, puts the first back. */
static void *both(void *unused)
{
    (void)unused;
    if (pop() != &first || pop() != &second)
        return NULL;
    second_in_use = 1;
    first.next = NULL;
    wmb();
    __atomic_store_n(&head, &first, __ATOMIC_RELAXED);
    wmb();
    __atomic_store_n(&first.busy, 0, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, both, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head != &second || !second_in_use);
    return 0;
}
