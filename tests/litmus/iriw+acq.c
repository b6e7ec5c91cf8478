/* SPDX-License-Identifier: MIT
 *
 * IRIW with release and acquire: C11 allows it, machines whose stores reach
 * all at once do not show it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    atomic_store_explicit(&x, 1, memory_order_release);
}

THREAD(second)
{
    atomic_store_explicit(&y, 1, memory_order_release);
}

THREAD(third)
{
    r0 = atomic_load_explicit(&x, memory_order_acquire);
    r1 = atomic_load_explicit(&y, memory_order_acquire);
}

THREAD(fourth)
{
    r2 = atomic_load_explicit(&y, memory_order_acquire);
    r3 = atomic_load_explicit(&x, memory_order_acquire);
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0);
}
