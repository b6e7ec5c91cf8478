/* SPDX-License-Identifier: MIT
 *
 * LB whose loads are RMWs.
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
    r0 = __atomic_fetch_add(&x, 0, __ATOMIC_RELAXED);
    y = 1;
}

THREAD(right)
{
    r1 = __atomic_fetch_add(&y, 0, __ATOMIC_RELAXED);
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 1);
}
