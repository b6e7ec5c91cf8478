/* SPDX-License-Identifier: MIT
 *
 * Before SROA: struct assignment and initialisation become accesses of the
 * scalars that the struct is made of, where the code shows its type.
 *
 * Later would be too late.  SROA cuts a copy where it likes, and joins members
 * that nobody set with what is between them: accesses of sizes that the
 * program does not have.
 */
#include <string.h>

#include "lower/body.h"

#define MOST 256 /* scalars; a larger one stays a copy */

static bool is_scalar(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) ||
           kind == LLVMPointerTypeKind;
}

/* Is it made of scalars that we know? */
static bool is_plain(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            if (!is_plain(LLVMStructGetTypeAtIndex(type, i)))
                return false;
        }
        return true;
    case LLVMArrayTypeKind:
        return is_plain(LLVMGetElementType(type));
    default:
        return is_scalar(type);
    }
}

/* The finer one of the types on both sides, if it is of that size. */
static LLVMTypeRef common_type(struct lower *l, LLVMValueRef to,
                               LLVMValueRef from, uint64_t size)
{
    LLVMValueRef sides[] = {to, from};
    LLVMTypeRef best = NULL;

    for (int i = 0; i < 2; i++) {
        LLVMTypeRef type = sides[i] ? type_of_storage(l, sides[i]) : NULL;

        if (type && LLVMTypeIsSized(type) && is_plain(type) &&
            LLVMABISizeOfType(l->p.data, type) == size &&
            type_leaf_count(type) <= MOST &&
            (!best || type_leaf_count(type) > type_leaf_count(best)))
            best = type;
    }
    return best;
}

/* What is done to the scalars at `to`. */
struct work {
    struct lower *l;
    uint64_t byte; /* to fill with, if there is no `from` */
    bool is_volatile;
};

static void do_scalar(struct work *w, LLVMTypeRef type, LLVMValueRef to,
                      LLVMValueRef from)
{
    LLVMBuilderRef b = w->l->p.builder;
    LLVMValueRef value;

    if (from) {
        value = LLVMBuildLoad2(b, type, from, "");
        LLVMSetVolatile(value, w->is_volatile);
    } else {
        uint64_t bits = w->byte * 0x0101010101010101ull;

        value = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                    ? LLVMConstIntToPtr(ir_i64(&w->l->p, bits), type)
                    : LLVMConstInt(type, bits, 0);
        if (!w->byte)
            value = LLVMConstNull(type);
    }
    value = LLVMBuildStore(b, value, to);
    LLVMSetVolatile(value, w->is_volatile);
}

static void do_parts(struct work *w, LLVMTypeRef type, LLVMValueRef to,
                     LLVMValueRef from)
{
    struct pass *p = &w->l->p;
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint64_t count = is_struct ? LLVMCountStructElementTypes(type)
                               : LLVMGetArrayLength2(type);

    if (is_scalar(type)) {
        do_scalar(w, type, to, from);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        LLVMValueRef at[] = {ir_i32(p, 0), ir_i32(p, i)};
        LLVMTypeRef part = is_struct
                               ? LLVMStructGetTypeAtIndex(type, (unsigned)i)
                               : LLVMGetElementType(type);

        do_parts(w, part,
                 LLVMBuildInBoundsGEP2(p->builder, type, to, at, 2, ""),
                 from ? LLVMBuildInBoundsGEP2(p->builder, type, from, at, 2, "")
                      : NULL);
    }
}

static bool is_volatile(LLVMValueRef call)
{
    LLVMValueRef flag = LLVMGetArgOperand(call, 3);

    return LLVMIsAConstantInt(flag) && LLVMConstIntGetZExtValue(flag);
}

void copies_expand(struct lower *l, LLVMValueRef inst)
{
    LLVMValueRef function = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;
    enum copying copying = function && LLVMGetIntrinsicID(function)
                               ? calls_copying(&l->p, inst)
                               : COPIES_NOT;

    if (copying == COPIES_NOT ||
        !LLVMIsAConstantInt(LLVMGetArgOperand(inst, 2)))
        return;

    LLVMValueRef to = LLVMGetArgOperand(inst, 0);
    LLVMValueRef second = LLVMGetArgOperand(inst, 1);
    LLVMValueRef from = copying == COPIES_MEMORY ? second : NULL;
    struct work w = {l, 0, is_volatile(inst)};
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetArgOperand(inst, 2));
    LLVMTypeRef type = common_type(l, to, from, size);

    /* memmove may overlap, and then is no sequence of copies. */
    if (!type || ir_is_intrinsic(function, "llvm.memmove."))
        return;
    if (!from && !LLVMIsAConstantInt(second))
        return;
    if (!from)
        w.byte = LLVMConstIntGetZExtValue(second) & 0xff;
    ir_before(&l->p, inst);
    do_parts(&w, type, to, from);
    LLVMInstructionEraseFromParent(inst);
}
