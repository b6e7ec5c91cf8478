/* SPDX-License-Identifier: MIT
 *
 * RWC with seq_cst atomics.
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
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
}

THREAD(middle)
{
    r0 = atomic_load_explicit(&x, memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_seq_cst);
}

THREAD(right)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_seq_cst);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 0);
}
