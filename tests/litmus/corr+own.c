/* SPDX-License-Identifier: MIT
 *
 * After another's store was seen, the own older one does not come back.
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
    r1 = x;
}

THREAD(right)
{
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 == 1);
}
