/* SPDX-License-Identifier: MIT
 *
 * A store and an increment: the store is not torn apart by it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0;

THREAD(left)
{
    x = 5;
}

THREAD(right)
{
    r0 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS((r0 == 0 && x == 6) || (r0 == 5 && x == 5));
}
