/* SPDX-License-Identifier: MIT
 *
 * MP with a store-load fence and a ghost access after it in the writer: a
 * ghost waits for no store, so that nothing keeps the stores in order.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_sl();
    if (r0 == 0) {
        y = 1;
    }
}

THREAD(right)
{
    r1 = y;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 1 && r2 == 0);
}
