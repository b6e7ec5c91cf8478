/* SPDX-License-Identifier: MIT
 *
 * LLVM's types as the scalars they are made of.
 */
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

/* More scalars than this are no struct that is copied, but a buffer. */
#define LARGEST 4096

unsigned type_width(struct lower *l, LLVMTypeRef type)
{
    unsigned width;

    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        width = LLVMGetIntTypeWidth(type);
        if (width <= 64)
            return width;
        lower_refuse(l, "integers of %u bits are not supported", width);
        return 0;
    case LLVMPointerTypeKind:
        if (LLVMGetPointerAddressSpace(type) == 0)
            return 64;
        lower_refuse(l, "memory of a segment register is not supported");
        return 0;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
        lower_refuse(l, "floating point is not supported");
        return 0;
    case LLVMVectorTypeKind:
        lower_refuse(l, "vectors are not supported");
        return 0;
    default:
        lower_refuse(l, "a value of this type is not supported");
        return 0;
    }
}

static uint32_t part_count(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind:
        return (uint32_t)LLVMGetArrayLength2(type);
    default:
        return 0;
    }
}

static bool is_aggregate(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static LLVMTypeRef part_type(LLVMTypeRef type, uint32_t part)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMStructGetTypeAtIndex(type, part)
               : LLVMGetElementType(type);
}

static uint64_t part_offset(struct lower *l, LLVMTypeRef type, uint32_t part)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMOffsetOfElement(l->p.data, type, part)
               : part * LLVMABISizeOfType(l->p.data, LLVMGetElementType(type));
}

uint32_t type_leaf_count(LLVMTypeRef type)
{
    uint32_t parts = part_count(type), count = 0;

    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return 0;
    if (!is_aggregate(type))
        return type_is_wide(type) ? 2 : 1;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return parts ? parts * type_leaf_count(LLVMGetElementType(type)) : 0;
    for (uint32_t i = 0; i < parts; i++)
        count += type_leaf_count(part_type(type, i));
    return count;
}

static void add_leaves(struct lower *l, LLVMTypeRef type, uint64_t offset,
                       struct leaves *all)
{
    if (all->count > LARGEST || l->refused)
        return;
    if (type_is_wide(type)) {
        for (unsigned half = 0; half < 2; half++)
            VEC_PUSH_IN(l->arena, all,
                        {offset + 8ull * half, 64, 8, ir_int(&l->p, 8)});
        return;
    }
    if (!is_aggregate(type)) {
        VEC_PUSH_IN(l->arena, all,
                    {offset, type_width(l, type),
                     (unsigned)ir_size(&l->p, type), type});
        return;
    }
    for (uint32_t i = 0; i < part_count(type); i++)
        add_leaves(l, part_type(type, i), offset + part_offset(l, type, i),
                   all);
}

struct leaves type_leaves(struct lower *l, LLVMTypeRef type)
{
    struct leaves all = {0};

    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        add_leaves(l, type, 0, &all);
    if (all.count > LARGEST)
        lower_refuse(l, "a value of more than %d scalars is not supported",
                     LARGEST);
    return all;
}

/* ---- Copies ---- */

/* The innermost type that a GEP leads to. */
static LLVMTypeRef type_of_gep(LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        type = part_type(type, LLVMGetTypeKind(type) == LLVMStructTypeKind
                                   ? (uint32_t)LLVMConstIntGetZExtValue(index)
                                   : 0);
    }
    return type;
}

bool type_is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) &&
            LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Does the type make up `size` bytes, once or several times?  A byte fits
 * anything and says nothing. */
static bool fits(struct lower *l, LLVMTypeRef type, uint64_t size)
{
    uint64_t one =
        LLVMTypeIsSized(type) ? LLVMABISizeOfType(l->p.data, type) : 0;

    return one > 1 && one <= size && size % one == 0;
}

/* A struct passed by value: what the parameter points to. */
static LLVMTypeRef type_by_value(struct lower *l, LLVMValueRef parameter)
{
    LLVMValueRef function = LLVMGetParamParent(parameter);

    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(
            function, i + 1, l->p.attribute[ATTRIBUTE_BYVAL]);

        if (LLVMGetParam(function, i) == parameter)
            return by ? LLVMGetTypeAttributeValue(by) : NULL;
    }
    return NULL;
}

LLVMTypeRef type_of_storage(struct lower *l, LLVMValueRef pointer)
{
    if (LLVMIsAAllocaInst(pointer))
        return LLVMGetAllocatedType(pointer);
    if (LLVMIsAGlobalVariable(pointer))
        return LLVMGlobalGetValueType(pointer);
    if (LLVMIsAArgument(pointer))
        return type_by_value(l, pointer);
    return type_is_gep(pointer) ? type_of_gep(pointer) : NULL;
}

/* ... or else how the pointer is used. */
static LLVMTypeRef pointed_type(struct lower *l, LLVMValueRef pointer,
                                uint64_t size)
{
    LLVMTypeRef type = type_of_storage(l, pointer);

    if (type && fits(l, type, size))
        return type;
    if (LLVMIsConstant(pointer))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsAGetElementPtrInst(user) &&
            LLVMGetOperand(user, 0) == pointer &&
            fits(l, LLVMGetGEPSourceElementType(user), size))
            return LLVMGetGEPSourceElementType(user);
    }
    return NULL;
}

/* docs/models.md, Sizes: aligned accesses of at most 8 bytes, ascending. */
static struct leaves words(struct lower *l, uint64_t size)
{
    struct leaves all = {0};
    uint64_t at = 0;

    while (at < size && all.count <= LARGEST) {
        unsigned n = 8;

        while (at + n > size)
            n /= 2;
        VEC_PUSH_IN(l->arena, &all, {at, n * 8, n, ir_int(&l->p, n)});
        at += n;
    }
    return all;
}

struct leaves type_parts_at(struct lower *l, LLVMValueRef pointer,
                            LLVMValueRef other, uint64_t size)
{
    LLVMTypeRef type = pointed_type(l, pointer, size);
    struct leaves all = {0};

    if (!type && other)
        type = pointed_type(l, other, size);
    if (type) {
        uint64_t one = LLVMABISizeOfType(l->p.data, type);

        for (uint64_t at = 0; at < size && all.count <= LARGEST; at += one)
            add_leaves(l, type, at, &all);
    } else {
        all = words(l, size);
    }
    if (all.count > LARGEST)
        lower_refuse(l, "a copy of %llu bytes is too large",
                     (unsigned long long)size);
    return all;
}
