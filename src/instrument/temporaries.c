/* SPDX-License-Identifier: MIT
 *
 * Locals that clang does not initialise: -ftrivial-auto-var-init sees to
 * variables, not to what a compound literal, an argument or a result is made
 * in.  What their padding holds is copied with them, and would be what other
 * calls have left on the stack: a thread would not do the same when it runs
 * again.  So they get the same pattern, as an initialisation that is no access.
 */
#include "instrument/pass.h"

#define SIZE_MOST 1024 /* as -ftrivial-auto-var-init-max-size */
#define PATTERN 0xaa

static bool is_aggregate(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

/* By clang; some locals are written as a whole by that, others by parts. */
static bool is_initialised(struct pass *p, LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if ((LLVMIsAInstruction(user) && access_is_auto_init(p, user)) ||
            (LLVMIsAGetElementPtrInst(user) && is_initialised(p, user)))
            return true;
    }
    return false;
}

static bool is_temporary(struct pass *p, LLVMValueRef inst)
{
    LLVMTypeRef type;

    if (!LLVMIsAAllocaInst(inst) ||
        !LLVMIsAConstantInt(LLVMGetOperand(inst, 0)))
        return false;
    type = LLVMGetAllocatedType(inst);
    return is_aggregate(type) &&
           LLVMABISizeOfType(p->data, type) <= SIZE_MOST &&
           !is_initialised(p, inst);
}

static void initialise(struct pass *p, LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    LLVMValueRef text = LLVMMDStringInContext(p->context, "auto-init", 9);
    LLVMValueRef set;

    ir_after(p, local);
    set = LLVMBuildMemSet(p->builder, local, LLVMConstInt(p->i8, PATTERN, 0),
                          ir_i64(p, LLVMABISizeOfType(p->data, type)),
                          LLVMGetAlignment(local));
    LLVMSetMetadata(set, p->md_annotation,
                    LLVMMDNodeInContext(p->context, &text, 1));
}

/* They are all in the first block of their function. */
static void initialise_all(struct pass *p, LLVMValueRef function)
{
    LLVMValueRef next;

    for (LLVMValueRef i = ir_first(function); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_temporary(p, i))
            initialise(p, i);
    }
}

void temporaries_initialise(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (!LLVMIsDeclaration(f))
            initialise_all(p, f);
    }
}
