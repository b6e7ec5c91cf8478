/* SPDX-License-Identifier: MIT
 *
 * A wide load after a narrow one of its bytes: not older.
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
    c.half[0] = 1;
    fencer_fence_ss();
    c.half[1] = 1;
}

THREAD(right)
{
    r0 = c.half[1];
    r1 = c.word[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 != 65537);
}
