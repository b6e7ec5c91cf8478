/* SPDX-License-Identifier: MIT
 *
 * C11 has no execution with a cycle of po and rf, and processors have, where a
 * load may take effect after a later store of its thread.  Without those they
 * have none that C11 lacks (docs/models.md).  So a search on C11 speaks for all
 * of them if no thread of it has such a pair, however it is compiled: after the
 * search every way of every thread is looked at by the terms of processors.
 */
#include "event/must.h"
#include "graph/thread_order.h"
#include "runtime/native_inside.h"
#include "runtime/rt.h"

static struct thread_orders *orders;

/* Every later access of its thread comes after it, however it is compiled. */
static bool acquires(const struct op *op)
{
    switch (op->kind) {
    case OP_LOAD:
    case OP_RMW:
        return order_acquires(op->order);
    case OP_CAS:
        return order_acquires(op->order) && order_acquires(op->failure_order);
    case OP_STORE:
    case OP_FENCE:
        return true;
    default:
        return op->kind > OP_PUT;
    }
}

/* Then no load is later than a store behind it, and that costs a look at each
 * operation, not at each way to it. */
static bool all_acquire(const struct behaviour *b)
{
    for (uint32_t i = 1; i < b->count; i++)
        if (!acquires(&b->entries[i].op))
            return false;
    return true;
}

/* All that threads do, on that processor. */
static bool finds_pair(const struct model *m, bool all_shared,
                       struct thread_pair *pair)
{
    struct behaviour *b = native.trie;

    thread_orders_begin(orders, b, m, 1);
    for (uint32_t i = 1; i < b->count && !thread_orders_is_full(orders); i++)
        thread_order_until(orders, (behaviour_node){i});
    return thread_orders_unprotected(orders, all_shared, pair) ||
           thread_orders_is_full(orders);
}

bool native_finds_pair(bool all_shared, struct thread_pair *pair)
{
    static const struct model *const list[] = {&model_arm, &model_arm_llsc,
                                               &model_riscv};

    if (all_acquire(native.trie))
        return false;
    if (!orders)
        orders = thread_orders_new();
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        if (finds_pair(list[i], all_shared, pair))
            return true;
    return false;
}
