/* SPDX-License-Identifier: MIT
 *
 * LB with branches.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    if (r0 == 1) {
        y = 1;
    }
}

THREAD(right)
{
    r1 = y;
    if (r1 == 1) {
        x = 1;
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1);
}
