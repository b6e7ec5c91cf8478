/* SPDX-License-Identifier: MIT
 *
 * What a happening is to the machines: a load, a store, an RMW or a CAS that
 * fails, on some cells, with the C construct that it was; or a fence.  The
 * construct says which fences a model puts around it (model/model.h).
 */
#ifndef MONITOR_OP_H
#define MONITOR_OP_H

#include "event/happening.h"
#include "model/model.h"
#include "monitor/cells.h"
#include "monitor/monitor.h"

enum op_act {
    ACT_NONE,
    ACT_LOAD,
    ACT_STORE,
    ACT_RMW,
    ACT_FAIL, /* a CAS, or an attempt to lock, that wrote nothing */
    ACT_FENCE
};

/* What it would do if it read another value. */
enum op_fate {
    FATE_WAITS,
    FATE_READS,  /* goes on, and writes nothing */
    FATE_WRITES, /* goes on, and writes */
    FATE_UNKNOWN /* goes on, and nobody can say which */
};

#define OP_CELLS_MAX 64 /* of a block */

struct op {
    const struct happening *h;
    enum op_act act;
    enum model_construct construct;
    /* RMW and FAIL: of the same operation, had it written or not. */
    enum model_construct if_writes, if_fails;
    uint8_t bits; /* fence: enum model_fence, 0: by construct */
    bool block;   /* a fencer_atomic block: an RMW that only reads some cells */
    uint32_t thread;
    uint32_t index, number; /* as in struct monitor_report */
    uint32_t count;
    uint16_t cells[OP_CELLS_MAX];
    bool writes[OP_CELLS_MAX];
    bool reads[OP_CELLS_MAX]; /* of a block: before it writes, if it does */
};

/* Once, before the first. */
void op_prepare(void);

/* All but number, index and cells. */
void op_decode(struct op *op, const struct happening *h);

/* Of the thread library? */
static inline bool op_is_object(const struct happening *h)
{
    return h->kind == EV_LOCK || h->kind == EV_LOCK_FAIL ||
           h->kind == EV_UNLOCK || h->kind == EV_WAIT || h->kind == EV_POST;
}

/* Bytes that it touches.  An object is where it begins; what it consists of is
 * nobody's business, and what lies after a small one is another variable. */
static inline uint32_t op_size(const struct happening *h)
{
    return op_is_object(h) ? 1 : h->size;
}

enum op_fate op_fate(const struct op *op, uint64_t value);

/* The operation, had it been placed before that write. */
struct monitor_report op_report(const struct op *op, const struct write *w);

static inline struct model_recipe op_recipe(const struct op *op,
                                            const struct model *m)
{
    if (op->bits)
        return (struct model_recipe){op->bits, 0};
    return m->recipe[op->construct];
}

#endif
