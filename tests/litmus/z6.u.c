/* SPDX-License-Identifier: MIT
 *
 * Z6.U (Lahav and others, PLDI 2017): what happens before an RMW need not come
 * before it in the order of seq_cst operations.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_release);
}

THREAD(middle)
{
    r0 = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
}

THREAD(right)
{
    atomic_store_explicit(&y, 3, memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_seq_cst);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 3 && r2 == 0);
}
