/* SPDX-License-Identifier: MIT
 *
 * A load put together from two own stores.
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
    c.byte[0] = 1;
    c.byte[1] = 2;
    r0 = c.half[0];
}

THREAD(right)
{
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 != 513);
}
