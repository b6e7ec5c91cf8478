/* SPDX-License-Identifier: MIT
 *
 * The same as sizes+own-hides, and the own byte is looked at before the others:
 * to find it in the buffer says nothing about how old these are.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r0 = c.byte[1];
    c.byte[1] = 1;
    r2 = c.byte[1];
    r1 = c.whole;
}

THREAD(right)
{
    c.whole = 0x0202020202020202;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 2 && r2 == 1 && r1 == 0x100);
}
