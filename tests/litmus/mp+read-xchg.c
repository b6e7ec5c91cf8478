/* SPDX-License-Identifier: MIT
 *
 * MP whose reader takes the flag by a relaxed exchange: on PSLO the load
 * passes it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = __atomic_exchange_n(&y, 2, __ATOMIC_RELAXED);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
