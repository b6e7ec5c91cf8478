/* SPDX-License-Identifier: MIT
 *
 * SB whose loads are RMWs: on TSO an RMW drains, on PSO only its own
 * address.
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
    r0 = __atomic_fetch_add(&y, 0, __ATOMIC_RELAXED);
}

THREAD(right)
{
    y = 1;
    r1 = __atomic_fetch_add(&x, 0, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
