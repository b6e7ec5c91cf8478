/* SPDX-License-Identifier: MIT
 *
 * A node is handed over before what it holds, so that the other may look into
 * it as malloc left it.  As a byte that malloc left means "wait" here, no
 * execution fails; on a machine it may mean anything.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FIXED
#define HANDS_OVER memory_order_release
#else
#define HANDS_OVER memory_order_relaxed
#endif

static struct node {
    atomic_int wait;
} *_Atomic given;
static int data;

static void *give(void *unused)
{
    struct node *n = malloc(sizeof *n);

    atomic_store_explicit(&n->wait, 1, memory_order_relaxed);
    atomic_store_explicit(&given, n, HANDS_OVER);
    data = 1;
    atomic_store_explicit(&n->wait, 0, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t giver;
    struct node *n;

    pthread_create(&giver, NULL, give, NULL);
    n = atomic_load_explicit(&given, memory_order_acquire);
    if (n) {
        while (atomic_load_explicit(&n->wait, memory_order_acquire))
            ;
        assert(data == 1);
    }
    pthread_join(giver, NULL);
    return 0;
}
