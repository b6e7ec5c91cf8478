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

/* ---- Is there anything to look at? ----
 *
 * Most threads have no store behind a load that does not acquire, and then no
 * pair.  That costs one look at each node, not one at each way to it. */

/* Of an object of the library that turned out so: thread_order.c. */
static bool sync_acquires(const struct effect *e)
{
    switch (e->construct) {
    case C_LOCK:
    case C_WAIT:
        return true;
    case C_UNLOCK:
    case C_POST:
    case C_LOCK_FAIL:
        return e->store_like; /* then it loads nothing that counts */
    default:
        return e->store_like || order_acquires(e->order);
    }
}

/* Does every later access of its thread come after what it loads, however it is
 * compiled?  `e`: what became of it, if it is an OP_SYNC. */
static bool acquires(const struct op *op, const struct effect *e)
{
    switch (op->kind) {
    case OP_LOAD:
    case OP_RMW:
        return order_acquires(op->order);
    case OP_CAS:
        return order_acquires(op->order) && order_acquires(op->failure_order);
    case OP_SYNC:
        return sync_acquires(e);
    case OP_STORE:
        return true;
    default:
        return op->kind > OP_PUT;
    }
}

static bool may_write(const struct op *op)
{
    return op->kind != OP_LOAD && op->kind <= OP_PUT;
}

/* Parents come before their children. */
static bool has_store_behind_load(const struct behaviour *b)
{
    static bool loose[BEHAVIOUR_NODES_MAX]; /* behind such a load */

    for (uint32_t i = 1; i < b->count; i++) {
        const struct behaviour_entry *e = &b->entries[i];

        loose[i] =
            e->parent && (loose[e->parent] ||
                          !acquires(&b->entries[e->parent].op, &e->effect));
        if (loose[i] && may_write(&e->op))
            return true;
    }
    return false;
}

/* ---- By the terms of processors ---- */

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

    if (!has_store_behind_load(native.trie))
        return false;
    if (!orders)
        orders = thread_orders_new();
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        if (finds_pair(list[i], all_shared, pair))
            return true;
    return false;
}
