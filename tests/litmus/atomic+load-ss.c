/* SPDX-License-Identifier: MIT
 *
 * What the block only reads is treated as by an RMW too: it waits for a store
 * before a store-store fence.  Later loads may pass it on PSLO.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    fencer_atomic
    {
        r2 = z;
    }
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0);
}
