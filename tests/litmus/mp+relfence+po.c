/* SPDX-License-Identifier: MIT
 *
 * MP with a C11 release fence only.
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
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r0 = __atomic_load_n(&y, __ATOMIC_RELAXED);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
