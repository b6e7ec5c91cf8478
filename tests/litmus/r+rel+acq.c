/* SPDX-License-Identifier: MIT
 *
 * R with release and acquire only.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
}

THREAD(right)
{
    atomic_store_explicit(&y, 2, memory_order_release);
    r0 = atomic_load_explicit(&x, memory_order_acquire);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0);
}
