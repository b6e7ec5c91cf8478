/* SPDX-License-Identifier: MIT
 *
 * WRC with RMWs on the way: only the last reader's loads pass each other.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    r0 = __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
}

THREAD(middle)
{
    r1 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    y = 1;
}

THREAD(right)
{
    r2 = y;
    r3 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r1 == 1 && r2 == 1 && r3 == 0);
}
