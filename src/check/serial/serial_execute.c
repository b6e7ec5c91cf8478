/* SPDX-License-Identifier: MIT
 *
 * Instructions, one by one; all but calls, which serial_run.c has.
 */
#include <errno.h>
#include <stdlib.h>

#include "serial/serial_inside.h"

#define LOCK_BYTES 4

static struct lsl_value undefined(void)
{
    return (struct lsl_value){.kind = LSL_UNDEFINED};
}

static struct lsl_value cut(struct lsl_value v, unsigned width)
{
    if (v.kind == LSL_INTEGER && width < 64)
        v.bits &= (1ull << width) - 1;
    return v;
}

/* ---- What goes wrong ---- */

enum outcome machine_fail(struct machine *m, uint32_t site,
                          enum failure_kind kind, const char *text)
{
    m->failure = (uint8_t)kind;
    m->site = site;
    m->text = text ? text : failure_kind_words(kind);
    return RUN_FAILED;
}

enum outcome machine_refuse(struct machine *m, uint32_t site, const char *text)
{
    struct buf place = {0};

    lsl_put_site(m->memory.program, site, &place);
    err_set(m->e, "%s: %s", place.bytes, text);
    buf_free(&place);
    return RUN_REFUSED;
}

enum outcome machine_undefined(struct machine *m, uint32_t site,
                               const char *text)
{
    return machine_fail(m, site, FAIL_UNDEFINED, text);
}

/* What memory says, with the place. */
static enum outcome settle(struct machine *m, const struct lsl_inst *i,
                           enum outcome r)
{
    if (r == RUN_FAILED)
        return machine_fail(m, i->site, m->memory.failure, m->memory.text);
    if (r == RUN_REFUSED)
        return machine_refuse(m, i->site, m->memory.text);
    return r;
}

/* ---- Registers ---- */

struct lsl_value *machine_reg(struct machine *m, uint32_t r)
{
    const struct frame *f = &VEC_LAST(&m->frames);

    CHECK(r < f->proc->reg_count);
    return &m->regs.list[f->base + r];
}

void machine_set(struct machine *m, const struct lsl_inst *i,
                 struct lsl_value v)
{
    if (i->dst != LSL_NONE)
        *machine_reg(m, i->dst) = i->width ? cut(v, i->width) : v;
}

/* ---- Pure operations ---- */

/* Which of two objects lies higher depends on the allocator: nothing that we
 * could say would hold for all. */
static bool compares_objects(enum lsl_pure op, struct lsl_value a,
                             struct lsl_value b)
{
    return op >= PURE_ULT && op <= PURE_SLE && a.kind == LSL_POINTER &&
           b.kind == LSL_POINTER && a.base != b.base;
}

static enum outcome evaluate(struct machine *m, const struct lsl_inst *i,
                             enum lsl_pure op, unsigned width,
                             unsigned in_width, struct lsl_value a,
                             struct lsl_value b, struct lsl_value *out)
{
    if (compares_objects(op, a, b))
        return machine_refuse(
            m, i->site,
            "pointers into different objects are compared by order");
    switch (lsl_eval(op, width, in_width, a, b, out)) {
    case LSL_FINE:
        return RUN_ON;
    case LSL_BY_ZERO:
        return machine_fail(m, i->site, FAIL_ARITHMETIC, "division by zero");
    case LSL_ON_POINTER:
        break;
    }
    return machine_refuse(m, i->site,
                          "arithmetic on a pointer that has no meaning");
}

static enum outcome pure(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value b = undefined(), v;
    enum outcome r;

    if (lsl_pure_operands(i->pure) == 2)
        b = *machine_reg(m, i->b);
    r = evaluate(m, i, i->pure, i->width, i->in_width ? i->in_width : i->width,
                 *machine_reg(m, i->a), b, &v);
    if (r == RUN_ON)
        machine_set(m, i, v);
    return r;
}

static enum outcome pick(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value a = *machine_reg(m, i->a);

    if (a.kind == LSL_UNDEFINED)
        return machine_undefined(m, i->site,
                                 "an undefined value decides between two");
    machine_set(m, i,
                a.kind == LSL_POINTER || a.bits ? *machine_reg(m, i->b)
                                                : *machine_reg(m, i->c));
    return RUN_ON;
}

/* ---- Accesses ---- */

static enum outcome load(struct machine *m, const struct lsl_inst *i,
                         unsigned size, struct lsl_value *v)
{
    return settle(m, i,
                  memory_load(&m->memory, *machine_reg(m, i->a), size, v));
}

static enum outcome store(struct machine *m, const struct lsl_inst *i,
                          unsigned size, struct lsl_value v)
{
    return settle(m, i,
                  memory_store(&m->memory, *machine_reg(m, i->a), size,
                               cut(v, 8 * size)));
}

/* The larger or smaller of both. */
static enum outcome extreme(struct machine *m, const struct lsl_inst *i,
                            enum lsl_pure below, bool larger,
                            struct lsl_value old, struct lsl_value operand,
                            struct lsl_value *out)
{
    struct lsl_value is_below;
    enum outcome r =
        evaluate(m, i, below, 1, 8u * i->size, old, operand, &is_below);

    if (r == RUN_ON && is_below.kind == LSL_UNDEFINED)
        *out = is_below;
    else if (r == RUN_ON)
        *out = (is_below.bits != 0) == larger ? operand : old;
    return r;
}

/* What an RMW writes. */
static enum outcome combine(struct machine *m, const struct lsl_inst *i,
                            struct lsl_value old, struct lsl_value operand,
                            struct lsl_value *out)
{
    static const uint8_t simple[] = {
        [RMW_ADD] = PURE_ADD,  [RMW_SUB] = PURE_SUB, [RMW_AND] = PURE_AND,
        [RMW_NAND] = PURE_AND, [RMW_OR] = PURE_OR,   [RMW_XOR] = PURE_XOR,
    };
    unsigned width = 8u * i->size;
    enum outcome r;

    switch ((enum rmw_op)i->pure) {
    case RMW_XCHG:
        *out = operand;
        return RUN_ON;
    case RMW_ADD:
    case RMW_SUB:
    case RMW_AND:
    case RMW_NAND:
    case RMW_OR:
    case RMW_XOR:
        r = evaluate(m, i, simple[i->pure], width, width, old, operand, out);
        if (r == RUN_ON && i->pure == RMW_NAND)
            r = evaluate(m, i, PURE_XOR, width, width, *out,
                         cut(LSL_INT(UINT64_MAX), width), out);
        return r;
    case RMW_MAX:
    case RMW_MIN:
        return extreme(m, i, PURE_SLT, i->pure == RMW_MAX, old, operand, out);
    case RMW_UMAX:
    case RMW_UMIN:
        return extreme(m, i, PURE_ULT, i->pure == RMW_UMAX, old, operand, out);
    default:
        return machine_refuse(m, i->site,
                              "this read-modify-write is not supported");
    }
}

static enum outcome rmw(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value old, new;
    enum outcome r = load(m, i, i->size, &old);

    if (r == RUN_ON)
        r = combine(m, i, old, *machine_reg(m, i->b), &new);
    if (r == RUN_ON)
        r = store(m, i, i->size, new);
    if (r == RUN_ON)
        machine_set(m, i, old);
    return r;
}

static enum outcome cas(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value old, same;
    enum outcome r = load(m, i, i->size, &old);

    if (r == RUN_ON)
        r = evaluate(m, i, PURE_EQ, 1, 8u * i->size, old, *machine_reg(m, i->b),
                     &same);
    if (r == RUN_ON && same.kind == LSL_UNDEFINED)
        return machine_undefined(m, i->site, "an undefined value is compared");
    if (r == RUN_ON && same.bits)
        r = store(m, i, i->size, *machine_reg(m, i->c));
    if (r == RUN_ON)
        machine_set(m, i, old);
    return r;
}

/* ---- Accesses of 16 bytes: both halves at once ---- */

static enum outcome store_halves(struct machine *m, const struct lsl_inst *i,
                                 uint32_t low, uint32_t high)
{
    enum outcome r = store(m, i, 8, *machine_reg(m, low));

    return r == RUN_ON ? store(m, i + 1, 8, *machine_reg(m, high)) : r;
}

static enum outcome swap_halves(struct machine *m, const struct lsl_inst *i,
                                const struct lsl_value *old)
{
    for (int k = 0; k < 2; k++) {
        struct lsl_value same;
        enum outcome r = evaluate(m, i, PURE_EQ, 1, 64, old[k],
                                  *machine_reg(m, i[k].b), &same);

        if (r != RUN_ON)
            return r;
        if (same.kind == LSL_UNDEFINED)
            return machine_undefined(m, i->site,
                                     "an undefined value is compared");
        if (!same.bits)
            return RUN_ON;
    }
    return store_halves(m, i, i[0].c, i[1].c);
}

static enum outcome access_wide(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value old[2];
    enum outcome r = RUN_ON;

    if (i->op != LSL_STORE) {
        r = load(m, i, 8, &old[0]);
        if (r == RUN_ON)
            r = load(m, i + 1, 8, &old[1]);
    }
    if (r == RUN_ON && i->op == LSL_CAS)
        r = swap_halves(m, i, old);
    else if (r == RUN_ON && i->op != LSL_LOAD)
        r = store_halves(m, i, i[0].b, i[1].b);
    if (r == RUN_ON && i->op != LSL_STORE) {
        machine_set(m, i, old[0]);
        machine_set(m, i + 1, old[1]);
    }
    return r;
}

/* The count that a lock or semaphore holds. */
static enum outcome count_of(struct machine *m, const struct lsl_inst *i,
                             uint64_t *count)
{
    struct lsl_value v = undefined();
    enum outcome r = load(m, i, i->size ? i->size : LOCK_BYTES, &v);

    if (r != RUN_ON)
        return r;
    if (v.kind == LSL_UNDEFINED)
        return machine_undefined(m, i->site,
                                 "a lock or semaphore was never initialised");
    if (v.kind != LSL_INTEGER)
        return machine_refuse(m, i->site, "a lock holds a pointer");
    *count = v.bits;
    return RUN_ON;
}

/* Locks are free at 0, semaphores are not at 0; `tries` never waits. */
static enum outcome synchronise(struct machine *m, const struct lsl_inst *i)
{
    bool lock = i->op == LSL_LOCK || i->op == LSL_TRYLOCK;
    bool wait = i->op == LSL_WAIT || i->op == LSL_TRYWAIT;
    bool tries = i->op == LSL_TRYLOCK || i->op == LSL_TRYWAIT;
    uint64_t n = 0;
    enum outcome r = count_of(m, i, &n);

    if (r != RUN_ON)
        return r;
    if ((lock && n != 0) || (wait && n == 0)) {
        machine_set(m, i, LSL_INT(lock ? EBUSY : UINT64_MAX));
        return tries ? RUN_ON : RUN_BLOCKED;
    }
    machine_set(m, i, LSL_INT(0));
    n = lock ? 1 : wait ? n - 1 : i->op == LSL_POST ? n + 1 : 0;
    return store(m, i, i->size ? i->size : LOCK_BYTES, LSL_INT(n));
}

static enum outcome allocate(struct machine *m, const struct lsl_inst *i)
{
    uint64_t bytes = i->bytes;
    uint32_t number;

    if (i->op == LSL_ALLOC) {
        struct lsl_value a = *machine_reg(m, i->a);

        if (a.kind != LSL_INTEGER)
            return machine_undefined(
                m, i->site, "an undefined number of bytes is allocated");
        bytes = a.bits;
    }
    number = memory_new_object(&m->memory,
                               i->op == LSL_ALLOC ? OBJECT_HEAP : OBJECT_STACK,
                               bytes, i->flags & LSL_ZEROED);
    machine_set(m, i, (struct lsl_value){LSL_POINTER, number, 0});
    return RUN_ON;
}

/* ---- What fencer.h offers ---- */

static enum outcome choose(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value n = *machine_reg(m, i->a);

    if (n.kind != LSL_INTEGER)
        return machine_undefined(m, i->site,
                                 "fencer_choose of an undefined value");
    if (m->choice_next == m->choices.count)
        VEC_PUSH(&m->choices, {0, n.bits ? n.bits : 1});
    machine_set(m, i, LSL_INT(VEC_AT(&m->choices, m->choice_next).value));
    m->choice_next++;
    return RUN_ON;
}

static enum outcome observe(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value v = *machine_reg(m, i->a);

    if (v.kind == LSL_UNDEFINED)
        return machine_undefined(m, i->site, "an undefined value is observed");
    if (v.kind == LSL_POINTER)
        return machine_refuse(m, i->site, "a pointer is observed");
    VEC_PUSH(&m->seen, {i->text ? i->text : "", (int64_t)v.bits});
    return RUN_ON;
}

/* ASSUME and ASSERT. */
static enum outcome demand(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value v = *machine_reg(m, i->a);

    if (v.kind == LSL_UNDEFINED)
        return machine_undefined(m, i->site,
                                 "an undefined value is assumed or asserted");
    if (v.kind == LSL_POINTER || v.bits)
        return RUN_ON;
    return i->op == LSL_ASSUME ? RUN_ASSUMED
                               : machine_fail(m, i->site, FAIL_ASSERT, i->text);
}

enum outcome machine_execute(struct machine *m, const struct lsl_inst *i)
{
    struct lsl_value v = undefined();
    enum outcome r;

    if (i->flags & LSL_UPPER)
        return RUN_ON; /* came with the lower half */
    if (i->flags & LSL_WIDE)
        return access_wide(m, i);
    switch ((enum lsl_op)i->op) {
    case LSL_PURE:
        return pure(m, i);
    case LSL_SELECT:
        return pick(m, i);
    case LSL_LOAD:
        r = load(m, i, i->size, &v);
        if (r == RUN_ON)
            machine_set(m, i, v);
        return r;
    case LSL_STORE:
        return store(m, i, i->size, *machine_reg(m, i->b));
    case LSL_RMW:
        return rmw(m, i);
    case LSL_CAS:
        return cas(m, i);
    case LSL_FENCE:
    case LSL_ATOMIC_BEGIN:
    case LSL_ATOMIC_END:
        return RUN_ON;
    case LSL_LOCK:
    case LSL_TRYLOCK:
    case LSL_UNLOCK:
    case LSL_WAIT:
    case LSL_TRYWAIT:
    case LSL_POST:
        return synchronise(m, i);
    case LSL_STACK:
    case LSL_ALLOC:
        return allocate(m, i);
    case LSL_FREE:
        return settle(m, i, memory_free(&m->memory, *machine_reg(m, i->a)));
    case LSL_CHOOSE:
        return choose(m, i);
    case LSL_ASSUME:
    case LSL_ASSERT:
        return demand(m, i);
    case LSL_FAIL:
        return i->failure == FAIL_UNSUPPORTED
                   ? machine_refuse(m, i->site, i->text)
                   : machine_fail(m, i->site, i->failure, i->text);
    case LSL_OBSERVE:
        return observe(m, i);
    case LSL_CALL:
        return machine_call(m, i);
    case LSL_CREATE:
    case LSL_JOIN:
        return machine_refuse(m, i->site,
                              "an operation creates or joins a thread");
    case LSL_PHI: /* enter_phis has them */
    case LSL_OP_COUNT:
        break;
    }
    CHECK(false);
    return RUN_REFUSED;
}
