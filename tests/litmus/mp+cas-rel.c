/* SPDX-License-Identifier: MIT
 *
 * MP with a release CAS of a third variable that succeeds: the message is
 * out before it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    r2 = cas(&z, 0, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0);
}
