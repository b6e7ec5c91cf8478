/* SPDX-License-Identifier: MIT
 *
 * bench/kernels/23-opal-lifo.c with ghosts, which threads use in no order: only
 * with the change do all executions on C11 order them.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <fencer.h>

#define wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)

struct item {
    struct item *next;
    int busy;
};

static struct item second, first = {&second, 0}; /* on the list */
static struct item *head = &first;
static fencer_ghost int second_in_use;

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
                                    __ATOMIC_RELAXED)) {
        assert(next != &second || !second_in_use);
        return item;
    }
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
    return 0;
}
