/* SPDX-License-Identifier: MIT
 *
 * A narrow load after a wide one over it: not older.
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
    c.word[0] = 131074;
}

THREAD(right)
{
    r0 = c.word[0];
    r1 = c.half[1];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 131074 && r1 == 0);
}
