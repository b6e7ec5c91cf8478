/* SPDX-License-Identifier: MIT
 *
 * Two own stores that share a byte land in order.
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
    c.half[0] = 257;
    c.byte[0] = 2;
}

THREAD(right)
{
    r0 = c.byte[0];
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(c.byte[0]);
    EXISTS(c.byte[0] == 1 || (r0 == 2 && r1 == 257));
}
