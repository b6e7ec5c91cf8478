/* SPDX-License-Identifier: MIT
 *
 * Loads, stores and copies of shared memory.
 *
 * The fast path of program.h lives in small functions of the module itself,
 * one per type, that LLVM inlines; whoever reads the instrumented code sees
 * `call i32 @fencer.load.i32(ptr %p, i32 7)`.
 */
#include <string.h>

#include "base/check.h"
#include "instrument/pass.h"

/* Types with a fast path.  Index into p->fast_load and p->fast_store. */
enum fast { FAST_I8, FAST_I16, FAST_I32, FAST_I64, FAST_PTR, FAST_NONE };

static const struct {
    const char *name;
    unsigned size;
    enum hook load, store;
} fasts[] = {
    {"i8", 1, HOOK_load1, HOOK_store1},  {"i16", 2, HOOK_load2, HOOK_store2},
    {"i32", 4, HOOK_load4, HOOK_store4}, {"i64", 8, HOOK_load8, HOOK_store8},
    {"ptr", 8, HOOK_load8, HOOK_store8},
};

static LLVMTypeRef fast_type(struct pass *p, enum fast fast)
{
    return fast == FAST_PTR ? p->ptr : ir_int(p, fasts[fast].size);
}

static enum fast fast_of(LLVMTypeRef type, unsigned alignment)
{
    unsigned bits = 0;
    enum fast fast = FAST_NONE;

    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return alignment >= 8 ? FAST_PTR : FAST_NONE;
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(type);
        break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        bits = 16;
        break;
    case LLVMFloatTypeKind:
        bits = 32;
        break;
    case LLVMDoubleTypeKind:
        bits = 64;
        break;
    default:
        break;
    }
    fast = bits == 8    ? FAST_I8
           : bits == 16 ? FAST_I16
           : bits == 32 ? FAST_I32
           : bits == 64 ? FAST_I64
                        : FAST_NONE;
    return alignment * 8 >= bits ? fast : FAST_NONE;
}

static void mark_inline(struct pass *p, LLVMValueRef function)
{
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context,
                                p->attribute[ATTRIBUTE_ALWAYSINLINE], 0));
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context, p->attribute[ATTRIBUTE_NOUNWIND],
                                0));
}

/* The shadow byte of the address. */
static LLVMValueRef shadow(struct pass *p, LLVMBuilderRef b,
                           LLVMValueRef address)
{
    LLVMValueRef bits = LLVMBuildPtrToInt(b, address, p->i64, "");
    LLVMValueRef granule = LLVMBuildLShr(b, bits, ir_i64(p, SHADOW_SHIFT), "");
    LLVMValueRef mask = LLVMBuildLoad2(b, p->i64, p->mask, "");
    LLVMValueRef masked = LLVMBuildAnd(b, granule, mask, "");
    LLVMValueRef at = LLVMBuildAdd(b, masked, ir_i64(p, SHADOW_BASE), "");

    return LLVMBuildLoad2(b, p->i8, LLVMBuildIntToPtr(b, at, p->ptr, ""),
                          "shadow");
}

struct paths {
    LLVMBuilderRef b;
    LLVMBasicBlockRef fast, slow;
};

/* The test at the start, and a block for each answer. */
static struct paths paths_begin(struct pass *p, LLVMValueRef function,
                                LLVMIntPredicate is, uint64_t byte)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMBasicBlockRef test =
        LLVMAppendBasicBlockInContext(p->context, function, "");
    struct paths paths = {
        b, LLVMAppendBasicBlockInContext(p->context, function, "fast"),
        LLVMAppendBasicBlockInContext(p->context, function, "slow")};

    LLVMPositionBuilderAtEnd(b, test);

    LLVMValueRef seen = shadow(p, b, LLVMGetParam(function, 0));
    LLVMValueRef good =
        LLVMBuildICmp(b, is, seen, LLVMConstInt(p->i8, byte, 0), "");
    LLVMValueRef branch = LLVMBuildCondBr(b, good, paths.fast, paths.slow);

    LLVMSetMetadata(branch, p->md_prof, p->unlikely);
    return paths;
}

static LLVMValueRef fast_load(struct pass *p, enum fast fast)
{
    if (p->fast_load[fast])
        return p->fast_load[fast];

    LLVMTypeRef type = fast_type(p, fast);
    LLVMTypeRef parameters[] = {p->ptr, p->i32};
    LLVMValueRef f = LLVMAddFunction(
        p->module, arena_printf(&p->arena, "fencer.load.%s", fasts[fast].name),
        LLVMFunctionType(type, parameters, 2, 0));
    struct paths paths = paths_begin(p, f, LLVMIntULT, SHADOW_BAD);
    LLVMBuilderRef b = paths.b;
    LLVMValueRef args[] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1)};

    mark_inline(p, f);
    LLVMPositionBuilderAtEnd(b, paths.fast);

    LLVMValueRef value = LLVMBuildLoad2(b, type, args[0], "");

    LLVMSetAlignment(value, fasts[fast].size);
    LLVMBuildRet(b, value);
    LLVMPositionBuilderAtEnd(b, paths.slow);
    value = LLVMBuildCall2(b, p->hook_type[fasts[fast].load],
                           ir_hook(p, fasts[fast].load), args, 2, "");
    if (fast == FAST_PTR)
        value = LLVMBuildIntToPtr(b, value, p->ptr, "");
    LLVMBuildRet(b, value);
    LLVMDisposeBuilder(b);
    return p->fast_load[fast] = f;
}

static LLVMValueRef fast_store(struct pass *p, enum fast fast)
{
    if (p->fast_store[fast])
        return p->fast_store[fast];

    LLVMTypeRef parameters[] = {p->ptr, fast_type(p, fast), p->i32};
    LLVMValueRef f = LLVMAddFunction(
        p->module, arena_printf(&p->arena, "fencer.store.%s", fasts[fast].name),
        LLVMFunctionType(p->none, parameters, 3, 0));
    struct paths paths = paths_begin(p, f, LLVMIntEQ, SHADOW_DIRTY);
    LLVMBuilderRef b = paths.b;
    LLVMValueRef args[] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1),
                           LLVMGetParam(f, 2)};

    mark_inline(p, f);
    LLVMPositionBuilderAtEnd(b, paths.fast);

    LLVMValueRef store = LLVMBuildStore(b, args[1], args[0]);

    LLVMSetAlignment(store, fasts[fast].size);
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, paths.slow);
    if (fast == FAST_PTR)
        args[1] = LLVMBuildPtrToInt(b, args[1], p->i64, "");
    LLVMBuildCall2(b, p->hook_type[fasts[fast].store],
                   ir_hook(p, fasts[fast].store), args, 3, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return p->fast_store[fast] = f;
}

bool access_is_auto_init(struct pass *p, LLVMValueRef inst)
{
    LLVMValueRef node = LLVMGetMetadata(inst, p->md_annotation);
    LLVMValueRef text = NULL;
    unsigned length;

    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return false;
    LLVMGetMDNodeOperands(node, &text);

    const char *bytes = text ? LLVMGetMDString(text, &length) : NULL;

    return bytes && length == 9 && memcmp(bytes, "auto-init", 9) == 0;
}

/* Memory that nobody writes while the program runs. */
static bool is_constant(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) ||
           (LLVMIsAConstantExpr(address) &&
            LLVMGetConstOpcode(address) == LLVMGetElementPtr))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAGlobalVariable(address) && LLVMIsGlobalConstant(address);
}

/* Other address spaces are segments (%fs, %gs): not memory of ours. */
static bool is_ordinary(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0;
}

void access_load(struct pass *p, const struct item *item)
{
    LLVMValueRef inst = item->inst, address = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint64_t size = ir_size(p, type);
    enum fast fast = fast_of(type, LLVMGetAlignment(inst));

    if (item->from_private || is_constant(address) || !is_ordinary(address) ||
        size == 0)
        return;
    ir_before(p, inst);

    LLVMValueRef site = site_value(p, inst, EV_LOAD, size, NULL);
    LLVMValueRef value;

    if (fast != FAST_NONE) {
        LLVMValueRef f = fast_load(p, fast);
        LLVMValueRef args[] = {address, site};

        value = LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, args,
                               2, "");
        if (fast != FAST_PTR)
            value = ir_from_int(p, value, type);
    } else {
        LLVMValueRef slot = ir_local(p, ir_function_of(inst), type, "copy");
        LLVMValueRef args[] = {address, slot, ir_i64(p, size), site};

        ir_call_hook(p, HOOK_loadn, args, 4, "");
        value = LLVMBuildLoad2(p->builder, type, slot, "");
    }
    ir_replace(inst, value);
}

void access_store(struct pass *p, const struct item *item)
{
    LLVMValueRef inst = item->inst, value = LLVMGetOperand(inst, 0);
    LLVMValueRef address = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t size = ir_size(p, type);
    enum fast fast = fast_of(type, LLVMGetAlignment(inst));

    if (item->to_private || access_is_auto_init(p, inst) ||
        !is_ordinary(address) || size == 0)
        return;
    ir_before(p, inst);

    LLVMValueRef site = site_value(p, inst, EV_STORE, size, NULL);

    if (fast != FAST_NONE) {
        LLVMValueRef f = fast_store(p, fast);

        if (fast != FAST_PTR)
            value = ir_to_int(p, value, fast_type(p, fast));

        LLVMValueRef args[] = {address, value, site};

        LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, args, 3, "");
    } else {
        LLVMValueRef slot = ir_local(p, ir_function_of(inst), type, "copy");
        LLVMValueRef args[] = {address, slot, ir_i64(p, size), site};

        LLVMBuildStore(p->builder, value, slot);
        ir_call_hook(p, HOOK_storen, args, 4, "");
    }
    ir_replace(inst, NULL);
}

static LLVMValueRef as_i64(struct pass *p, LLVMValueRef bytes)
{
    return LLVMBuildZExtOrBitCast(p->builder, bytes, p->i64, "");
}

static uint64_t known_size(LLVMValueRef bytes)
{
    return LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 0;
}

/* A copy between private memory and shared is one long load or store: a hook
 * that stored to private memory might buffer what must be there at once. */
void access_copy(struct pass *p, const struct item *item, LLVMValueRef to,
                 LLVMValueRef from, LLVMValueRef bytes)
{
    bool to_private = item->to_private;
    bool from_private = item->from_private || is_constant(from);

    if (to_private && from_private)
        return;
    ir_before(p, item->inst);

    LLVMValueRef site = site_value(
        p, item->inst, to_private ? EV_LOAD : EV_STORE, known_size(bytes),
        names_get(p, item->inst, to_private ? 1 : 0));

    bytes = as_i64(p, bytes);
    if (to_private) {
        LLVMValueRef args[] = {from, to, bytes, site};

        ir_call_hook(p, HOOK_loadn, args, 4, "");
    } else {
        LLVMValueRef args[] = {to, from, bytes, site};

        ir_call_hook(p, from_private ? HOOK_storen : HOOK_copy, args, 4, "");
    }
    ir_replace(item->inst, LLVMGetFirstUse(item->inst) ? to : NULL);
}

void access_fill(struct pass *p, const struct item *item, LLVMValueRef to,
                 LLVMValueRef byte, LLVMValueRef bytes)
{
    if (item->to_private)
        return;
    ir_before(p, item->inst);

    LLVMValueRef site =
        site_value(p, item->inst, EV_STORE, known_size(bytes), NULL);

    if (LLVMGetIntTypeWidth(LLVMTypeOf(byte)) < 32)
        byte = LLVMBuildZExt(p->builder, byte, p->i32, "");

    LLVMValueRef args[] = {to, byte, as_i64(p, bytes), site};

    ir_call_hook(p, HOOK_fill, args, 4, "");
    ir_replace(item->inst, LLVMGetFirstUse(item->inst) ? to : NULL);
}
