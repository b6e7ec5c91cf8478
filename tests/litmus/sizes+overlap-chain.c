/* SPDX-License-Identifier: MIT
 *
 * A chain of stores that share bytes pairwise lands in order, its ends too.
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
    c.word[0] = 33686018;
    c.half[1] = 771;
}

THREAD(right)
{
    r0 = c.half[1];
    fencer_fence_ll();
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 771 && r1 != 514);
}
