/* SPDX-License-Identifier: MIT
 *
 * Z6.1: two coherence edges and one reads-from edge in a cycle of six
 * accesses.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    y = 1;
}

THREAD(middle)
{
    y = 2;
    z = 1;
}

THREAD(right)
{
    r0 = z;
    x = 2;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    OBSERVE(x);
    EXISTS(y == 2 && r0 == 1 && x == 1);
}
