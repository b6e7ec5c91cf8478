/* SPDX-License-Identifier: MIT
 *
 * 2+2W with seq_cst stores.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

_Atomic int x, y;

THREAD(left)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
}

THREAD(right)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    atomic_store_explicit(&x, 2, memory_order_seq_cst);
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
