/* SPDX-License-Identifier: MIT
 *
 * For jobs.sh: that a variable is shared shows at once in the second half of
 * the tree, and nowhere in the first, which fails late.  One worker does not
 * know it by then, and so what it shows has no access to that variable.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <fencer.h>

#define ROUNDS 7

static atomic_int count, a, b;
static atomic_bool there;
static int seldom;
static bool first_saw, second_saw;

static void *first(void *unused)
{
    bool first_half = fencer_choose(2);
    int before = 0;

    if (!first_half && atomic_load(&there))
        seldom++;
    for (int i = 0; first_half && i < ROUNDS; i++)
        before += atomic_fetch_add(&count, 1) - i;
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    first_saw = atomic_load_explicit(&b, memory_order_relaxed);
    if (!first_half || before)
        first_saw = true;
    return unused;
}

static void *second(void *unused)
{
    seldom = 1;
    atomic_store(&there, true);
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&count, 1);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    second_saw = atomic_load_explicit(&a, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t x, y;

    pthread_create(&x, NULL, first, NULL);
    pthread_create(&y, NULL, second, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    assert(first_saw || second_saw);
    return 0;
}
