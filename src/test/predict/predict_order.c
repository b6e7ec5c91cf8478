/* SPDX-License-Identifier: MIT
 *
 * A pair is ordered on a model if the model's axioms say so directly, with the
 * fences between the two, or by way of accesses between them: a store before a
 * store-store fence is before a later RMW, and what is after the RMW is
 * after the store (docs/models.md).  So for a first access we keep, per
 * kind of access, whether one of that kind is known to be ordered after it
 * and the fences since the earliest such one, which has seen the most.
 *
 * The longer ago the first access was, the more is ordered after it.  Hence the
 * first accesses of one kind fall into a few runs, old to new, that share what
 * is known.
 */
#include "predict/predict_order.h"

#include <string.h>

#include "base/check.h"

#define KNOWN 0x80
#define FENCES 0x1f

static const enum event_kind event_kinds[OP_KINDS] = {
    [OP_LOAD] = EV_LOAD,
    [OP_STORE] = EV_STORE,
    [OP_RMW] = EV_RMW,
    [OP_CAS_FAIL] = EV_CAS_FAIL,
};

/* ---- What an event means ---- */

static enum op_kind kind_of(const struct event *e)
{
    if (e->flags & EVF_ATOMIC)
        return OP_RMW; /* fencer_atomic: as by a relaxed RMW */
    switch (e->kind) {
    case EV_LOAD:
        return OP_LOAD;
    case EV_STORE:
    case EV_UNLOCK:
        return OP_STORE;
    case EV_CAS_FAIL:
    case EV_LOCK_FAIL:
        return OP_CAS_FAIL;
    default:
        return OP_RMW;
    }
}

static struct model_recipe recipe(const struct trace *t, const struct model *m,
                                  const struct event *e)
{
    enum event_order order = e->flags & EVF_ORDER;
    enum model_construct c = model_construct_of(e->kind, order);

    /* A failing CAS of success order seq_cst is a full fence.  The event has
     * the failure order only: seq_cst there tells, anything weaker does not. */
    if (e->kind == EV_CAS_FAIL && order == ORDER_SEQ_CST)
        c = C_RMW_SEQ_CST;
    return model_recipe_of(m, c, t->flags & CHANNEL_LOCKS_PAPER);
}

static void add_recipes(const struct trace *t, const struct event *e,
                        struct order_op *op)
{
    for (unsigned m = 0; model_all[m] && m < CYCLE_MODELS_MAX; m++) {
        struct model_recipe r = recipe(t, model_all[m], e);

        op->before[m] = r.before;
        op->after[m] = r.after;
    }
}

static void add_everywhere(struct order_op *op, unsigned fences)
{
    memset(op->before, (int)fences, sizeof(op->before));
}

/* fencer.h's fences carry their bits; C11's their order, and in bits what that
 * was on the model of the trace. */
static void add_fence(const struct trace *t, const struct event *e,
                      struct order_op *op)
{
    unsigned bits = e->flags >> EVF_FENCE_SHIFT & FENCES;

    if ((e->flags & EVF_ORDER) == ORDER_SEQ_CST && bits)
        add_everywhere(op, bits);
    else
        add_recipes(t, e, op);
}

struct order_op order_op_of(const struct trace *t, const struct event *e)
{
    struct order_op op = {.kind = OP_KINDS};

    if (e->flags & EVF_GHOST)
        return op;
    switch (e->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_LOCK:
    case EV_UNLOCK:
    case EV_LOCK_FAIL:
    case EV_WAIT:
    case EV_POST:
        if (e->object) {
            op.kind = kind_of(e);
            add_recipes(t, e, &op);
        }
        break;
    case EV_FENCE:
        add_fence(t, e, &op);
        break;
    case EV_CREATE:
    case EV_EXIT:
    case EV_CALL:
        add_everywhere(&op, FENCE_FULL);
        break;
    case EV_JOIN:
        /* Cuts the histories, and does not drain. */
        add_everywhere(&op, FENCE_LL);
        break;
    default:
        break;
    }
    return op;
}

/* ---- What the models say ---- */

/* [model][first][second][fences between] */
static bool may_pass[CYCLE_MODELS_MAX][OP_KINDS][OP_KINDS][FENCES + 1];
static unsigned models; /* 0: not asked yet */

/* A failing CAS waits, as a load does, for store-load fences; store-store
 * fences hold up writes only. */
static bool ask(const struct model *m, enum op_kind first, enum op_kind second,
                unsigned between)
{
    struct event earlier = {.kind = (uint8_t)event_kinds[first]};
    struct event later = {.kind = (uint8_t)event_kinds[second]};

    if (first == OP_STORE && second == OP_CAS_FAIL) {
        if (between & FENCE_SL)
            return false;
        between &= ~(unsigned)FENCE_SS;
    }
    if (first == OP_STORE && second == OP_RMW && between & FENCE_SL)
        return false;
    return model_may_overtake(m, &earlier, &later, between);
}

static void ask_models(void)
{
    for (; model_all[models] && models < CYCLE_MODELS_MAX; models++)
        for (unsigned a = 0; a < OP_KINDS; a++)
            for (unsigned b = 0; b < OP_KINDS; b++)
                for (unsigned f = 0; f <= FENCES; f++)
                    may_pass[models][a][b][f] = ask(model_all[models], a, b, f);
}

/* ---- The walk ---- */

static bool is_ordered(const struct order_state *s, unsigned m,
                       const struct order_op *op)
{
    for (unsigned k = 0; k < OP_KINDS; k++)
        if (s->since[m][k] &&
            !may_pass[m][k][op->kind]
                     [(s->since[m][k] | op->before[m]) & FENCES])
            return true;
    return false;
}

static void add_fences(struct order_state *s, unsigned m, uint8_t fences)
{
    for (unsigned k = 0; k < OP_KINDS; k++)
        if (s->since[m][k])
            s->since[m][k] |= fences;
}

static void advance(struct order_state *s, const struct order_op *op)
{
    for (unsigned m = 0; m < models; m++) {
        add_fences(s, m, op->before[m]);
        if (op->kind < OP_KINDS && !s->since[m][op->kind] &&
            is_ordered(s, m, op))
            s->since[m][op->kind] = KNOWN;
        add_fences(s, m, op->after[m]);
    }
}

/* Neighbours that know the same become one. */
static void join_runs(struct order *o, unsigned kind)
{
    struct order_run *runs = o->runs[kind];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < o->count[kind]; i++) {
        bool same = kept && memcmp(&runs[kept - 1].state, &runs[i].state,
                                   sizeof(runs[i].state)) == 0;

        if (!same)
            runs[kept++] = runs[i];
    }
    o->count[kind] = kept;
}

/* The access may be the first of a pair.  If there are too many runs the
 * oldest two become one that knows what the newer of them does: less. */
static void add_run(struct order *o, const struct order_op *op, uint64_t number)
{
    struct order_run *runs = o->runs[op->kind];
    struct order_run run = {.from = number};

    for (unsigned m = 0; m < models; m++)
        run.state.since[m][op->kind] = KNOWN | op->after[m];
    if (o->count[op->kind] == ORDER_RUNS_MAX) {
        runs[1].from = runs[0].from;
        memmove(runs, runs + 1, (ORDER_RUNS_MAX - 1) * sizeof(*runs));
        o->count[op->kind]--;
    }
    runs[o->count[op->kind]++] = run;
    join_runs(o, op->kind);
}

void order_step(struct order *o, const struct order_op *op, uint64_t number)
{
    if (!models)
        ask_models();
    for (unsigned k = 0; k < OP_KINDS; k++) {
        for (uint32_t i = 0; i < o->count[k]; i++)
            advance(&o->runs[k][i].state, op);
        join_runs(o, k);
    }
    if (op->kind < OP_KINDS)
        add_run(o, op, number);
}

void order_ask(const struct order *o, const struct order_op *second,
               struct order_answers *answers)
{
    for (unsigned k = 0; k < OP_KINDS; k++)
        for (uint32_t i = 0; i < o->count[k]; i++) {
            answers->may[k][i] = 0;
            for (unsigned m = 0; m < models; m++)
                if (!is_ordered(&o->runs[k][i].state, m, second))
                    answers->may[k][i] |= (uint16_t)(1u << m);
        }
}

uint16_t order_answer(const struct order *o,
                      const struct order_answers *answers, enum op_kind first,
                      uint64_t number)
{
    uint32_t i = o->count[first];

    while (i && o->runs[first][i - 1].from > number)
        i--;
    CHECK(i);
    return answers->may[first][i - 1];
}

uint64_t order_bound(const struct order *o, const struct order_answers *answers,
                     enum op_kind first, unsigned model)
{
    uint32_t i = o->count[first];

    while (i && answers->may[first][i - 1] >> model & 1)
        i--;
    return i == o->count[first] ? UINT64_MAX : o->runs[first][i].from;
}
