/* SPDX-License-Identifier: MIT
 *
 * The spin lock of Linux before its ticket locks, which others took over:
 *
 *     1: lock; decb %0 ; jns 3f ; 2: rep; nop ; cmpb $0, %0 ; jle 2b ; jmp 1b
 *     3:
 *
 * Assembly with jumps cannot be taken apart where it stands.  So before
 * anything is instrumented it becomes a call of a function that does the same
 * with atomics of LLVM's; what follows takes that for what the program wrote.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/check.h"
#include "instrument/pass.h"

/* Without blanks and semicolons. */
static void put_plain(char *to, size_t size, const char *text, size_t length)
{
    size_t n = 0;

    for (size_t i = 0; i < length && n + 1 < size; i++) {
        if (!strchr(" \t\n;", text[i]))
            to[n++] = text[i];
    }
    to[n] = '\0';
}

/* Labels are numbers of the writer's choice: here 1, 2, 3 as they stand. */
static void number_labels(char *plain)
{
    char numbers[10] = {0}, next = '1';

    for (char *c = plain; *c && c[1]; c++) {
        if (isdigit((unsigned char)*c) && c[1] == ':' && !numbers[*c - '0'])
            numbers[*c - '0'] = next++;
    }
    for (char *c = plain; *c && c[1]; c++) {
        bool operand = c > plain && c[-1] == '$';

        if (isdigit((unsigned char)*c) && !operand && strchr(":fb", c[1]) &&
            numbers[*c - '0'])
            *c = numbers[*c - '0'];
    }
}

/* The size of what it decrements; 0: it is no such lock. */
static uint64_t size_of_lock(const char *text, size_t length)
{
    static const struct {
        const char *plain;
        uint64_t size;
    } known[] = {
        {"1:lockdecb$0jns3f2:repnopcmpb$$0,$0jle2bjmp1b3:", 1},
        {"1:lockdecl$0jns3f2:repnopcmpl$$0,$0jle2bjmp1b3:", 4},
        {"1:lockdecb$0jns3f2:pausecmpb$$0,$0jle2bjmp1b3:", 1},
        {"1:lockdecl$0jns3f2:pausecmpl$$0,$0jle2bjmp1b3:", 4},
    };
    char plain[64];

    put_plain(plain, sizeof(plain), text, length);
    number_labels(plain);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].plain, plain) == 0)
            return known[i].size;
    }
    return 0;
}

static void build_pause(struct pass *p)
{
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(p->context), NULL, 0, 0);
    LLVMValueRef pause = LLVMGetInlineAsm(type, "pause", 5, "~{memory}", 9, 1,
                                          0, LLVMInlineAsmDialectATT, 0);

    LLVMBuildCall2(p->builder, type, pause, NULL, 0, "");
}

static LLVMValueRef build_load(struct pass *p, LLVMTypeRef type,
                               LLVMValueRef lock, uint64_t size)
{
    LLVMValueRef value = LLVMBuildLoad2(p->builder, type, lock, "");

    LLVMSetOrdering(value, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(value, (unsigned)size);
    return value;
}

/* Takes it, or looks until it is free and tries again. */
static void build_body(struct pass *p, LLVMValueRef f, uint64_t size)
{
    LLVMContextRef c = p->context;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, f, "");
    LLVMBasicBlockRef take = LLVMAppendBasicBlockInContext(c, f, "take");
    LLVMBasicBlockRef look = LLVMAppendBasicBlockInContext(c, f, "look");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(c, f, "out");
    LLVMTypeRef type = ir_int(p, size);
    LLVMValueRef lock = LLVMGetParam(f, 0), one = LLVMConstInt(type, 1, 0), v;

    LLVMPositionBuilderAtEnd(p->builder, entry);
    LLVMBuildBr(p->builder, take);
    LLVMPositionBuilderAtEnd(p->builder, take);
    v = LLVMBuildAtomicRMW(p->builder, LLVMAtomicRMWBinOpSub, lock, one,
                           LLVMAtomicOrderingSequentiallyConsistent, 0);
    v = LLVMBuildICmp(p->builder, LLVMIntSGE, v, one, "");
    LLVMBuildCondBr(p->builder, v, out, look);
    LLVMPositionBuilderAtEnd(p->builder, look);
    build_pause(p);
    v = LLVMBuildICmp(p->builder, LLVMIntSLT, build_load(p, type, lock, size),
                      one, "");
    LLVMBuildCondBr(p->builder, v, look, take);
    LLVMPositionBuilderAtEnd(p->builder, out);
    LLVMBuildRetVoid(p->builder);
}

/* One for each place, so that a report says which. */
static void replace(struct pass *p, LLVMValueRef call, uint64_t size)
{
    LLVMValueRef lock = LLVMGetArgOperand(call, 0);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(p->context), &p->ptr, 1, 0);
    LLVMValueRef f = LLVMAddFunction(p->module, "linux_spin_lock", type);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);

    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetCurrentDebugLocation2(p->builder, place);
    build_body(p, f, size);
    LLVMPositionBuilderBefore(p->builder, call);
    LLVMSetCurrentDebugLocation2(p->builder, place);
    LLVMBuildCall2(p->builder, type, f, &lock, 1, "");
    LLVMInstructionEraseFromParent(call);
}

static uint64_t lock_of(LLVMValueRef inst)
{
    LLVMValueRef code;
    size_t length;
    const char *text;

    if (!LLVMIsACallInst(inst) ||
        !LLVMIsAInlineAsm(code = LLVMGetCalledValue(inst)) ||
        LLVMGetNumArgOperands(inst) < 1 ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(inst, 0))) !=
            LLVMPointerTypeKind)
        return 0;
    text = LLVMGetInlineAsmAsmString(code, &length);
    return size_of_lock(text, length);
}

void spinlock_lower(struct pass *p)
{
    VEC(LLVMValueRef) locks = {0};

    EACH_FUNCTION (f, p->module) {
        EACH_INSTRUCTION (i, f) {
            if (lock_of(i))
                VEC_PUSH(&locks, i);
        }
    }
    for (size_t i = 0; i < locks.count; i++)
        replace(p, locks.list[i], lock_of(locks.list[i]));
    VEC_FREE(&locks);
}
