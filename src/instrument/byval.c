/* SPDX-License-Identifier: MIT
 *
 * Structs that are passed by value.  The call itself fills the parameter, and
 * no hook sees that.  So a function that lets others know where its parameter
 * is begins with a copy of it, an ordinary local, which is written as any
 * other; the parameter stays its own.
 */
#include <llvm-c/DebugInfo.h>

#include "instrument/pass.h"

/* Is the address used for more than accesses?  Whoever gets it may share it. */
static bool escapes(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsALoadInst(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) ||
            (LLVMIsACallInst(user) && LLVMIsAMemIntrinsic(user)) ||
            (LLVMIsAGetElementPtrInst(user) && !escapes(user)))
            continue;
        return true;
    }
    return false;
}

/* The place of the copy: that of the function's first line. */
static void place_at_start(struct pass *p, LLVMValueRef f)
{
    LLVMMetadataRef place = NULL;

    ir_before(p, ir_first(f));
    EACH_INSTRUCTION (i, f) {
        place = LLVMInstructionGetDebugLoc(i);
        if (place)
            break;
    }
    LLVMSetCurrentDebugLocation2(p->builder, place);
}

static void copy(struct pass *p, LLVMValueRef f, LLVMValueRef parameter,
                 LLVMTypeRef type)
{
    unsigned align = LLVMABIAlignmentOfType(p->data, type);
    LLVMValueRef size = ir_i64(p, LLVMABISizeOfType(p->data, type)), to;

    place_at_start(p, f);
    to = LLVMBuildAlloca(p->builder, type, "");
    LLVMSetAlignment(to, 16);
    LLVMReplaceAllUsesWith(parameter, to);
    LLVMBuildMemCpy(p->builder, to, 16, parameter, align, size);
}

void byval_copy(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (LLVMIsDeclaration(f))
            continue;
        for (unsigned i = 0; i < LLVMCountParams(f); i++) {
            LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(
                f, i + 1, p->attribute[ATTRIBUTE_BYVAL]);

            if (by && escapes(LLVMGetParam(f, i)))
                copy(p, f, LLVMGetParam(f, i), LLVMGetTypeAttributeValue(by));
        }
    }
}
