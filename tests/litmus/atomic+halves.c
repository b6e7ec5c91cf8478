/* SPDX-License-Identifier: MIT
 *
 * One wide load takes memory as it was at one moment, and at none of them was
 * the block half done.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0;

THREAD(left)
{
    fencer_atomic
    {
        c.word[0] = 1;
        c.word[1] = 1;
    }
}

THREAD(right)
{
    r0 = c.whole;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    EXISTS(r0 == 1 || r0 == 4294967296);
}
