/* SPDX-License-Identifier: MIT
 *
 * Wrappers: functions that do one atomic operation for their callers, as
 * ck_pr_load_ptr or a static inline load_acquire.  An access in one says
 * nothing about who made it, so wrappers are inlined before anything is named:
 * each call has a site of its own, with the line and the names of the caller.
 *
 * A wrapper has no loop, and but one operation: on memory that it is told, with
 * values that it is told.  There may be fences around it.  One in a header may
 * compute its values, and may tell its caller more: `*v = compare` after a
 * compare-and-swap.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/pass.h"

#define MOST_INSTRUCTIONS 80
#define DEEPEST 8

struct functions {
    VEC(LLVMValueRef);
};

static bool contains(const struct functions *all, LLVMValueRef f)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == f)
            return true;
    }
    return false;
}

/* ---- Values ---- */

/* What is stored to that local, if it is stored to once, and not else used than
 * by loads; or NULL. */
static LLVMValueRef only_stored(LLVMValueRef slot)
{
    LLVMValueRef value = NULL;

    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot) {
            if (value)
                return NULL;
            value = LLVMGetOperand(user, 0);
        }
    }
    return value;
}

LLVMValueRef wrappers_source(LLVMValueRef v)
{
    for (int i = 0; i < DEEPEST; i++) {
        LLVMValueRef next = NULL;

        if (LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)))
            next = only_stored(LLVMGetOperand(v, 0));
        else if (LLVMIsACastInst(v))
            next = LLVMGetOperand(v, 0);
        if (!next)
            return v;
        v = next;
    }
    return v;
}

static bool is_told(LLVMValueRef v)
{
    return LLVMIsAArgument(wrappers_source(v));
}

/* ---- What a function does ---- */

/* Is it an access to a local of the function? */
static bool is_local(LLVMValueRef inst)
{
    unsigned at = LLVMIsAStoreInst(inst) ? 1 : 0;

    return (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst)) &&
           LLVMIsAAllocaInst(LLVMGetOperand(inst, at));
}

static bool is_assembly(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

/* Assembly that is a fence, or holds the compiler back alone. */
static bool is_fence_text(LLVMValueRef inst)
{
    static const char *const fences[] = {"", "mfence", "sfence", "lfence"};
    size_t length;
    const char *text =
        LLVMGetInlineAsmAsmString(LLVMGetCalledValue(inst), &length);
    size_t from = strspn(text, " \t\n;"), to = length;

    while (to > from && strchr(" \t\n;", text[to - 1]))
        to--;
    for (size_t i = 0; i < sizeof(fences) / sizeof(fences[0]); i++) {
        if (from >= length || (strlen(fences[i]) == to - from &&
                               !memcmp(text + from, fences[i], to - from)))
            return true;
    }
    return false;
}

static bool is_ignored(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    return is_local(inst) ||
           (callee && (ir_is_intrinsic(callee, "llvm.dbg") ||
                       ir_is_intrinsic(callee, "llvm.assume")));
}

/* An operation that others may see; or a call. */
static bool is_operation(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return !is_ignored(inst);
    default:
        return false;
    }
}

static bool is_atomic(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic ||
           LLVMGetVolatile(inst);
}

/* Is what it operates on, and with, what the caller said? */
static bool passes_on(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        return is_atomic(inst) && is_told(LLVMGetOperand(inst, 0));
    case LLVMStore:
        return is_atomic(inst) && is_told(LLVMGetOperand(inst, 0)) &&
               is_told(LLVMGetOperand(inst, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return is_told(LLVMGetOperand(inst, 0)) &&
               is_told(LLVMGetOperand(inst, 1));
    default:
        return false;
    }
}

static bool is_atomic_access(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMStore:
        return is_atomic(inst);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    default:
        return is_assembly(inst) || assembly_is_fence(inst);
    }
}

/* A plain access by a pointer that it is given. */
static bool is_parameter(LLVMValueRef inst)
{
    unsigned at = LLVMIsAStoreInst(inst) ? 1 : 0;

    return (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst)) &&
           !is_atomic(inst) && is_told(LLVMGetOperand(inst, at));
}

static bool is_in_header(LLVMValueRef f)
{
    LLVMMetadataRef program = LLVMGetSubprogram(f);
    LLVMMetadataRef file = program ? LLVMDIScopeGetFile(program) : NULL;
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";

    return length > 2 && memcmp(name + length - 2, ".h", 2) == 0;
}

static LLVMValueRef only_operation(LLVMValueRef f,
                                   const struct functions *known);

static bool is_fence(LLVMValueRef inst, const struct functions *known)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    if (callee && contains(known, callee)) {
        LLVMValueRef does = only_operation(callee, known);

        return does && is_fence(does, known);
    }
    return LLVMIsAFenceInst(inst) || assembly_is_fence(inst) ||
           (is_assembly(inst) && is_fence_text(inst));
}

/* The one operation that it does, or NULL.  A fence if there is nothing else.
 */
static LLVMValueRef only_operation(LLVMValueRef f,
                                   const struct functions *known)
{
    bool tells_more = is_in_header(f);
    LLVMValueRef found = NULL, fence = NULL;
    int left = MOST_INSTRUCTIONS;

    EACH_INSTRUCTION (i, f) {
        if (--left == 0)
            return NULL;
        if (!is_operation(i) || (tells_more && is_parameter(i)))
            continue;
        if (is_fence(i, known)) {
            fence = i;
            continue;
        }
        if (found)
            return NULL;
        found = i;
    }
    return found ? found : fence;
}

/* Does control only go on to blocks that come later? */
static bool has_no_loop(LLVMValueRef f)
{
    struct functions before = {0}; /* of blocks, as values */
    bool forward = true;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && forward;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        unsigned count = LLVMGetNumSuccessors(end);

        VEC_PUSH(&before, LLVMBasicBlockAsValue(b));
        for (unsigned i = 0; i < count; i++)
            forward =
                forward && !contains(&before, LLVMBasicBlockAsValue(
                                                  LLVMGetSuccessor(end, i)));
    }
    VEC_FREE(&before);
    return forward;
}

/* Will no other definition take its place? */
static bool stays_itself(LLVMValueRef f)
{
    LLVMLinkage linkage = LLVMGetLinkage(f);

    return linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage;
}

static bool is_wrapper(struct pass *p, LLVMValueRef f,
                       const struct functions *known)
{
    LLVMValueRef does;

    if (LLVMIsDeclaration(f) || !stays_itself(f) ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) ||
        LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                    p->attribute[ATTRIBUTE_NAKED]))
        return false;
    does = only_operation(f, known);
    if (!does || !has_no_loop(f))
        return false;
    if (LLVMIsACallInst(does) && contains(known, ir_callee(does)))
        return is_in_header(f) || is_told(LLVMGetArgOperand(does, 0));
    return passes_on(does) || (is_in_header(f) && is_atomic_access(does));
}

/* ---- Inlining ---- */

/* Wrappers of wrappers, too. */
static void find_all(struct pass *p, struct functions *wrappers)
{
    size_t before;

    do {
        before = wrappers->count;
        EACH_FUNCTION (f, p->module) {
            if (!contains(wrappers, f) && is_wrapper(p, f, wrappers))
                VEC_PUSH(wrappers, f);
        }
    } while (wrappers->count > before);
}

static void remove_attribute(struct pass *p, LLVMValueRef f,
                             enum attribute which)
{
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                   p->attribute[which]);
}

static void add_always(struct pass *p, LLVMValueRef f)
{
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context,
                                p->attribute[ATTRIBUTE_ALWAYSINLINE], 0));
}

/* What the program itself wants inlined stays as it is for now. */
static void put_off(struct pass *p, const struct functions *wrappers,
                    struct functions *later)
{
    EACH_FUNCTION (f, p->module) {
        if (contains(wrappers, f) ||
            !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                         p->attribute[ATTRIBUTE_ALWAYSINLINE]))
            continue;
        remove_attribute(p, f, ATTRIBUTE_ALWAYSINLINE);
        VEC_PUSH(later, f);
    }
}

bool wrappers_inline(struct pass *p, struct err *e)
{
    struct functions wrappers = {0}, later = {0};
    bool ok = true;

    find_all(p, &wrappers);
    if (wrappers.count) {
        put_off(p, &wrappers, &later);
        for (size_t i = 0; i < wrappers.count; i++) {
            remove_attribute(p, wrappers.list[i], ATTRIBUTE_NOINLINE);
            add_always(p, wrappers.list[i]);
        }
        ok = pass_run_llvm(p->module, "always-inline", e);
        for (size_t i = 0; i < later.count; i++)
            add_always(p, later.list[i]);
    }
    VEC_FREE(&wrappers);
    VEC_FREE(&later);
    return ok;
}
