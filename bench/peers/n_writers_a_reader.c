/* SPDX-License-Identifier: MIT
 *
 * N threads write x, one reads it: (N + 1)! traces.  With observers, which
 * order only writes that are read, N + 1 classes.
 */
#include "peers.h"

static volatile int x;

static void *reader(void *unused)
{
    (void)unused;
    assert(x <= N);
    return NULL;
}

static void *writer(void *number)
{
    x = number_of(number) + 1;
    return NULL;
}

int main(void)
{
    run_one_and_many(reader, writer, N);
    return 0;
}
