/* SPDX-License-Identifier: MIT
 *
 * n5: two writers of x, each ends up with the other's value.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    r0 = x;
}

THREAD(right)
{
    x = 2;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 == 1);
}
