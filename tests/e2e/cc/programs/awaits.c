/* SPDX-License-Identifier: MIT
 *
 * Loops that wait, and loops that only look like it: each of these changes
 * something that no hook sees, and ends by itself.  To take one for a wait
 * would be a deadlock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int go, lock;
static int plain;
static volatile int shared_zero;
static __thread int own;

static int counts(void)
{
    return ++own;
}

static void bump(int *n)
{
    ++*n;
}

static void look_alikes(void)
{
    unsigned seed = 1;
    int n = 0, array[4] = {0}, copy[4] = {0};
    double d = 0;

    while (shared_zero + counts() < 20)
        ;
    while (rand_r(&seed) % 8 != 3 + shared_zero)
        ;
    while (n < 20 + shared_zero)
        bump(&n);
    while (array[2] < 20 + shared_zero)
        array[(n & 0) + 2]++;
    do {
        memcpy(copy, array, sizeof(copy));
        array[1]++;
    } while (copy[1] < 5 + shared_zero);
    while (d < 10 + shared_zero)
        d += 0.5;
}

static void *worker(void *argument)
{
    int expected;

    (void)argument;
    while (!go)
        ;
    do {
        expected = 0;
    } while (!atomic_compare_exchange_weak(&lock, &expected, 1));
    plain++;
    lock = 0;
    look_alikes();
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    go = 1;
    look_alikes();
    while (atomic_exchange(&lock, 1))
        ;
    plain++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(plain == 3);
    return 0;
}
