/* SPDX-License-Identifier: MIT
 *
 * Atomic accesses without any order.  Macros, so that each has its own site.
 */
#ifndef RELAXED_H
#define RELAXED_H

#include <stdatomic.h>

#define load(where) atomic_load_explicit(where, memory_order_relaxed)
#define store(where, what)                                                     \
    atomic_store_explicit(where, what, memory_order_relaxed)
#define cas(type, where, from, to)                                             \
    atomic_compare_exchange_strong_explicit(                                   \
        where, &(type){from}, to, memory_order_relaxed, memory_order_relaxed)

#endif
