/* SPDX-License-Identifier: MIT
 *
 * SB with __sync_fetch_and_add, which is full.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    r2 = __sync_fetch_and_add(&x, 1);
    r0 = y;
}

THREAD(right)
{
    r3 = __sync_fetch_and_add(&y, 1);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 0 && r1 == 0);
}
