/* SPDX-License-Identifier: MIT
 *
 * SB on two bytes of one word.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.byte[0] = 1;
    r0 = c.byte[1];
}

THREAD(right)
{
    c.byte[1] = 1;
    r1 = c.byte[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
