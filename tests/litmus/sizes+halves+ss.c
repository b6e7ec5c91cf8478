/* SPDX-License-Identifier: MIT
 *
 * The same with a store-store fence; on PSLO a wide load sees one moment.
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
    c.half[0] = 1;
    fencer_fence_ss();
    c.half[1] = 1;
}

THREAD(right)
{
    r0 = c.word[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    EXISTS(r0 == 65536);
}
