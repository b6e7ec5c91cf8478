/* SPDX-License-Identifier: MIT
 *
 * A load takes the newest own store of two that wait.
 *
 * sc: never
 * tso: sometimes
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
    x = 2;
    r0 = x;
    r1 = y;
}

THREAD(right)
{
    y = 1;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 2 && r1 == 0 && r2 == 0);
}
