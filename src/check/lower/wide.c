/* SPDX-License-Identifier: MIT
 *
 * Integers of 128 bits: a pointer and its counter, exchanged together.  Each is
 * two registers, the lower half first, as a struct of two words would be.  What
 * moves, compares and combines their bits is supported, other arithmetic is
 * not.  An atomic access is one of 16 bytes, any other is two of 8.
 */
#include <stdlib.h>

#include "base/check.h"
#include "lower/body.h"

bool type_is_wide(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == 128;
}

/* LLVM hands out words of 64 bits only, but prints "i128 -5". */
void wide_constant(LLVMValueRef v, struct lsl_value out[2])
{
    char *text = LLVMPrintValueToString(v);
    const char *at = text;
    unsigned __int128 n = 0;
    bool negative;

    while (*at && *at != ' ')
        at++;
    at += *at == ' ';
    negative = *at == '-';
    for (at += negative; *at >= '0' && *at <= '9'; at++)
        n = n * 10 + (unsigned)(*at - '0');
    if (negative)
        n = -n;
    LLVMDisposeMessage(text);
    out[0] = LSL_INT((uint64_t)n);
    out[1] = LSL_INT((uint64_t)(n >> 64));
}

/* ---- Computing ---- */

struct pair {
    uint32_t half[2];
};

static struct pair operand(struct body *b, LLVMValueRef inst, unsigned n)
{
    uint32_t count, zero;
    const uint32_t *regs;

    if (inst_is_gap(inst, n)) {
        zero = body_number(b, 0);
        return (struct pair){{zero, zero}};
    }
    regs = body_operands(b, LLVMGetOperand(inst, n), &count);
    if (count == 2)
        return (struct pair){{regs[0], regs[1]}};
    return (struct pair){{body_undefined(b), body_undefined(b)}};
}

static uint32_t shifted(struct body *b, enum lsl_pure op, uint32_t x,
                        uint64_t by)
{
    return by ? body_pure(b, op, 64, 64, x, body_number(b, by)) : x;
}

/* By whole words, and further: what SROA puts together and takes apart. */
static struct pair shift(struct body *b, LLVMValueRef inst, enum lsl_pure op,
                         struct pair x)
{
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    struct lsl_value n[2] = {LSL_INT(0), LSL_INT(0)};
    uint32_t zero = body_number(b, 0);

    if (LLVMIsAConstantInt(by))
        wide_constant(by, n);
    if (!LLVMIsAConstantInt(by) || n[1].bits || n[0].bits < 64 ||
        n[0].bits > 127)
        lower_refuse(b->l, "a shift of 128 bits of this kind is not supported");
    else if (op == PURE_SHL)
        return (struct pair){{zero, shifted(b, op, x.half[0], n[0].bits - 64)}};
    return (struct pair){{shifted(b, op, x.half[1], n[0].bits % 64), zero}};
}

void wide_binary(struct body *b, LLVMValueRef inst, enum lsl_pure op)
{
    struct pair x = operand(b, inst, 0), y;

    switch (op) {
    case PURE_AND:
    case PURE_OR:
    case PURE_XOR:
        y = operand(b, inst, 1);
        for (int i = 0; i < 2; i++)
            x.half[i] = body_pure(b, op, 64, 64, x.half[i], y.half[i]);
        break;
    case PURE_SHL:
    case PURE_LSHR:
        x = shift(b, inst, op, x);
        break;
    default:
        lower_refuse(b->l, "arithmetic of 128 bits is not supported");
    }
    body_define(b, inst, x.half, 2);
}

static uint32_t equal(struct body *b, struct pair x, struct pair y)
{
    uint32_t low = body_pure(b, PURE_EQ, 1, 64, x.half[0], y.half[0]);
    uint32_t high = body_pure(b, PURE_EQ, 1, 64, x.half[1], y.half[1]);

    return body_pure(b, PURE_AND, 1, 1, low, high);
}

void wide_compare(struct body *b, LLVMValueRef inst)
{
    uint32_t same = equal(b, operand(b, inst, 0), operand(b, inst, 1));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(inst);

    if (predicate == LLVMIntNE)
        same = body_pure(b, PURE_EQ, 1, 1, same, body_number(b, 0));
    else if (predicate != LLVMIntEQ)
        lower_refuse(b->l, "a comparison of 128 bits by order is not "
                           "supported");
    body_define_one(b, inst, same);
}

void wide_cast(struct body *b, LLVMValueRef inst, enum lsl_pure op)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(inst, 0));
    LLVMTypeRef to = LLVMTypeOf(inst);
    struct pair x = {{body_number(b, 0), body_number(b, 0)}};
    unsigned width;

    if (type_is_wide(from)) {
        x = operand(b, inst, 0);
        width = type_width(b->l, to);
        body_define_one(b, inst,
                        width == 64 ? x.half[0]
                                    : body_pure(b, PURE_TRUNC, width, 64,
                                                x.half[0], LSL_NONE));
        return;
    }
    width = type_width(b->l, from);
    if (!inst_is_gap(inst, 0))
        x.half[0] = body_operand(b, LLVMGetOperand(inst, 0));
    if (width < 64)
        x.half[0] = body_pure(b, op, 64, width, x.half[0], LSL_NONE);
    if (op == PURE_SEXT)
        x.half[1] =
            body_pure(b, PURE_ASHR, 64, 64, x.half[0], body_number(b, 63));
    body_define(b, inst, x.half, 2);
}

/* ---- Atomic accesses ---- */

struct wide {
    LLVMValueRef inst, address;
    enum lsl_op op;
    enum event_kind kind;
    struct pair x, y; /* operands b and c */
    uint8_t pure, order, fail_order, flags;
};

/* Two neighbours; what they load. */
static struct pair add_halves(struct body *b, const struct wide *w)
{
    uint32_t address = body_operand(b, w->address);
    uint32_t at[2] = {address, body_offset(b, address, 8)};
    uint32_t site = site_new(&b->l->p, w->inst, w->kind, 16, NULL);
    unsigned flags = w->flags | body_flags(b, w->address);
    struct pair out = {{LSL_NONE, LSL_NONE}};

    for (int k = 0; k < 2 && w->op != LSL_STORE; k++)
        out.half[k] = body_register(b);
    for (int k = 0; k < 2; k++) {
        struct lsl_inst *i = body_add(b, w->op);

        i->size = 8;
        i->flags = (uint8_t)(flags | (k ? LSL_UPPER : LSL_WIDE));
        i->dst = out.half[k];
        i->width = w->op == LSL_STORE ? 0 : 64;
        i->pure = w->pure;
        i->order = w->order;
        i->fail_order = w->fail_order;
        i->a = at[k];
        i->b = w->x.half[k];
        i->c = w->y.half[k];
        i->site = site;
    }
    return out;
}

static const struct pair nothing = {{LSL_NONE, LSL_NONE}};

static void wide_load(struct body *b, LLVMValueRef inst)
{
    struct wide w = {inst,     LLVMGetOperand(inst, 0),
                     LSL_LOAD, EV_LOAD,
                     nothing,  nothing,
                     0,        (uint8_t)LLVMGetOrdering(inst),
                     0,        0};

    body_define(b, inst, add_halves(b, &w).half, 2);
}

static void wide_store(struct body *b, LLVMValueRef inst)
{
    struct wide w = {inst,
                     LLVMGetOperand(inst, 1),
                     LSL_STORE,
                     EV_STORE,
                     operand(b, inst, 0),
                     nothing,
                     0,
                     (uint8_t)LLVMGetOrdering(inst),
                     0,
                     0};

    add_halves(b, &w);
}

static void wide_rmw(struct body *b, LLVMValueRef inst)
{
    struct wide w = {inst,
                     LLVMGetOperand(inst, 0),
                     LSL_RMW,
                     EV_RMW,
                     operand(b, inst, 1),
                     nothing,
                     RMW_XCHG,
                     (uint8_t)LLVMGetOrdering(inst),
                     0,
                     0};

    if (LLVMGetAtomicRMWBinOp(inst) != LLVMAtomicRMWBinOpXchg)
        lower_refuse(b->l, "a read-modify-write of 16 bytes that is no "
                           "exchange is not supported");
    body_define(b, inst, add_halves(b, &w).half, 2);
}

static void wide_cas(struct body *b, LLVMValueRef inst)
{
    struct wide w = {inst,
                     LLVMGetOperand(inst, 0),
                     LSL_CAS,
                     EV_RMW,
                     operand(b, inst, 1),
                     operand(b, inst, 2),
                     0,
                     (uint8_t)LLVMGetCmpXchgSuccessOrdering(inst),
                     (uint8_t)LLVMGetCmpXchgFailureOrdering(inst),
                     LLVMGetWeak(inst) ? LSL_WEAK : 0};
    struct pair found = add_halves(b, &w);
    uint32_t out[3] = {found.half[0], found.half[1], equal(b, found, w.x)};

    body_define(b, inst, out, 3);
}

static bool is_atomic(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) >= LLVMAtomicOrderingMonotonic;
}

bool wide_access(struct body *b, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        if (!type_is_wide(LLVMTypeOf(inst)) || !is_atomic(inst))
            return false;
        wide_load(b, inst);
        return true;
    case LLVMStore:
        if (!type_is_wide(LLVMTypeOf(LLVMGetOperand(inst, 0))) ||
            !is_atomic(inst))
            return false;
        wide_store(b, inst);
        return true;
    case LLVMAtomicRMW:
        if (!type_is_wide(LLVMTypeOf(inst)))
            return false;
        wide_rmw(b, inst);
        return true;
    case LLVMAtomicCmpXchg:
        if (!type_is_wide(LLVMTypeOf(LLVMGetOperand(inst, 1))))
            return false;
        wide_cas(b, inst);
        return true;
    default:
        return false;
    }
}
