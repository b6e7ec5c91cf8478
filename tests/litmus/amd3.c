/* SPDX-License-Identifier: MIT
 *
 * SB with two stores to each variable: the buffer is a queue, and the first
 * of each pair may be all that is out.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    x = 2;
    r0 = y;
}

THREAD(right)
{
    y = 1;
    y = 2;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 1);
}
