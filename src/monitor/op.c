/* SPDX-License-Identifier: MIT
 *
 * The table of happenings as operations: see op.h.
 */
#include "monitor/op.h"

static enum op_act act_of(enum event_kind kind)
{
    switch (kind) {
    case EV_LOAD:
        return ACT_LOAD;
    case EV_STORE:
    case EV_UNLOCK:
        return ACT_STORE;
    case EV_RMW:
    case EV_LOCK:
    case EV_WAIT:
    case EV_POST:
        return ACT_RMW;
    case EV_CAS_FAIL:
    case EV_LOCK_FAIL:
        return ACT_FAIL;
    case EV_FENCE:
        return ACT_FENCE;
    default:
        return ACT_NONE;
    }
}

/* A CAS of order seq_cst is full on both sides also when it fails. */
static enum model_construct failing_cas(const struct happening *h)
{
    return h->order == ORDER_SEQ_CST
               ? C_RMW_SEQ_CST
               : model_construct_of(EV_CAS_FAIL, h->failure);
}

void op_decode(struct op *op, const struct happening *h)
{
    op->h = h;
    op->act = act_of(h->kind);
    op->thread = h->thread;
    op->bits = h->kind == EV_FENCE ? h->bits : 0;
    op->block = false;
    op->construct = model_construct_of(h->kind, h->order);
    op->if_writes = op->construct;
    op->if_fails = C_LOCK_FAIL;
    if (h->kind == EV_CAS_FAIL)
        op->if_writes = model_construct_of(EV_RMW, h->order);
    else if (h->kind == EV_LOCK_FAIL)
        op->if_writes = h->flags & HAPPENED_COUNT ? C_WAIT : C_LOCK;
    if (h->kind == EV_CAS_FAIL || h->kind == EV_RMW)
        op->if_fails = failing_cas(h);
    if (h->kind == EV_CAS_FAIL)
        op->construct = op->if_fails;
}

bool op_is_object(const struct happening *h)
{
    return h->kind == EV_LOCK || h->kind == EV_LOCK_FAIL ||
           h->kind == EV_UNLOCK || h->kind == EV_WAIT || h->kind == EV_POST;
}

/* An object is where it begins; what it consists of is nobody's business, and
 * what lies behind a small one is another variable. */
uint32_t op_size(const struct happening *h)
{
    return op_is_object(h) ? 1 : h->size;
}

static enum op_fate fate_of_try(const struct happening *h, bool possible)
{
    if (possible)
        return FATE_WRITES;
    return h->kind == EV_LOCK_FAIL || h->flags & HAPPENED_CAS ? FATE_READS
                                                              : FATE_WAITS;
}

static enum op_fate fate_of_cas(const struct happening *h, uint64_t value)
{
    if (h->flags & HAPPENED_AWAIT && value == h->read)
        return FATE_WAITS;
    if (value != h->expected)
        return FATE_READS;
    /* Of 16 bytes, 8 are known. */
    return h->size > 8 ? FATE_UNKNOWN : FATE_WRITES;
}

enum op_fate op_fate(const struct op *op, uint64_t value)
{
    const struct happening *h = op->h;
    uint64_t mask = h->expected ? h->expected : ~0ull;

    switch (h->kind) {
    case EV_LOCK:
        return fate_of_try(h, !(value & mask));
    case EV_LOCK_FAIL:
        return fate_of_try(h, h->flags & HAPPENED_COUNT ? value != 0
                                                        : !(value & mask));
    case EV_WAIT:
        return fate_of_try(h, value != 0);
    case EV_CAS_FAIL:
        return fate_of_cas(h, value);
    default:
        break;
    }
    if (op->act == ACT_RMW && h->flags & HAPPENED_CAS)
        return fate_of_cas(h, value);
    if (h->flags & HAPPENED_AWAIT && value == h->expected)
        return FATE_WAITS;
    return op->act == ACT_LOAD ? FATE_READS : FATE_WRITES;
}
