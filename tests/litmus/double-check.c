/* SPDX-License-Identifier: MIT
 *
 * Double-checked initialisation, two users, no fence.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int f, x;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 7;
    f = 1;
}

THREAD(middle)
{
    r0 = f;
    if (r0 == 1) {
        r1 = x;
    }
}

THREAD(right)
{
    r2 = f;
    if (r2 == 1) {
        r3 = x;
    }
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS((r0 == 1 && r1 == 0) || (r2 == 1 && r3 == 0));
}
