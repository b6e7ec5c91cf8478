/* SPDX-License-Identifier: MIT
 *
 * Last zero (Abdulla et al., POPL 2014): N threads make each element one more
 * than the one before it, another looks for the last zero from the right.  The
 * classical case for wake-up trees: with sleep sets alone most executions are
 * begun in vain.  (N + 3) * 2^(N - 2) traces.
 */
#include "peers.h"

static volatile int array[N + 1];

static void *finder(void *unused)
{
    int at = N;

    (void)unused;
    while (array[at] != 0)
        at--;
    assert(at >= 0);
    return NULL;
}

static void *writer(void *number)
{
    int at = number_of(number) + 1;

    array[at] = array[at - 1] + 1;
    return NULL;
}

int main(void)
{
    run_one_and_many(finder, writer, N);
    return 0;
}
