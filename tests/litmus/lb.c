/* SPDX-License-Identifier: MIT
 *
 * LB: load buffering. Both loads see stores that come after them; no model
 * here lets a load move down past a store.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    y = 1;
}

THREAD(right)
{
    r1 = y;
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 1);
}
