/* SPDX-License-Identifier: MIT
 *
 * MP through a release sequence: a relaxed RMW in between keeps the message.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
}

THREAD(middle)
{
    r2 = __atomic_fetch_add(&y, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r0 = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 2 && r1 == 0);
}
