/* SPDX-License-Identifier: MIT
 *
 * The fast paths' bodies.
 */
#include "instrument/fast.h"

#include "base/check.h"
#include "instrument/labels.h"

#define ENTRY "fencer.entry"
#define ENTER "fencer.enter"
#define LEFT "fencer.left"
#define READS "fencer.reads"
#define WRITES "fencer.writes"

static const struct {
    const char *load_name, *store_name;
    unsigned size;
    enum hook load, store;
} fasts[] = {
    {"fencer.load.i8", "fencer.store.i8", 1, HOOK_load1, HOOK_store1},
    {"fencer.load.i16", "fencer.store.i16", 2, HOOK_load2, HOOK_store2},
    {"fencer.load.i32", "fencer.store.i32", 4, HOOK_load4, HOOK_store4},
    {"fencer.load.i64", "fencer.store.i64", 8, HOOK_load8, HOOK_store8},
    {"fencer.load.ptr", "fencer.store.ptr", 8, HOOK_load8, HOOK_store8},
};

LLVMTypeRef fast_type(struct pass *p, enum fast fast)
{
    return fast == FAST_PTR ? p->ptr : ir_int(p, fasts[fast].size);
}

static LLVMValueRef declare(struct pass *p, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);

    if (f)
        return f;
    f = LLVMAddFunction(p->module, name, type);
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context, p->attribute[ATTRIBUTE_NOUNWIND],
                                0));
    return f;
}

LLVMValueRef fast_function(struct pass *p, enum fast_verb verb, enum fast fast)
{
    LLVMTypeRef load[] = {p->ptr, p->i32};
    LLVMTypeRef store[] = {p->ptr, fast_type(p, fast), p->i32};

    CHECK(fast < FAST_NONE);
    if (verb == FAST_LOAD)
        return declare(p, fasts[fast].load_name,
                       LLVMFunctionType(fast_type(p, fast), load, 2, 0));
    return declare(p, fasts[fast].store_name,
                   LLVMFunctionType(p->none, store, 3, 0));
}

LLVMValueRef fast_entry(struct pass *p)
{
    return declare(p, ENTRY, LLVMFunctionType(p->none, &p->i32, 1, 0));
}

LLVMValueRef fast_enter(struct pass *p)
{
    return declare(p, ENTER, LLVMFunctionType(p->i32, &p->i32, 1, 0));
}

LLVMValueRef fast_left(struct pass *p)
{
    return declare(p, LEFT, LLVMFunctionType(p->none, &p->i32, 1, 0));
}

LLVMValueRef fast_watch(struct pass *p, enum fast_verb verb)
{
    LLVMTypeRef parameters[] = {p->ptr, p->i64};

    return declare(p, verb == FAST_LOAD ? READS : WRITES,
                   LLVMFunctionType(p->none, parameters, 2, 0));
}

LLVMValueRef fast_count_down(struct pass *p, LLVMBuilderRef b)
{
    LLVMValueRef old = LLVMBuildLoad2(b, p->i64, p->countdown, "");
    LLVMValueRef now = LLVMBuildSub(b, old, ir_i64(p, 1), "");

    LLVMBuildStore(b, now, p->countdown);
    return LLVMBuildICmp(b, LLVMIntSGE, now, ir_i64(p, 0), "");
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

static void write_load(struct pass *p, LLVMValueRef f, enum fast fast)
{
    LLVMTypeRef type = fast_type(p, fast);
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
}

static void write_store(struct pass *p, LLVMValueRef f, enum fast fast)
{
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
}

static void write_entry(struct pass *p, LLVMValueRef f)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMBasicBlockRef test = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMBasicBlockRef tick = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMValueRef args[] = {ir_i32(p, 0), ir_i32(p, CHANGED_REGISTERS),
                           ir_i32(p, 0), LLVMGetParam(f, 0)};

    mark_inline(p, f);
    LLVMPositionBuilderAtEnd(b, test);
    LLVMSetMetadata(LLVMBuildCondBr(b, fast_count_down(p, b), out, tick),
                    p->md_prof, p->unlikely);
    LLVMPositionBuilderAtEnd(b, tick);
    LLVMBuildCall2(b, p->hook_type[HOOK_tick], ir_hook(p, HOOK_tick), args, 4,
                   "");
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
}

/* Where accesses are not seen: nothing, or the clock.  Else the hook, which
 * gets what `f` got. */
static void write_watch(struct pass *p, LLVMValueRef f, enum hook hook)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMBasicBlockRef test = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(p->context, f, "");
    LLVMBasicBlockRef seen = LLVMAppendBasicBlockInContext(p->context, f, "");
    bool returns = hook == HOOK_enter;
    unsigned count = LLVMCountParams(f);
    LLVMValueRef args[2], result;

    mark_inline(p, f);
    LLVMGetParams(f, args);
    LLVMPositionBuilderAtEnd(b, test);
    result = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildLoad2(b, p->i64, p->mask, ""),
                           ir_i64(p, 0), "");
    LLVMSetMetadata(LLVMBuildCondBr(b, result, out, seen), p->md_prof,
                    p->unlikely);
    LLVMPositionBuilderAtEnd(b, seen);
    result = LLVMBuildCall2(b, p->hook_type[hook], ir_hook(p, hook), args,
                            count, "");
    if (returns)
        LLVMBuildRet(b, result);
    else
        LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, out);
    if (returns)
        LLVMBuildRet(b, LLVMBuildLoad2(b, p->i32, p->clock, ""));
    else
        LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
}

static LLVMValueRef without_body(LLVMModuleRef module, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, name);

    return f && LLVMIsDeclaration(f) ? f : NULL;
}

/* Functions with very many accesses: the register allocator takes more than
 * linear time, and they are dispatchers, not inner loops.  They call. */
#define MOST_INLINED 200

static bool is_fast_call(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;
    size_t length;

    return callee &&
           ir_has_prefix(LLVMGetValueName2(callee, &length), "fencer.");
}

static size_t each_fast_call(LLVMValueRef f,
                             void (*act)(struct pass *p, LLVMValueRef call),
                             struct pass *p)
{
    size_t count = 0;

    EACH_INSTRUCTION (i, f) {
        if (!is_fast_call(i))
            continue;
        count++;
        if (act)
            act(p, i);
    }
    return count;
}

static void keep_as_call(struct pass *p, LLVMValueRef call)
{
    LLVMAddCallSiteAttribute(
        call, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context, p->attribute[ATTRIBUTE_NOINLINE],
                                0));
}

static void spare_large_functions(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (each_fast_call(f, NULL, p) > MOST_INLINED)
            each_fast_call(f, keep_as_call, p);
    }
}

void fast_write_bodies(LLVMModuleRef module)
{
    struct pass p = {.context = LLVMGetModuleContext(module), .module = module};
    LLVMValueRef f;

    ir_init(&p);
    spare_large_functions(&p);
    for (enum fast i = 0; i < FAST_NONE; i++) {
        if ((f = without_body(module, fasts[i].load_name)))
            write_load(&p, f, i);
        if ((f = without_body(module, fasts[i].store_name)))
            write_store(&p, f, i);
    }
    if ((f = without_body(module, ENTRY)))
        write_entry(&p, f);
    if ((f = without_body(module, ENTER)))
        write_watch(&p, f, HOOK_enter);
    if ((f = without_body(module, LEFT)))
        write_watch(&p, f, HOOK_left);
    if ((f = without_body(module, READS)))
        write_watch(&p, f, HOOK_reads);
    if ((f = without_body(module, WRITES)))
        write_watch(&p, f, HOOK_writes);
    labels_write_bodies(&p);
    arena_free(&p.arena);
}
