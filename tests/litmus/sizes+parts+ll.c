/* SPDX-License-Identifier: MIT
 *
 * The same with a load-load fence.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.whole = 72340172838076673;
}

THREAD(right)
{
    r0 = c.byte[0];
    fencer_fence_ll();
    r1 = c.byte[7];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
