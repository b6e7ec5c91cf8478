/* SPDX-License-Identifier: MIT
 *
 * The block waits for an own store to what it only reads.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_atomic
    {
        r0 = x;
        y = 1;
    }
}

THREAD(right)
{
    r1 = y;
    fencer_fence_ll();
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 || (r1 == 1 && r2 == 0));
}
