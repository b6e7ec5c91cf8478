/* SPDX-License-Identifier: MIT
 *
 * What is missing in, or tedious with, the LLVM-C interface.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/pass.h"

static const struct {
    const char *name, *result, *parameters;
} hooks[] = {
#define HOOK(name, result, parameters) {#name, #result, parameters},
    FENCER_HOOKS(HOOK)
#undef HOOK
};

static const char *const attributes[] = {
    "byval",     "sret",         "elementtype", "noinline",  "alwaysinline",
    "nounwind",  "memory",       "willreturn",  "nosync",    "nofree",
    "norecurse", "speculatable", "allockind",   "allocsize", "naked",
};

LLVMTypeRef ir_type(struct pass *p, char letter)
{
    switch (letter) {
    case 'b':
        return p->i8;
    case 's':
        return p->i16;
    case 'i':
        return p->i32;
    case 'l':
        return p->i64;
    case 'p':
        return p->ptr;
    default:
        return p->none;
    }
}

static LLVMTypeRef hook_type(struct pass *p, enum hook hook)
{
    LLVMTypeRef parameters[8];
    const char *letters = hooks[hook].parameters;
    size_t count = strlen(letters);

    CHECK(count <= 8);
    for (size_t i = 0; i < count; i++)
        parameters[i] = ir_type(p, letters[i]);
    return LLVMFunctionType(ir_type(p, hooks[hook].result[0]), parameters,
                            (unsigned)count, 0);
}

/* Hidden: it is in the same program, so no GOT. */
LLVMValueRef ir_variable(struct pass *p, const char *name, LLVMTypeRef type)
{
    LLVMValueRef v = LLVMGetNamedGlobal(p->module, name);

    if (v)
        return v;
    v = LLVMAddGlobal(p->module, type, name);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
    return v;
}

static unsigned md_kind(struct pass *p, const char *name)
{
    return LLVMGetMDKindIDInContext(p->context, name, (unsigned)strlen(name));
}

static LLVMValueRef branch_weights(struct pass *p)
{
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(p->context, "branch_weights", 14),
        LLVMValueAsMetadata(ir_i32(p, 2000)),
        LLVMValueAsMetadata(ir_i32(p, 1)),
    };

    return LLVMMetadataAsValue(p->context,
                               LLVMMDNodeInContext2(p->context, parts, 3));
}

static LLVMValueRef first_from(LLVMBasicBlockRef b)
{
    LLVMValueRef inst = NULL;

    for (; b && !inst; b = LLVMGetNextBasicBlock(b))
        inst = LLVMGetFirstInstruction(b);
    return inst;
}

LLVMValueRef ir_first(LLVMValueRef function)
{
    return first_from(LLVMGetFirstBasicBlock(function));
}

LLVMValueRef ir_next(LLVMValueRef inst)
{
    LLVMValueRef next = LLVMGetNextInstruction(inst);
    LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);

    return next ? next : first_from(LLVMGetNextBasicBlock(b));
}

void ir_init(struct pass *p)
{
    p->i1 = LLVMInt1TypeInContext(p->context);
    p->i8 = LLVMInt8TypeInContext(p->context);
    p->i16 = LLVMInt16TypeInContext(p->context);
    p->i32 = LLVMInt32TypeInContext(p->context);
    p->i64 = LLVMInt64TypeInContext(p->context);
    p->ptr = LLVMPointerTypeInContext(p->context, 0);
    p->none = LLVMVoidTypeInContext(p->context);
    for (int i = 0; i < HOOK_COUNT; i++)
        p->hook_type[i] = hook_type(p, i);
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        p->attribute[i] = LLVMGetEnumAttributeKindForName(
            attributes[i], strlen(attributes[i]));
    p->mask = ir_variable(p, "__fencer_mask", p->i64);
    p->countdown = ir_variable(p, "__fencer_countdown", p->i64);
    p->clock = ir_variable(p, "__fencer_count", p->i32);
    p->tls = ir_variable(p, "__fencer_tls", p->ptr);
    p->site = ir_variable(p, "__fencer_site", p->i32);
    p->md_name = md_kind(p, "fencer.name");
    p->md_annotation = md_kind(p, "annotation");
    p->md_prof = md_kind(p, "prof");
    p->md_dbg = md_kind(p, "dbg");
    p->unlikely = branch_weights(p);
}

LLVMValueRef ir_hook(struct pass *p, enum hook hook)
{
    CHECK(hook < HOOK_COUNT);
    if (!p->hook[hook]) {
        const char *name =
            arena_printf(&p->arena, "__fencer_%s", hooks[hook].name);

        p->hook[hook] = LLVMGetNamedFunction(p->module, name);
        if (p->hook[hook])
            return p->hook[hook];
        p->hook[hook] = LLVMAddFunction(p->module, name, p->hook_type[hook]);
        LLVMSetVisibility(p->hook[hook], LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(
            p->hook[hook], LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(p->context,
                                    p->attribute[ATTRIBUTE_NOUNWIND], 0));
    }
    return p->hook[hook];
}

LLVMValueRef ir_call_hook(struct pass *p, enum hook hook, LLVMValueRef *args,
                          unsigned count, const char *name)
{
    CHECK(LLVMCountParamTypes(p->hook_type[hook]) == count);
    return LLVMBuildCall2(p->builder, p->hook_type[hook], ir_hook(p, hook),
                          args, count, name);
}

enum hook ir_sized_hook(enum hook first, uint64_t size)
{
    CHECK(size == 1 || size == 2 || size == 4 || size == 8);
    return first + (enum hook)__builtin_ctzll(size);
}

LLVMValueRef ir_i32(struct pass *p, uint64_t value)
{
    return LLVMConstInt(p->i32, value, 0);
}

LLVMValueRef ir_i64(struct pass *p, uint64_t value)
{
    return LLVMConstInt(p->i64, value, 0);
}

LLVMTypeRef ir_int(struct pass *p, uint64_t bytes)
{
    CHECK(bytes > 0 && bytes <= 16);
    return LLVMIntTypeInContext(p->context, (unsigned)bytes * 8);
}

uint64_t ir_size(struct pass *p, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(p->data, type);
}

LLVMValueRef ir_text(struct pass *p, const char *text)
{
    uint64_t *place = map_put_text(&p->strings, text);

    if (!*place) {
        LLVMValueRef bytes =
            LLVMConstStringInContext2(p->context, text, strlen(text), 0);
        LLVMValueRef global =
            LLVMAddGlobal(p->module, LLVMTypeOf(bytes), ".fencer.text");

        LLVMSetInitializer(global, bytes);
        LLVMSetGlobalConstant(global, 1);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
        *place = (uintptr_t)global;
    }
    return (LLVMValueRef)(uintptr_t)*place;
}

static void take_place(struct pass *p, LLVMValueRef inst)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);

    if (!location) {
        /* The verifier wants a place for calls in functions that have a
         * subprogram: its own line will do. */
        LLVMMetadataRef program = LLVMGetSubprogram(ir_function_of(inst));

        if (program)
            location = LLVMDIBuilderCreateDebugLocation(
                p->context, LLVMDISubprogramGetLine(program), 0, program, NULL);
    }
    LLVMSetCurrentDebugLocation2(p->builder, location);
}

void ir_before(struct pass *p, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(p->builder, inst);
    take_place(p, inst);
}

void ir_after(struct pass *p, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(inst));
    take_place(p, inst);
}

LLVMValueRef ir_local(struct pass *p, LLVMValueRef function, LLVMTypeRef type,
                      const char *name)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMSetCurrentDebugLocation2(b, NULL);

    LLVMValueRef slot = LLVMBuildAlloca(b, type, name);

    LLVMDisposeBuilder(b);
    return slot;
}

LLVMValueRef ir_wide_slot(struct pass *p, LLVMValueRef inst, LLVMTypeRef type,
                          LLVMValueRef value)
{
    LLVMValueRef slot = ir_local(p, ir_function_of(inst), type, "wide");

    LLVMSetAlignment(slot, 16);
    if (value)
        LLVMBuildStore(p->builder, value, slot);
    return slot;
}

void ir_replace(LLVMValueRef inst, LLVMValueRef with)
{
    if (with)
        LLVMReplaceAllUsesWith(inst, with);
    LLVMInstructionEraseFromParent(inst);
}

LLVMValueRef ir_to_int(struct pass *p, LLVMValueRef value, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMIntegerTypeKind:
        return value;
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(p->builder, value, type, "");
    default:
        return LLVMBuildBitCast(p->builder, value, type, "");
    }
}

LLVMValueRef ir_from_int(struct pass *p, LLVMValueRef value, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return value;
    case LLVMPointerTypeKind:
        return LLVMBuildIntToPtr(p->builder, value, type, "");
    default:
        return LLVMBuildBitCast(p->builder, value, type, "");
    }
}

LLVMValueRef ir_function_of(LLVMValueRef inst)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

const char *ir_name(struct pass *p, LLVMValueRef global)
{
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);

    if (length && name[0] == '\1')
        name++, length--;
    return arena_copy_n(&p->arena, name, length);
}

bool ir_has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

LLVMValueRef ir_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    return LLVMIsAFunction(callee);
}

bool ir_is_only_called(LLVMValueRef f)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
            if (LLVMGetArgOperand(user, i) == f)
                return false;
        }
    }
    return true;
}

bool ir_is_intrinsic(LLVMValueRef function, const char *prefix)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);

    return LLVMGetIntrinsicID(function) != 0 && ir_has_prefix(name, prefix);
}

/* A phi like this one that names `by` where this one names `from`.  LLVM-C
 * cannot change a phi's block, so a new one takes its place. */
static void rename_incoming(struct pass *p, LLVMValueRef phi,
                            LLVMBasicBlockRef from, LLVMBasicBlockRef by)
{
    LLVMPositionBuilderBefore(p->builder, phi);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(phi));

    LLVMValueRef fresh = LLVMBuildPhi(p->builder, LLVMTypeOf(phi), "");
    unsigned count = LLVMCountIncoming(phi);
    bool seen = false;

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);

        if (value == phi)
            value = fresh;
        if (block == from) {
            /* Several edges of a switch become one. */
            if (seen)
                continue;
            seen = true;
            block = by;
        }
        LLVMAddIncoming(fresh, &value, &block, 1);
    }
    ir_replace(phi, fresh);
}

LLVMBasicBlockRef ir_split_edge(struct pass *p, LLVMBasicBlockRef from,
                                LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef middle =
        LLVMInsertBasicBlockInContext(p->context, to, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    unsigned count = LLVMGetNumSuccessors(end);

    bool found = false;

    LLVMMoveBasicBlockAfter(middle, from);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetSuccessor(end, i) == to) {
            LLVMSetSuccessor(end, i, middle);
            found = true;
        }
    }
    CHECK(found);

    LLVMValueRef phi = LLVMGetFirstInstruction(to);

    while (phi && LLVMIsAPHINode(phi)) {
        LLVMValueRef next = LLVMGetNextInstruction(phi);

        rename_incoming(p, phi, from, middle);
        phi = next;
    }
    LLVMPositionBuilderAtEnd(p->builder, middle);
    take_place(p, end);
    LLVMBuildBr(p->builder, to);
    return middle;
}
