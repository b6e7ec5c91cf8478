/* SPDX-License-Identifier: MIT
 *
 * The table of happenings as operations: see op.h.
 */
#include "monitor/op.h"

#include "event/must.h"

static const uint8_t acts[EV_KIND_COUNT] = {
    [EV_LOAD] = ACT_LOAD,   [EV_STORE] = ACT_STORE,   [EV_UNLOCK] = ACT_STORE,
    [EV_RMW] = ACT_RMW,     [EV_LOCK] = ACT_RMW,      [EV_WAIT] = ACT_RMW,
    [EV_POST] = ACT_RMW,    [EV_CAS_FAIL] = ACT_FAIL, [EV_LOCK_FAIL] = ACT_FAIL,
    [EV_FENCE] = ACT_FENCE,
};

/* The construct of a kind and order, written down once. */
#define ORDERS (EVF_ORDER + 1)
static uint8_t constructs[EV_KIND_COUNT][ORDERS];

void op_prepare(void)
{
    for (enum event_kind k = 0; k < EV_KIND_COUNT; k++)
        for (enum event_order o = 0; o < ORDERS; o++)
            constructs[k][o] = (uint8_t)model_construct_of(k, o);
}

/* A CAS of order seq_cst is full on both sides also when it fails. */
static enum model_construct failing_cas(const struct happening *h)
{
    return h->order == ORDER_SEQ_CST
               ? C_RMW_SEQ_CST
               : constructs[EV_CAS_FAIL][h->failure & EVF_ORDER];
}

/* An RMW or something that failed to be one: how it would go else. */
static void decode_fates(struct op *op, const struct happening *h)
{
    op->if_fails = C_LOCK_FAIL;
    if (h->kind == EV_CAS_FAIL)
        op->if_writes = constructs[EV_RMW][h->order & EVF_ORDER];
    else if (h->kind == EV_LOCK_FAIL)
        op->if_writes = h->flags & HAPPENED_COUNT ? C_WAIT : C_LOCK;
    if (h->kind == EV_CAS_FAIL || h->kind == EV_RMW)
        op->if_fails = failing_cas(h);
    if (h->kind == EV_CAS_FAIL)
        op->construct = op->if_fails;
}

void op_decode(struct op *op, const struct happening *h)
{
    enum event_kind kind = h->kind;

    MUST(kind < EV_KIND_COUNT && h->thread < MONITOR_THREADS_MAX);
    op->h = h;
    op->act = acts[kind];
    op->thread = h->thread;
    op->bits = kind == EV_FENCE ? h->bits : 0;
    op->block = false;
    op->construct = op->if_writes = constructs[kind][h->order & EVF_ORDER];
    if (op->act == ACT_RMW || op->act == ACT_FAIL)
        decode_fates(op, h);
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

struct monitor_report op_report(const struct op *op, const struct write *w)
{
    return (struct monitor_report){.e_thread = op->thread,
                                   .e_site = op->h->site,
                                   .e_index = op->index,
                                   .e_number = op->number,
                                   .w_thread = w->thread,
                                   .w_index = w->index,
                                   .w_site = w->site,
                                   .w_number = w->number,
                                   .address = op->h->address,
                                   .e_kind = op->h->kind};
}
