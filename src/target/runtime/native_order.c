/* SPDX-License-Identifier: MIT
 *
 * Fences by C11's orders: on C11, and on SC where C11's happens-before is asked
 * for, too.  A program whose atomic accesses are all seq_cst, and in which
 * threads share nothing else, does the same without them (docs/decisions/37):
 * so they are left out until something else turns up, and then the search
 * begins again.
 */
#include "runtime/native_inside.h"

/* A search looks for what needs them, and begins again. */
static bool may_leave_out_fences(void)
{
    const struct channel_graph *c = &rt.channel->graph;

    return native.guards_waits && !c->tells && !c->lists &&
           !native_has_trait(TRAIT_NEEDS_FENCES, false);
}

static bool leaves_out_fences(void)
{
    return native_has_trait(TRAIT_LEAVES_OUT_FENCES, false) &&
           !native_has_trait(TRAIT_NEEDS_FENCES, false);
}

/* On SC fences only say which plain accesses, and frees, are in order. */
static bool needs_fences_on_sc(const struct op *op)
{
    return op->kind == OP_FREE ||
           (op->kind <= OP_STORE && !order_is_atomic(op->order) && !op->ghost);
}

static bool needs_fences(const struct op *op)
{
    switch (op->kind) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
        return op->order != ORDER_SEQ_CST && !op->ghost;
    case OP_CAS:
        return op->order != ORDER_SEQ_CST || op->failure_order != ORDER_SEQ_CST;
    case OP_ATOMIC:
    case OP_SYNC:
    case OP_FREE:
        return true;
    default:
        return false;
    }
}

void native_look_for_order(const struct op *op)
{
    if (leaves_out_fences() &&
        (rt.model->by_language ? needs_fences(op) : needs_fences_on_sc(op)))
        native_has_trait(TRAIT_NEEDS_FENCES, true);
}

void native_fence_by_order(unsigned bits, enum event_order order)
{
    if (bits && order != ORDER_RELAXED)
        order = model_language_fence(bits);
    if (order <= ORDER_RELAXED)
        return;
    if (may_leave_out_fences())
        native_has_trait(TRAIT_LEAVES_OUT_FENCES, true);
    else
        native_announce((struct op){.kind = OP_FENCE, .order = (uint8_t)order});
}
