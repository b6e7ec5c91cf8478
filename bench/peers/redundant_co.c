/* SPDX-License-Identifier: MIT
 *
 * Two threads write x N times each, a third reads it twice.  Any two of these
 * depend on each other but the reads: (2N + 2)! / (N! N! 2!) traces; with
 * observers 3N^2 + 3N + 1 classes.
 */
#include "peers.h"

static volatile int x;

static void *reader(void *unused)
{
    int first = x, second = x;

    (void)unused;
    assert(first <= 2 && second <= 2);
    return NULL;
}

static void *writer(void *number)
{
    for (int i = 0; i < N; i++)
        x = number_of(number) + 1;
    return NULL;
}

int main(void)
{
    run_one_and_many(reader, writer, 2);
    return 0;
}
