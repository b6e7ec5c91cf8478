/* SPDX-License-Identifier: MIT
 *
 * Stores to neighbouring bytes share none, and are not ordered.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.half[0] = 1;
    c.half[2] = 1;
    c.half[1] = 1;
}

THREAD(right)
{
    r0 = c.half[1];
    fencer_fence_ll();
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
