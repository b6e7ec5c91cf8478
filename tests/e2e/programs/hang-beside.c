/* SPDX-License-Identifier: MIT
 *
 * The same in one of two threads: the other one gets its turn, and finds its
 * own failure.
 *
 * expect: 1 assertion failed: !"reached"
 * options: --model tso --runs 10
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *counts(void *unused)
{
    unsigned n = 1;

    (void)unused;
    while (n)
        n = (n * 3) | 1;
    return NULL;
}

static void *fails(void *unused)
{
    (void)unused;
    assert(!"reached");
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, counts, NULL);
    pthread_create(&b, NULL, fails, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    return 0;
}
