/* SPDX-License-Identifier: MIT
 *
 * Locals that others may know: the runtime is told when one begins to live, and
 * when its function returns.  Who touches it after that is told so.
 *
 * Not of main, whose locals much code uses until the process ends, and not of
 * functions that are called through pointers: a thread's own function ends with
 * the thread, which is watched already.
 */
#include "instrument/pass.h"

/* How many bytes it has, as a value behind it. */
static LLVMValueRef size_of(struct pass *p, LLVMValueRef alloca)
{
    LLVMValueRef count = LLVMGetOperand(alloca, 0);
    LLVMValueRef each =
        ir_i64(p, LLVMABISizeOfType(p->data, LLVMGetAllocatedType(alloca)));

    count = LLVMBuildIntCast2(p->builder, count, p->i64, 0, "");
    return LLVMBuildMul(p->builder, each, count, "");
}

static void begin(struct pass *p, LLVMValueRef before, LLVMValueRef local,
                  LLVMValueRef size)
{
    LLVMValueRef args[] = {local, size};

    ir_before(p, before);
    ir_call_hook(p, HOOK_local_lives, args, 2, "");
}

/* Structs passed by value are the caller's to make. */
static void begin_parameters(struct pass *p, LLVMValueRef f)
{
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(
            f, i + 1, p->attribute[ATTRIBUTE_BYVAL]);

        if (by)
            begin(p, ir_first(f), LLVMGetParam(f, i),
                  ir_i64(p, LLVMABISizeOfType(p->data,
                                              LLVMGetTypeAttributeValue(by))));
    }
}

/* Every call of it makes its fixed locals anew, in its first block. */
static bool is_fixed(LLVMValueRef alloca)
{
    LLVMBasicBlockRef b = LLVMGetInstructionParent(alloca);

    return b == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b)) &&
           LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

static void end_at(struct pass *p, LLVMValueRef f, LLVMValueRef local)
{
    EACH_INSTRUCTION (i, f) {
        if (!LLVMIsAReturnInst(i))
            continue;
        ir_before(p, i);

        LLVMValueRef args[] = {local, size_of(p, local),
                               site_value(p, i, EV_EXIT, 0, "")};

        ir_call_hook(p, HOOK_local_dies, args, 3, "");
    }
}

void locals_instrument(struct pass *p, LLVMValueRef f)
{
    bool ends =
        ir_is_only_called(f) && f != LLVMGetNamedFunction(p->module, "main");

    if (p->open)
        return;
    EACH_INSTRUCTION (i, f) {
        if (!LLVMIsAAllocaInst(i) || privacy_is_private(p, i))
            continue;
        ir_after(p, i);

        LLVMValueRef args[] = {i, size_of(p, i)};

        ir_call_hook(p, HOOK_local_lives, args, 2, "");
        if (ends && is_fixed(i))
            end_at(p, f, i);
    }
    begin_parameters(p, f);
}
