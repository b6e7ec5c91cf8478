/* SPDX-License-Identifier: MIT
 *
 * MP whose message is computed from a load.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r2 = w;
    x = r2 + 1;
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0);
}
