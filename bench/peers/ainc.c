/* SPDX-License-Identifier: MIT
 *
 * N threads add 1 to a counter, atomically: N! traces.
 */
#include "peers.h"

static atomic_int x;

static void *add(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    run_many(add, N);
    assert(load(&x) == N);
    return 0;
}
