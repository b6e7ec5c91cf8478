/* SPDX-License-Identifier: MIT
 *
 * One thread stores 1, N others replace 0 by 2 in one CAS: N * 2^(N - 1) + 1
 * traces, for at most one CAS succeeds and the rest read before or after the
 * store.
 */
#include "peers.h"

static atomic_int x;

static void *writer(void *unused)
{
    (void)unused;
    store(&x, 1);
    return NULL;
}

static void *swapper(void *unused)
{
    (void)unused;
    cas(&x, 0, 2);
    return NULL;
}

int main(void)
{
    run_one_and_many(writer, swapper, N);
    assert(load(&x) == 1);
    return 0;
}
