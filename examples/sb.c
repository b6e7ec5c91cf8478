/* SPDX-License-Identifier: MIT
 *
 * Store buffering, the reordering every x86 makes.  Each thread raises its own
 * flag, then looks at the other's.  Whoever is second must see the first, so
 * at least one of them reads 1 ... on a machine with one memory.  Here both
 * stores may still sit in their store buffers when both loads run.
 *
 *   fencer run --model sc  examples/sb.c     finds nothing
 *   fencer run --model tso examples/sb.c     finds both zero
 *
 * The cure is a full fence between the store and the load: -DFENCED.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static volatile int left_flag, right_flag;
static int left_saw, right_saw;

static void *left(void *unused)
{
    (void)unused;
    left_flag = 1;
    FENCE();
    left_saw = right_flag;
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    right_flag = 1;
    FENCE();
    right_saw = left_flag;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left_saw == 1 || right_saw == 1);
    return 0;
}
