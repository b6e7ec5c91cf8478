/* SPDX-License-Identifier: MIT
 *
 * WRC with a load-store fence in the middle: it changes nothing.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
}

THREAD(middle)
{
    r0 = x;
    fencer_fence_ls();
    y = 1;
}

THREAD(right)
{
    r1 = y;
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
