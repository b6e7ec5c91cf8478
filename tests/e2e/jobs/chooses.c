/* SPDX-License-Identifier: MIT
 *
 * For jobs.sh: choices before there are threads, so that there are several
 * trees one after the other; and one of them fails, in the last of its
 * executions.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <fencer.h>

static atomic_int x, y, seen;
static unsigned first, second;

static void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    int b = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);

    if (a == 0 && b == 2 && first == 2 && second == 1)
        atomic_store_explicit(&seen, 1, memory_order_relaxed);
    fencer_observe("b", b);
    return unused;
}

int main(void)
{
    pthread_t t[3];

    first = fencer_choose(3);
    second = fencer_choose(2);
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!atomic_load(&seen));
    return 0;
}
