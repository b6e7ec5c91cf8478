/* SPDX-License-Identifier: MIT
 *
 * A new thread sees all that its creator wrote.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(child)
{
    r0 = x;
    r1 = y;
}

THREAD(left)
{
    x = 1;
    SPAWN(child);
    JOIN(child);
}

THREAD(right)
{
    y = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0);
}
