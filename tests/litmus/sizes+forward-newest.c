/* SPDX-License-Identifier: MIT
 *
 * A load takes each byte from the newest own store over it.
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
    EXISTS(r0 != 258);
}
