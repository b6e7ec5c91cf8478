/* SPDX-License-Identifier: MIT
 *
 * RWC with release and acquire.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_release);
}

THREAD(middle)
{
    r0 = atomic_load_explicit(&x, memory_order_acquire);
    r1 = atomic_load_explicit(&y, memory_order_acquire);
}

THREAD(right)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    r2 = atomic_load_explicit(&x, memory_order_acquire);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 0);
}
