/* SPDX-License-Identifier: MIT
 *
 * Before SROA: struct assignment and initialisation become accesses of the
 * scalars that the struct is made of, where the code shows its type.  So does
 * the way of a small struct into and out of registers, in which it is one or
 * two integers.
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

/* The place that clang's GEP over { i64, ptr } leads into. */
static LLVMValueRef base_of(struct lower *l, LLVMValueRef pointer,
                            uint64_t *offset)
{
    *offset = 0;
    if (!type_is_gep(pointer) || LLVMGetNumOperands(pointer) != 3)
        return pointer;

    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        !LLVMIsLiteralStruct(type))
        return pointer;
    *offset = LLVMOffsetOfElement(
        l->p.data, type,
        (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2)));
    return LLVMGetOperand(pointer, 0);
}

/* The struct that a parameter is, or is a part of, is the one that its function
 * stores it into. */
static LLVMTypeRef parameter_type(struct lower *l, LLVMValueRef parameter,
                                  uint64_t *offset)
{
    LLVMUseRef u = LLVMGetFirstUse(parameter);
    LLVMValueRef user = u ? LLVMGetUser(u) : NULL;

    if (!user || !LLVMIsAStoreInst(user) ||
        LLVMGetOperand(user, 0) != parameter)
        return NULL;
    return type_of_storage(l, base_of(l, LLVMGetOperand(user, 1), offset));
}

/* The struct that a loaded integer is passed as, or NULL. */
static LLVMTypeRef passed_type(struct lower *l, LLVMValueRef load,
                               uint64_t *offset)
{
    LLVMUseRef u = LLVMGetFirstUse(load);
    LLVMValueRef call = u ? LLVMGetUser(u) : NULL;
    LLVMValueRef f = call && LLVMIsACallInst(call) ? ir_callee(call) : NULL;

    if (!f || LLVMIsDeclaration(f))
        return NULL;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        if (i < LLVMGetNumArgOperands(call) &&
            LLVMGetArgOperand(call, i) == load)
            return parameter_type(l, LLVMGetParam(f, i), offset);
    }
    return NULL;
}

/* A local that is there only to be passed: the type it is passed as. */
static LLVMTypeRef local_type(struct lower *l, LLVMValueRef local)
{
    if (!LLVMIsAAllocaInst(local))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        uint64_t offset = 0;
        LLVMTypeRef type =
            LLVMIsALoadInst(user) ? passed_type(l, user, &offset) : NULL;

        if (type && offset == 0)
            return type;
    }
    return NULL;
}

/* The finer one of the types on both sides, if it is of that size. */
static LLVMTypeRef common_type(struct lower *l, LLVMValueRef to,
                               LLVMValueRef from, uint64_t size)
{
    LLVMTypeRef types[] = {type_of_storage(l, to),
                           from ? type_of_storage(l, from) : NULL,
                           local_type(l, to)};
    LLVMTypeRef best = NULL;

    for (int i = 0; i < 3; i++) {
        LLVMTypeRef type = types[i];

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

static void expand_copy(struct lower *l, LLVMValueRef inst)
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

/* ---- Structs in registers ---- */

/* Passing and returning them is all that these integers are for.  Another
 * access of that size is one that the program makes, and stays one. */
static bool goes_to_register(LLVMValueRef load)
{
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAReturnInst(user) && !LLVMIsACallInst(user))
            return false;
    }
    return LLVMGetFirstUse(load) != NULL;
}

static bool comes_from_register(LLVMValueRef value)
{
    return LLVMIsAArgument(value) || LLVMIsACallInst(value) ||
           LLVMIsAExtractValueInst(value);
}

/* The scalars that an access of that type really is about; none: itself. */
static struct leaves pieces(struct lower *l, LLVMTypeRef there, uint64_t offset,
                            LLVMTypeRef type)
{
    uint64_t size = ir_size(&l->p, type);
    struct leaves all, in = {0};

    /* An array where its first element is meant. */
    while (there && LLVMGetTypeKind(there) == LLVMArrayTypeKind)
        there = LLVMGetElementType(there);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || size > 8 || !there ||
        LLVMGetTypeKind(there) != LLVMStructTypeKind || !is_plain(there) ||
        type_leaf_count(there) > MOST)
        return in;
    all = type_leaves(l, there);
    for (uint32_t i = 0; i < all.count; i++) {
        struct leaf leaf = all.list[i];

        if (leaf.offset < offset || leaf.offset >= offset + size)
            continue;
        leaf.offset -= offset;
        if (leaf.offset + leaf.size > size)
            return (struct leaves){0};
        VEC_PUSH_IN(l->arena, &in, leaf);
    }
    return in.count && in.list[0].size < size ? in : (struct leaves){0};
}

static LLVMValueRef piece_address(struct lower *l, LLVMValueRef pointer,
                                  const struct leaf *leaf)
{
    LLVMValueRef offset = ir_i64(&l->p, leaf->offset);

    if (!leaf->offset)
        return pointer;
    return LLVMBuildInBoundsGEP2(l->p.builder, l->p.i8, pointer, &offset, 1,
                                 "");
}

/* Named as SROA names them: see bits_operand of insts.c. */
static void expand_load(struct lower *l, LLVMValueRef load)
{
    LLVMBuilderRef b = l->p.builder;
    LLVMValueRef pointer = LLVMGetOperand(load, 0), whole = NULL;
    LLVMTypeRef type = LLVMTypeOf(load), there;
    uint64_t offset;

    if (!goes_to_register(load))
        return;
    there = type_of_storage(l, base_of(l, pointer, &offset));
    if (!there)
        there = passed_type(l, load, &offset);

    struct leaves all = pieces(l, there, offset, type);

    if (!all.count)
        return;
    ir_before(&l->p, load);
    for (uint32_t i = 0; i < all.count; i++) {
        const struct leaf *leaf = &all.list[i];
        LLVMValueRef v =
            LLVMBuildLoad2(b, leaf->type, piece_address(l, pointer, leaf), "");

        v = LLVMBuildZExt(b, v, type, "pieces.insert.ext");
        if (leaf->offset)
            v = LLVMBuildShl(b, v, LLVMConstInt(type, 8 * leaf->offset, 0),
                             "pieces.insert.shift");
        whole = whole ? LLVMBuildOr(b, whole, v, "pieces.insert.insert") : v;
    }
    ir_replace(load, whole);
}

static void expand_store(struct lower *l, LLVMValueRef store)
{
    LLVMBuilderRef b = l->p.builder;
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t offset;
    LLVMTypeRef there = type_of_storage(l, base_of(l, pointer, &offset));
    struct leaves all = pieces(l, there, offset, type);

    if (!all.count || !comes_from_register(value))
        return;
    ir_before(&l->p, store);
    for (uint32_t i = 0; i < all.count; i++) {
        const struct leaf *leaf = &all.list[i];
        LLVMValueRef v = value;

        if (leaf->offset)
            v = LLVMBuildLShr(b, v, LLVMConstInt(type, 8 * leaf->offset, 0),
                              "");
        v = LLVMBuildTrunc(b, v, leaf->type, "");
        LLVMBuildStore(b, v, piece_address(l, pointer, leaf));
    }
    LLVMInstructionEraseFromParent(store);
}

static bool is_ordinary(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic &&
           !LLVMGetVolatile(inst);
}

void copies_expand(struct lower *l, LLVMValueRef inst)
{
    if (LLVMIsACallInst(inst))
        expand_copy(l, inst);
    else if (LLVMIsALoadInst(inst) && is_ordinary(inst))
        expand_load(l, inst);
}

void copies_expand_stores(struct lower *l, LLVMValueRef inst)
{
    if (LLVMIsAStoreInst(inst) && is_ordinary(inst))
        expand_store(l, inst);
}
