/* SPDX-License-Identifier: MIT
 *
 * ISA2 with relaxed atomics.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
}

THREAD(middle)
{
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
}

THREAD(right)
{
    r1 = atomic_load_explicit(&z, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
