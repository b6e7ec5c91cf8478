/* SPDX-License-Identifier: MIT
 *
 * LB where one side has a branch, but its store stands after that: it does
 * not depend on the load, and Relaxed moves it up.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    if (r0 == 1) {
        y = 2;
    }
    y = 1;
}

THREAD(right)
{
    r1 = y;
    if (r1 == 1) {
        x = 2;
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2);
}
