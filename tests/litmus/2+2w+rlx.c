/* SPDX-License-Identifier: MIT
 *
 * 2+2W with relaxed stores.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
}

THREAD(right)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
