/* SPDX-License-Identifier: MIT
 *
 * What a thread returns reaches who joins it, in a variable of its own or in
 * one that others know.  Store buffering: wrong if the stores may wait.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef FENCED
#define ORDER memory_order_seq_cst
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static void *shared;

static void *left(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, ORDER);
    return (void *)(intptr_t)atomic_load_explicit(&y, ORDER);
}

static void *right(void *argument)
{
    atomic_store_explicit(&y, 1, ORDER);
    if (argument)
        return argument;
    return (void *)(intptr_t)atomic_load_explicit(&x, ORDER);
}

int main(void)
{
    pthread_t a, b;
    void *own;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, &own);
    pthread_join(b, &shared);
    assert((intptr_t)own + (intptr_t)shared != 0);
    return 0;
}
