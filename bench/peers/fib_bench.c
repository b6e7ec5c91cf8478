/* SPDX-License-Identifier: MIT
 *
 * Fibonacci (SV-COMP pthread/fib_bench): i += j against j += i, N times each.
 * Taking turns gives the largest numbers there can be.
 *
 *   -DWATCHED   main looks at both while the threads run, as SV-COMP has it
 */
#include "peers.h"

static volatile int i = 1, j = 1;

static void *left(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++) {
        int a = i, b = j;

        i = a + b;
    }
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++) {
        int a = i, b = j;

        j = a + b;
    }
    return NULL;
}

static int fibonacci(int n)
{
    int now = 0, next = 1;

    while (n-- > 0) {
        int sum = now + next;

        now = next;
        next = sum;
    }
    return now;
}

static void look(void)
{
    int a = i, b = j;

    assert(a <= fibonacci(2 * N + 2) && b <= fibonacci(2 * N + 2));
}

int main(void)
{
    pthread_t ids[2];

    pthread_create(&ids[0], NULL, left, NULL);
    pthread_create(&ids[1], NULL, right, NULL);
#ifdef WATCHED
    look();
#endif
    join_threads(ids, 2);
    look();
    return 0;
}
