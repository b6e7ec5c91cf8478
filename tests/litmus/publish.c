/* SPDX-License-Identifier: MIT
 *
 * A full fence after both stores does not order them for one who looks at
 * them directly.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    y = 1;
    fencer_fence_full();
    z = 1;
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
    EXISTS(r0 == 1 && r1 == 0);
}
