/* SPDX-License-Identifier: MIT
 *
 * Instructions that compute: arithmetic, comparisons, casts, addresses, and
 * structs in registers, which are a register for each scalar.
 */
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

static unsigned width_of(struct body *b, LLVMValueRef v)
{
    return type_width(b->l, LLVMTypeOf(v));
}

/* SROA puts a small struct into one integer, "retval.sroa.0.0.insert.mask" and
 * so on.  What is between its members, or was not set, must not spoil the
 * others: there it is 0. */
bool inst_is_gap(LLVMValueRef inst, unsigned n)
{
    size_t length;

    return LLVMIsUndef(LLVMGetOperand(inst, n)) &&
           strstr(LLVMGetValueName2(inst, &length), ".insert.");
}

static uint32_t bits_operand(struct body *b, LLVMValueRef inst, unsigned n)
{
    return inst_is_gap(inst, n) ? body_number(b, 0)
                                : body_operand(b, LLVMGetOperand(inst, n));
}

static void lower_binary(struct body *b, LLVMValueRef inst, enum lsl_pure op)
{
    unsigned width;
    uint32_t x, y;

    if (type_is_wide(LLVMTypeOf(inst))) {
        wide_binary(b, inst, op);
        return;
    }
    width = width_of(b, inst);
    x = bits_operand(b, inst, 0);
    y = bits_operand(b, inst, 1);
    body_define_one(b, inst, body_pure(b, op, width, width, x, y));
}

/* Greater is less with the sides exchanged. */
static const struct {
    LLVMIntPredicate predicate;
    enum lsl_pure op;
    bool swapped;
} comparisons[] = {
    {LLVMIntEQ, PURE_EQ, false},   {LLVMIntNE, PURE_NE, false},
    {LLVMIntULT, PURE_ULT, false}, {LLVMIntULE, PURE_ULE, false},
    {LLVMIntUGT, PURE_ULT, true},  {LLVMIntUGE, PURE_ULE, true},
    {LLVMIntSLT, PURE_SLT, false}, {LLVMIntSLE, PURE_SLE, false},
    {LLVMIntSGT, PURE_SLT, true},  {LLVMIntSGE, PURE_SLE, true},
};

static void lower_compare(struct body *b, LLVMValueRef inst)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(inst);
    LLVMValueRef left = LLVMGetOperand(inst, 0);
    unsigned width;
    uint32_t x, y;

    if (type_is_wide(LLVMTypeOf(left))) {
        wide_compare(b, inst);
        return;
    }
    width = width_of(b, left);
    x = body_operand(b, left);
    y = body_operand(b, LLVMGetOperand(inst, 1));
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons); i++) {
        if (comparisons[i].predicate != predicate)
            continue;

        bool swap = comparisons[i].swapped;

        body_define_one(b, inst,
                        body_pure(b, comparisons[i].op, 1, width, swap ? y : x,
                                  swap ? x : y));
        return;
    }
    CHECK(false);
}

static void lower_cast(struct body *b, LLVMValueRef inst, enum lsl_pure op)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    unsigned width, in_width;
    uint32_t x;

    if (type_is_wide(LLVMTypeOf(inst)) || type_is_wide(LLVMTypeOf(from))) {
        wide_cast(b, inst, op);
        return;
    }
    width = width_of(b, inst);
    in_width = width_of(b, from);
    x = bits_operand(b, inst, 0);
    if (width != in_width)
        x = body_pure(b, op, width, in_width, x, LSL_NONE);
    body_define_one(b, inst, x);
}

static void lower_select(struct body *b, LLVMValueRef inst)
{
    struct leaves parts = type_leaves(b->l, LLVMTypeOf(inst));
    uint32_t count, regs[16], cond = body_operand(b, LLVMGetOperand(inst, 0));
    const uint32_t *x = body_operands(b, LLVMGetOperand(inst, 1), &count);
    const uint32_t *y = body_operands(b, LLVMGetOperand(inst, 2), &count);

    if (parts.count > 16) {
        lower_refuse(b->l, "a choice between large structs is not supported");
        return;
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        uint32_t site = body_place(b), dst = body_register(b);
        struct lsl_inst *out = body_add(b, LSL_SELECT);

        out->width = (uint8_t)parts.list[i].width;
        out->dst = dst;
        out->a = cond;
        out->b = x[i];
        out->c = y[i];
        out->site = site;
        regs[i] = dst;
    }
    body_define(b, inst, regs, parts.count);
}

/* Operands are filled in at the end (blocks_phis). */
static void lower_phi(struct body *b, LLVMValueRef inst)
{
    struct leaves parts = type_leaves(b->l, LLVMTypeOf(inst));
    uint32_t *regs =
        arena_array(b->l->arena, parts.count + 1ull, sizeof(*regs));

    for (uint32_t i = 0; i < parts.count; i++) {
        uint32_t site = body_place(b), dst = body_register(b);
        struct lsl_inst *out = body_add(b, LSL_PHI);

        out->width = (uint8_t)parts.list[i].width;
        out->dst = dst;
        out->site = site;
        regs[i] = dst;
    }
    body_define(b, inst, regs, parts.count);
}

/* ---- Addresses ---- */

/* x + index * size */
static uint32_t scaled(struct body *b, uint32_t x, LLVMValueRef index,
                       uint64_t size)
{
    unsigned width = width_of(b, index);
    uint32_t n = body_operand(b, index);

    if (width < 64)
        n = body_pure(b, PURE_SEXT, 64, width, n, LSL_NONE);
    if (size != 1)
        n = body_pure(b, PURE_MUL, 64, 64, n, body_number(b, size));
    return body_pure(b, PURE_ADD, 64, 64, x, n);
}

static void lower_gep(struct body *b, LLVMValueRef inst)
{
    LLVMTargetDataRef data = b->l->p.data;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    uint32_t address = body_operand(b, LLVMGetOperand(inst, 0));
    uint64_t offset = 0;

    for (int i = 1; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, (unsigned)i);
        bool constant = LLVMIsAConstantInt(index) != NULL;

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            offset += LLVMOffsetOfElement(data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);

        uint64_t size = LLVMABISizeOfType(data, type);

        if (constant)
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
        else
            address = scaled(b, address, index, size);
    }
    body_define_one(b, inst, body_offset(b, address, offset));
}

static void lower_alloca(struct body *b, LLVMValueRef inst)
{
    LLVMValueRef count = LLVMGetOperand(inst, 0);
    uint64_t size = LLVMABISizeOfType(b->l->p.data, LLVMGetAllocatedType(inst));

    if (!LLVMIsAConstantInt(count)) {
        lower_refuse(b->l, "an array of variable length is not supported");
        return;
    }

    size *= LLVMConstIntGetZExtValue(count);
    body_define_one(b, inst, body_stack(b, size));
}

/* ---- Structs in registers ---- */

/* The number of scalars before the part that the indices lead to. */
static uint32_t leaf_at(LLVMTypeRef type, LLVMValueRef inst)
{
    const unsigned *indices = LLVMGetIndices(inst);
    uint32_t at = 0;

    for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            for (unsigned k = 0; k < indices[i]; k++)
                at += type_leaf_count(LLVMStructGetTypeAtIndex(type, k));
            type = LLVMStructGetTypeAtIndex(type, indices[i]);
        } else {
            type = LLVMGetElementType(type);
            at += indices[i] * type_leaf_count(type);
        }
    }
    return at;
}

static void lower_extract(struct body *b, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    uint32_t count;
    const uint32_t *regs = body_operands(b, from, &count);

    body_define(b, inst, regs + leaf_at(LLVMTypeOf(from), inst),
                type_leaf_count(LLVMTypeOf(inst)));
}

static void lower_insert(struct body *b, LLVMValueRef inst)
{
    uint32_t count, part_count, at = leaf_at(LLVMTypeOf(inst), inst);
    const uint32_t *whole = body_operands(b, LLVMGetOperand(inst, 0), &count);
    uint32_t *regs = arena_array(b->l->arena, count + 1ull, sizeof(*regs));
    const uint32_t *part =
        body_operands(b, LLVMGetOperand(inst, 1), &part_count);

    memcpy(regs, whole, count * sizeof(*regs));
    memcpy(regs + at, part, part_count * sizeof(*regs));
    body_define(b, inst, regs, count);
}

static void lower_copy(struct body *b, LLVMValueRef inst)
{
    uint32_t count;
    const uint32_t *regs = body_operands(b, LLVMGetOperand(inst, 0), &count);

    body_define(b, inst, regs, count);
}

bool inst_returns_struct(LLVMTypeRef result)
{
    return type_leaf_count(result) > 1;
}

/* ---- All of them ---- */

/* OP(LLVM's name, ours) */
#define BINARIES(OP)                                                           \
    OP(Add, ADD)                                                               \
    OP(Sub, SUB)                                                               \
    OP(Mul, MUL)                                                               \
    OP(UDiv, UDIV)                                                             \
    OP(SDiv, SDIV)                                                             \
    OP(URem, UREM)                                                             \
    OP(SRem, SREM)                                                             \
    OP(And, AND)                                                               \
    OP(Or, OR)                                                                 \
    OP(Xor, XOR)                                                               \
    OP(Shl, SHL)                                                               \
    OP(LShr, LSHR)                                                             \
    OP(AShr, ASHR)

static void lower_other(struct body *b, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMFNeg:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
        lower_refuse(b->l, "floating point is not supported");
        return;
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        lower_refuse(b->l, "vectors are not supported");
        return;
    case LLVMVAArg:
        lower_refuse(b->l, "variable arguments are not supported");
        return;
    default:
        lower_refuse(b->l, "an instruction of this kind is not supported");
    }
}

void inst_lower(struct body *b, LLVMValueRef inst)
{
    b->l->at = inst;
    switch (LLVMGetInstructionOpcode(inst)) {
#define OP(theirs, ours)                                                       \
    case LLVM##theirs:                                                         \
        lower_binary(b, inst, PURE_##ours);                                    \
        return;
        BINARIES(OP)
#undef OP
    case LLVMICmp:
        lower_compare(b, inst);
        return;
    case LLVMTrunc:
        lower_cast(b, inst, PURE_TRUNC);
        return;
    case LLVMZExt:
    case LLVMIntToPtr:
        lower_cast(b, inst, PURE_ZEXT);
        return;
    case LLVMSExt:
        lower_cast(b, inst, PURE_SEXT);
        return;
    case LLVMPtrToInt:
        lower_cast(b, inst, PURE_TRUNC);
        return;
    case LLVMBitCast:
        if (!type_is_wide(LLVMTypeOf(inst)))
            width_of(b, inst); /* both are scalars of one size, or refused */
        lower_cast(b, inst, PURE_TRUNC);
        return;
    case LLVMFreeze:
        lower_copy(b, inst);
        return;
    case LLVMSelect:
        lower_select(b, inst);
        return;
    case LLVMPHI:
        lower_phi(b, inst);
        return;
    case LLVMGetElementPtr:
        lower_gep(b, inst);
        return;
    case LLVMAlloca:
        lower_alloca(b, inst);
        return;
    case LLVMExtractValue:
        lower_extract(b, inst);
        return;
    case LLVMInsertValue:
        lower_insert(b, inst);
        return;
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        access_lower(b, inst);
        return;
    case LLVMCall:
        call_lower(b, inst);
        return;
    default:
        lower_other(b, inst);
    }
}
