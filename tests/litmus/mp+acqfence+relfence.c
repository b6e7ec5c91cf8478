/* SPDX-License-Identifier: MIT
 *
 * MP with the two C11 fences in each other's place.
 *
 * sc: never
 * tso: never
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
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r0 = __atomic_load_n(&y, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
