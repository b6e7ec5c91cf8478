/* SPDX-License-Identifier: MIT
 *
 * 2+2W with relaxed exchanges as second stores.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    r0 = __atomic_exchange_n(&y, 2, __ATOMIC_RELAXED);
}

THREAD(right)
{
    y = 1;
    r1 = __atomic_exchange_n(&x, 2, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
