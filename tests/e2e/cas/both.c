/* SPDX-License-Identifier: MIT
 *
 * Who finds 0 takes the word.  Two may, if the store of a CAS waits in the
 * buffer (--cas bufferable), unless the CAS is a full fence.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_acq_rel
#endif

static atomic_int word;
static int swapped, exchanged;

static void *swap(void *arg)
{
    int found = 0;

    swapped = atomic_compare_exchange_strong_explicit(&word, &found, 1, ORDER,
                                                      memory_order_relaxed);
    return arg;
}

static void *exchange(void *arg)
{
    exchanged = atomic_exchange_explicit(&word, 2, memory_order_acq_rel) == 0;
    return arg;
}

static void *store(void *arg)
{
    atomic_store_explicit(&word, 3, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, store, NULL);
    pthread_create(&b, NULL, exchange, NULL);
    pthread_create(&c, NULL, swap, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!(swapped && exchanged));
    return 0;
}
