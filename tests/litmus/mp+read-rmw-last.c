/* SPDX-License-Identifier: MIT
 *
 * MP whose reader's second load is an RMW: earlier loads stay before it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    r0 = y;
    r1 = __atomic_fetch_add(&x, 0, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
