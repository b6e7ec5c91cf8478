/* SPDX-License-Identifier: MIT
 *
 * R with seq_cst atomics.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
}

THREAD(right)
{
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    r0 = atomic_load_explicit(&x, memory_order_seq_cst);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0);
}
