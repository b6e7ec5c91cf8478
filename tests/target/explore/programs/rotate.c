/* SPDX-License-Identifier: MIT
 *
 * Each thread's CAS succeeds after one other's: 2 5 14 43 144 523 traces. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *step(void *number)
{
    int mine = *(int *)number, before = mine - 1;

    atomic_compare_exchange_strong(&x, &before, mine);
    return NULL;
}

int main(void)
{
    static int numbers[N];
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        numbers[i] = i + 1;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, step, &numbers[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
