/* SPDX-License-Identifier: MIT
 *
 * S: the store after the flag is overwritten by an older one.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 2;
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
