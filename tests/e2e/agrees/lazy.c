/* SPDX-License-Identifier: MIT
 *
 * Who comes first makes the table and publishes it by a CAS, which leaves what
 * it found in `t` if another was faster.  Others load it relaxed; what they
 * read is reached through the pointer.  -DINDEX: it is not.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct table {
    int count;
};

static struct table one;
static struct table *_Atomic table;

static struct table *get(void)
{
    struct table *t = atomic_load_explicit(&table, memory_order_relaxed);

    if (!t) {
        atomic_store_explicit((_Atomic int *)&one.count, 7,
                              memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(
                &table, &t, &one, memory_order_acq_rel, memory_order_acquire))
            return &one;
    }
    return t;
}

static void *user(void *unused)
{
    struct table *t = get();

#ifdef INDEX
    t = &one;
#endif
    assert(atomic_load_explicit((_Atomic int *)&t->count,
                                memory_order_relaxed) == 7);
    return unused;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
