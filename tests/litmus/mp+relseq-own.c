/* SPDX-License-Identifier: MIT
 *
 * MP by a later store of the same thread: to C++20 that ends the release
 * sequence, to C11 of 2011 it went on with it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
}

THREAD(right)
{
    r0 = atomic_load_explicit(&y, memory_order_acquire);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 == 0);
}
