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
 * Most threads have no store that may come before a load which does not
 * acquire, and then no pair.  That costs one look at each node, not one at each
 * way to it. */

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

/* Loads behind which a store may be early: of that location, number + 1, or of
 * any. */
#define OF_ANY UINT32_MAX

static uint32_t location_of(const struct op *op)
{
    return op->kind == OP_LOAD && !op->cuts ? op->location + 1u : OF_ANY;
}

/* May it be earlier than one of these?  A release waits for all loads, and
 * every store for those of its own place. */
static bool may_be_early(const struct op *op, uint32_t loads)
{
    if (!loads || op->kind == OP_LOAD || op->kind > OP_PUT)
        return false;
    return op->kind != OP_STORE || (!order_releases(op->order) &&
                                    (op->cuts || loads != op->location + 1u));
}

/* Parents come before their children. */
static bool has_store_behind_load(const struct behaviour *b)
{
    static uint32_t loose[BEHAVIOUR_NODES_MAX]; /* such loads before it */

    for (uint32_t i = 1; i < b->count; i++) {
        const struct behaviour_entry *e = &b->entries[i];
        const struct op *last = &b->entries[e->parent].op;

        loose[i] = e->parent ? loose[e->parent] : 0;
        if (e->parent && !acquires(last, &e->effect) &&
            loose[i] != location_of(last))
            loose[i] = loose[i] ? OF_ANY : location_of(last);
        if (may_be_early(&e->op, loose[i]))
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
