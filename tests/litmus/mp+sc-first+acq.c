/* SPDX-License-Identifier: MIT
 *
 * MP with a seq_cst message: it is out before the flag is issued.
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
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
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
    EXISTS(r0 == 1 && r1 == 0);
}
