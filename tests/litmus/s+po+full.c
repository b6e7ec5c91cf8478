/* SPDX-License-Identifier: MIT
 *
 * S with a full fence in the reader only.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 2;
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_full();
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 1 && x == 2);
}
