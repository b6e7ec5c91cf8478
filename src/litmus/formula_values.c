/* SPDX-License-Identifier: MIT
 *
 * Single instructions of a litmus test in the load-store language.  Registers
 * have 64 bits; memory is as wide as its accesses.
 */
#include <string.h>

#include "litmus/formula_inside.h"
#include "litmus/reader.h"

bool formula_refuse(struct lowering *l, const char *why)
{
    if (!l->u->why)
        l->u->why = why;
    return false;
}

/* ---- Values ---- */

struct lsl_value formula_value(const struct litmus *t, int64_t number)
{
    uint32_t element;
    int location = litmus_location_at(t, number, &element);

    if (location < 0)
        return LSL_INT((uint64_t)number);
    return (struct lsl_value){LSL_POINTER, (uint32_t)location + 1,
                              (uint64_t)(number - ADDRESS_OF(location))};
}

int64_t formula_number(const struct litmus *t, struct lsl_value v)
{
    (void)t;
    if (v.kind == LSL_POINTER)
        return ADDRESS_OF(v.base - 1) + (int64_t)v.bits;
    return (int64_t)v.bits;
}

uint32_t formula_constant(struct lowering *l, struct lsl_value v)
{
    for (uint32_t i = 0; i < l->constant_count; i++)
        if (lsl_equal(l->constants[i], v))
            return 1 + i;
    if (l->constant_count == CONSTANTS_MAX) {
        formula_refuse(l, "more constants than can be judged");
        return 1;
    }
    l->constants[l->constant_count++] = v;
    return l->constant_count;
}

uint32_t formula_integer(struct lowering *l, int64_t n)
{
    return formula_constant(l, formula_value(l->u->test, n));
}

struct lsl_inst *formula_add(struct lowering *l, enum lsl_op op)
{
    struct lsl_inst *i = VEC_ADD_IN(l->arena, &l->insts);

    *i = (struct lsl_inst){.op = (uint8_t)op,
                           .dst = LSL_NONE,
                           .a = LSL_NONE,
                           .b = LSL_NONE,
                           .c = LSL_NONE};
    return i;
}

uint32_t formula_result(struct lowering *l, struct lsl_inst *i, unsigned width)
{
    i->width = (uint8_t)width;
    return i->dst = l->reg_count++;
}

uint32_t formula_pure(struct lowering *l, enum lsl_pure op, unsigned width,
                      unsigned in_width, uint32_t a, uint32_t b)
{
    struct lsl_inst *i = formula_add(l, LSL_PURE);

    i->pure = (uint8_t)op;
    i->in_width = (uint8_t)in_width;
    i->a = a;
    i->b = lsl_pure_operands(op) > 1 ? b : LSL_NONE;
    return formula_result(l, i, width);
}

/* The same number, of which nobody knows that it is the same: a choice between
 * two equal ones is one to the machine, and would be none here. */
static uint32_t disguised(struct lowering *l, uint32_t v)
{
    struct lsl_inst *i = formula_add(l, LSL_CHOOSE);
    uint32_t chosen, is_zero;

    i->a = formula_integer(l, 2);
    chosen = formula_result(l, i, 64);
    is_zero = formula_pure(l, PURE_EQ, 1, 64, chosen, formula_integer(l, 0));
    formula_add(l, LSL_ASSUME)->a = is_zero;
    return formula_pure(
        l, PURE_ADD, 64, 64, v,
        formula_pure(l, PURE_MUL, 64, 64, chosen, formula_integer(l, 1 << 20)));
}

static uint32_t choice(struct lowering *l, uint32_t cond, uint32_t yes,
                       uint32_t no)
{
    uint32_t other = yes == no ? disguised(l, no) : no;
    struct lsl_inst *i = formula_add(l, LSL_SELECT);

    i->a = cond;
    i->b = yes;
    i->c = other;
    return formula_result(l, i, 64);
}

uint32_t formula_get(struct lowering *l, int reg)
{
    return reg > REGISTER_ZERO ? l->registers[reg] : formula_integer(l, 0);
}

uint32_t formula_last(struct lowering *l, const struct inst *i, int reg)
{
    return i->immediate ? formula_integer(l, i->imm) : formula_get(l, reg);
}

void formula_set(struct lowering *l, int reg, uint32_t value)
{
    if (reg > REGISTER_ZERO)
        l->registers[reg] = value;
}

unsigned formula_bits(const struct lowering *l, uint8_t size)
{
    return l->pointers ? 64 : size * 8u;
}

/* As memory of that size has it; and back, as alu_cut does it. */
static uint32_t narrow(struct lowering *l, uint32_t v, uint8_t size)
{
    unsigned bits = formula_bits(l, size);

    return bits == 64 ? v : formula_pure(l, PURE_TRUNC, bits, 64, v, 0);
}

uint32_t formula_widen(struct lowering *l, uint32_t v, uint8_t size)
{
    unsigned bits = formula_bits(l, size);

    return bits == 64 ? v
                      : formula_pure(l, bits == 32 ? PURE_SEXT : PURE_ZEXT, 64,
                                     bits, v, 0);
}

/* ---- Arithmetic ---- */

uint32_t formula_compare(struct lowering *l, enum alu alu, uint32_t a,
                         uint32_t b)
{
    switch (alu) {
    case ALU_EQ:
        return formula_pure(l, PURE_EQ, 1, 64, a, b);
    case ALU_NE:
        return formula_pure(l, PURE_NE, 1, 64, a, b);
    case ALU_LT:
        return formula_pure(l, PURE_SLT, 1, 64, a, b);
    case ALU_LE:
        return formula_pure(l, PURE_SLE, 1, 64, a, b);
    case ALU_GT:
        return formula_pure(l, PURE_SLT, 1, 64, b, a);
    case ALU_GE:
        return formula_pure(l, PURE_SLE, 1, 64, b, a);
    default:
        formula_refuse(l, "a comparison of this kind");
        return formula_integer(l, 0);
    }
}

static bool compares(enum alu alu)
{
    return alu >= ALU_EQ && alu <= ALU_GE;
}

static uint32_t compute(struct lowering *l, enum alu alu, uint32_t a,
                        uint32_t b)
{
    static const uint8_t direct[] = {
        [ALU_ADD] = PURE_ADD + 1, [ALU_SUB] = PURE_SUB + 1,
        [ALU_AND] = PURE_AND + 1, [ALU_OR] = PURE_OR + 1,
        [ALU_XOR] = PURE_XOR + 1, [ALU_MUL] = PURE_MUL + 1,
        [ALU_SHL] = PURE_SHL + 1, [ALU_SHR] = PURE_LSHR + 1,
        [ALU_SAR] = PURE_ASHR + 1};

    if (compares(alu))
        return formula_pure(l, PURE_ZEXT, 64, 1, formula_compare(l, alu, a, b),
                            0);
    if (alu == ALU_CLEAR)
        return formula_pure(
            l, PURE_AND, 64, 64, a,
            formula_pure(l, PURE_XOR, 64, 64, b, formula_integer(l, -1)));
    if (alu == ALU_SWAP)
        return b;
    if (alu >= sizeof(direct) || !direct[alu]) {
        formula_refuse(l, "arithmetic of this kind");
        return a;
    }
    return formula_pure(l, (enum lsl_pure)(direct[alu] - 1), 64, 64, a, b);
}

static void lower_alu(struct lowering *l, const struct inst *i)
{
    uint32_t a = formula_get(l, i->a), b = formula_last(l, i, i->b), v;

    if (a == formula_integer(l, 0) && i->immediate &&
        (i->alu == ALU_OR || i->alu == ALU_ADD)) {
        formula_set(l, i->d, b);
        return;
    }
    v = compute(l, (enum alu)i->alu, a, b);
    if (i->size && i->size < 8 && !compares((enum alu)i->alu))
        v = formula_widen(l, narrow(l, v, i->size), i->size);
    formula_set(l, i->d, v);
}

/* What only computes; false: it is something else. */
bool formula_local(struct lowering *l, const struct inst *i)
{
    switch ((enum inst_kind)i->kind) {
    case INST_SET:
        formula_set(l, i->d, formula_integer(l, i->imm));
        return true;
    case INST_ALU:
        lower_alu(l, i);
        return true;
    case INST_SELECT:
        formula_set(
            l, i->d,
            choice(l,
                   formula_compare(l, (enum alu)i->alu, formula_get(l, i->c),
                                   formula_integer(l, 0)),
                   formula_get(l, i->a), formula_get(l, i->b)));
        return true;
    default:
        return false;
    }
}

/* ---- Accesses ---- */

static uint32_t address_of(struct lowering *l, const struct inst *i)
{
    uint32_t at = formula_integer(l, i->offset);

    for (int k = 0; k < 2; k++) {
        int reg = k ? i->index : i->base;

        if (reg <= REGISTER_ZERO)
            continue;
        at = at == formula_integer(l, 0)
                 ? formula_get(l, reg)
                 : formula_pure(l, PURE_ADD, 64, 64, formula_get(l, reg), at);
    }
    return at;
}

static uint8_t order_of(uint8_t order)
{
    static const uint8_t orders[] = {
        [LITMUS_NA] = ORDER_PLAIN,        [LITMUS_RLX] = ORDER_RELAXED,
        [LITMUS_ACQ] = ORDER_ACQUIRE,     [LITMUS_REL] = ORDER_RELEASE,
        [LITMUS_ACQ_REL] = ORDER_ACQ_REL, [LITMUS_SC] = ORDER_SEQ_CST};

    return orders[order];
}

uint8_t formula_order(struct lowering *l, const struct inst *i,
                      enum op_kind kind, uint32_t read, uint32_t write)
{
    uint8_t order = ORDER_RELAXED;

    if (!l->rows)
        return order_of(i->order);
    if (l->rows->mapping.name && !rows_find(l->rows, kind, read, write, &order))
        formula_refuse(l, "more kinds of one access than can be told apart");
    return order;
}

struct lsl_inst *formula_access(struct lowering *l, enum lsl_op op,
                                const struct inst *i, uint32_t address,
                                uint8_t order)
{
    struct lsl_inst *a = formula_add(l, op);

    a->a = address;
    a->size = (uint8_t)(formula_bits(l, i->size) / 8);
    a->order = order;
    a->fail_order = ORDER_RELAXED;
    return a;
}

void formula_load(struct lowering *l, const struct inst *i, uint32_t marks)
{
    uint32_t address = address_of(l, i);
    struct lsl_inst *a = formula_access(l, LSL_LOAD, i, address,
                                        formula_order(l, i, OP_LOAD, marks, 0));
    uint32_t v = formula_result(l, a, formula_bits(l, i->size));

    formula_set(l, i->d, formula_widen(l, v, i->size));
}

void formula_store(struct lowering *l, const struct inst *i)
{
    uint32_t address = address_of(l, i);
    uint32_t v = narrow(l, formula_last(l, i, i->a), i->size);
    struct lsl_inst *a = formula_access(
        l, LSL_STORE, i, address, formula_order(l, i, OP_STORE, 0, i->write));

    a->b = v;
}

static uint32_t marks_of_read(const struct inst *i)
{
    return i->no_result ? (i->read & ~(uint32_t)MARK_A) | MARK_NORET : i->read;
}

static bool rmw_of(enum alu alu, uint8_t *kind)
{
    static const uint8_t kinds[] = {
        [ALU_SWAP] = RMW_XCHG + 1, [ALU_ADD] = RMW_ADD + 1,
        [ALU_SUB] = RMW_SUB + 1,   [ALU_AND] = RMW_AND + 1,
        [ALU_CLEAR] = RMW_AND + 1, [ALU_OR] = RMW_OR + 1,
        [ALU_XOR] = RMW_XOR + 1,   [ALU_MAX] = RMW_MAX + 1,
        [ALU_MIN] = RMW_MIN + 1,   [ALU_UMAX] = RMW_UMAX + 1,
        [ALU_UMIN] = RMW_UMIN + 1};

    *kind = (uint8_t)(alu < sizeof(kinds) && kinds[alu] ? kinds[alu] - 1 : 0);
    return alu < sizeof(kinds) && kinds[alu];
}

void formula_exchange(struct lowering *l, const struct inst *i, uint8_t kind,
                      uint32_t by, uint8_t order)
{
    uint32_t address = address_of(l, i), v = narrow(l, by, i->size);
    struct lsl_inst *a = formula_access(l, LSL_RMW, i, address, order);
    uint32_t old;

    a->pure = kind;
    a->b = v;
    old = formula_result(l, a, formula_bits(l, i->size));
    formula_set(l, i->d, formula_widen(l, old, i->size));
}

void formula_rmw(struct lowering *l, const struct inst *i)
{
    uint32_t by = formula_last(l, i, i->a);
    uint8_t kind;

    if (!rmw_of((enum alu)i->alu, &kind))
        formula_refuse(l, "an RMW of this kind");
    if (l->pointers && i->size < 8 && kind != RMW_XCHG)
        formula_refuse(l, "an RMW on memory that holds addresses elsewhere");
    if (i->alu == ALU_CLEAR)
        by = formula_pure(l, PURE_XOR, 64, 64, by, formula_integer(l, -1));
    formula_exchange(l, i, kind, by,
                     formula_order(l, i, OP_RMW, marks_of_read(i), i->write));
}

void formula_cas(struct lowering *l, const struct inst *i)
{
    uint32_t address = address_of(l, i);
    uint32_t expected = formula_get(l, i->d);
    uint32_t narrowed = narrow(l, expected, i->size);
    uint32_t stored = narrow(l, formula_last(l, i, i->a), i->size), old;
    struct lsl_inst *a =
        formula_access(l, LSL_CAS, i, address,
                       formula_order(l, i, OP_CAS, marks_of_read(i), i->write));

    if (i->weak)
        formula_refuse(l, "a CAS that may fail for no reason");
    a->b = narrowed;
    a->c = stored;
    if (!l->rows)
        a->fail_order = order_of(i->failed);
    old = formula_result(l, a, formula_bits(l, i->size));
    if (i->boolean)
        formula_set(
            l, i->d2,
            formula_pure(l, PURE_ZEXT, 64, 1,
                         formula_pure(l, PURE_EQ, 1, formula_bits(l, i->size),
                                      old, narrowed),
                         0));
    formula_set(l, i->d, formula_widen(l, old, i->size));
}

void formula_fence(struct lowering *l, const struct inst *i)
{
    static const uint8_t own[] = {FENCE_SS, FENCE_LL, FENCE_SL, FENCE_LS,
                                  FENCE_FULL};
    uint8_t order = order_of(i->order), fence = 0;
    struct lsl_inst *f;

    if (!l->rows && i->fence)
        fence = own[i->fence - MAPPED_FENCE_SS];
    if (l->rows && !rows_find_fence(l->rows, i->read, &order, &fence))
        formula_refuse(l, "more kinds of fences than can be told apart");
    if (!fence &&
        (order <= ORDER_RELAXED || (l->rows && !l->rows->mapping.name)))
        return; /* it orders nothing */
    f = formula_add(l, LSL_FENCE);
    f->order = order;
    f->fences = fence;
}
