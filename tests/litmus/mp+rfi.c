/* SPDX-License-Identifier: MIT
 *
 * MP whose writer reads its own flag from the buffer.
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
    y = 1;
    r0 = y;
}

THREAD(right)
{
    r1 = y;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
