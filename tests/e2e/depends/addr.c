/* SPDX-License-Identifier: MIT
 *
 * MP+full+addr: the second load depends on the first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

#define LOAD(v) atomic_load_explicit(&(v), memory_order_relaxed)

static void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int r = LOAD(y), s = LOAD((&x)[r & 0]);

    assert(!(r == 1 && s == 0));
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
