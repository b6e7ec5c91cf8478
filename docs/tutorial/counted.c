/* SPDX-License-Identifier: MIT
 *
 * docs/faq.md: a loop that waits, and counts how often it had to.  There are as
 * many executions as numbers.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static int rounds;

static void *sender(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

static void *receiver(void *unused)
{
    while (!atomic_load(&ready))
        rounds++;
    assert(atomic_load(&ready));
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
