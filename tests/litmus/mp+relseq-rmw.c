/* SPDX-License-Identifier: MIT
 *
 * MP through an RMW, which goes on with the release sequence.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
}

THREAD(middle)
{
    r0 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
}

THREAD(right)
{
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 2 && r2 == 0);
}
