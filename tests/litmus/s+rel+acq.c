/* SPDX-License-Identifier: MIT
 *
 * S with release and acquire.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 2;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
}

THREAD(right)
{
    r0 = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 1 && x == 2);
}
