/* SPDX-License-Identifier: MIT
 *
 * N threads add 1 to a counter by a load and a store: (N!)^2 traces, and N^N by
 * who reads from whom.
 */
#include "peers.h"

static volatile int x;

static void *add(void *unused)
{
    (void)unused;
    x = x + 1;
    return NULL;
}

int main(void)
{
    run_many(add, N);
    assert(x >= 1 && x <= N);
    return 0;
}
