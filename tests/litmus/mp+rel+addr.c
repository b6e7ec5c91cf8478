/* SPDX-License-Identifier: MIT
 *
 * MP with a release store and an address dependency.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
}

THREAD(right)
{
    r0 = y;
    r1 = *dep(&x, r0);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
