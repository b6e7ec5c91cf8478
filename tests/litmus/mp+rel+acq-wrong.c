/* SPDX-License-Identifier: MIT
 *
 * MP with release and acquire on the message instead of the flag.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
}

THREAD(right)
{
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_acquire);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
