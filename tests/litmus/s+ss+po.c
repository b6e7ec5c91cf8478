/* SPDX-License-Identifier: MIT
 *
 * S with a store-store fence: the reader's load stays before its store by
 * itself.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 2;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = y;
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 1 && x == 2);
}
