/* SPDX-License-Identifier: MIT
 *
 * A node that is put on top of others.  A round that fails has stored into it,
 * and who takes the node cannot see what.
 *
 *   -DASSUME   no round fails: as many executions
 *   -DWATCHED  somebody looks into the node before it is on top
 *   -DRELAXED  somebody may, where stores are delayed address by address
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifdef ASSUME
#define AGAIN(failed) (fencer_assume(!(failed)), 0)
#else
#define AGAIN(failed) (failed)
#endif

static atomic_int top, next;
static int saw;

static void *push(void *unused)
{
    int old;

    do {
        old = atomic_load_explicit(&top, memory_order_relaxed);
        atomic_store_explicit(&next, old + 1, memory_order_relaxed);
    } while (AGAIN(!atomic_compare_exchange_strong_explicit(
        &top, &old, 5, RELEASE, memory_order_relaxed)));
    return unused;
}

static void *change(void *unused)
{
    int none = 0;

    atomic_compare_exchange_strong(&top, &none, 2);
    return unused;
}

static void *look(void *unused)
{
#ifndef WATCHED
    if (atomic_load_explicit(&top, memory_order_acquire) == 5)
#endif
        saw = atomic_load_explicit(&next, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t threads[3];

    pthread_create(&threads[0], NULL, push, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(saw != 1 || next == 1);
    return 0;
}
