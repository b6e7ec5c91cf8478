/* SPDX-License-Identifier: MIT
 *
 * 2+2W with relaxed exchanges as first stores: what comes later cannot pass
 * them.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
    y = 2;
}

THREAD(right)
{
    r1 = __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
