/* SPDX-License-Identifier: MIT
 *
 * May the second of a pair take effect before the first?  Answered for every
 * earlier access of a thread at once, while walking through what the thread
 * did.
 */
#ifndef PREDICT_PREDICT_ORDER_H
#define PREDICT_PREDICT_ORDER_H

#include "predict/predict.h"

/* How an operation takes part: by kind, as the machine treats it. */
enum op_kind { OP_LOAD, OP_STORE, OP_RMW, OP_CAS_FAIL };
#define OP_KINDS 4

/* What an event means on each model; kind OP_KINDS: no access. */
struct order_op {
    uint8_t kind;
    uint8_t before[CYCLE_MODELS_MAX], after[CYCLE_MODELS_MAX];
};

/* Per model and kind: is an access of that kind known to come after the first,
 * and which fences have there been since?  0: not known. */
struct order_state {
    uint8_t since[CYCLE_MODELS_MAX][OP_KINDS];
};

/* Firsts that happened at `from` or later share a state. */
struct order_run {
    uint64_t from;
    struct order_state state;
};

#define ORDER_RUNS_MAX 32

/* Of one thread.  Zeroed: nothing happened yet. */
struct order {
    struct order_run runs[OP_KINDS][ORDER_RUNS_MAX];
    uint32_t count[OP_KINDS];
};

struct order_op order_op_of(const struct trace *t, const struct event *e);

/* The thread does this, as its event of that number in the trace. */
void order_step(struct order *o, const struct order_op *op, uint64_t number);

/* What may happen to a pair whose second comes next: per kind and run of the
 * first, the models, bit by bit, on which the second may take effect first. */
struct order_answers {
    uint16_t may[OP_KINDS][ORDER_RUNS_MAX];
};

void order_ask(const struct order *o, const struct order_op *second,
               struct order_answers *answers);

/* The first is the access of that kind and number. */
uint16_t order_answer(const struct order *o,
                      const struct order_answers *answers, enum op_kind first,
                      uint64_t number);

/* Firsts of that kind and a number below this are before the second, on that
 * model: the longer ago, the more is known. */
uint64_t order_bound(const struct order *o, const struct order_answers *answers,
                     enum op_kind first, unsigned model);

#endif
