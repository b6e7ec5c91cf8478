/* SPDX-License-Identifier: MIT
 *
 * The byte that was seen to be new comes from the own buffer the second time,
 * so the others may be old.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = c.byte[1];
    c.byte[1] = 1;
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
    EXISTS(r0 == 2 && r1 == 0x100);
}
