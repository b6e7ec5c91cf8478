/* SPDX-License-Identifier: MIT
 *
 * What each access is called in C: "flag0", "q->tail", "buf[i + 1]".
 *
 * Runs on the -O0 code, where every variable still has its slot and every
 * address is computed next to its use, and leaves the text as metadata on the
 * instruction, which survives SROA.  Names are for people: where the code
 * says too little the text is short, never wrong.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/pass.h"

#define DEEPEST 8
#define LONGEST 80

static void value_text(struct pass *p, LLVMValueRef v, struct buf *out,
                       int depth);

static void storage_text(struct pass *p, LLVMValueRef v, struct buf *out)
{
    const char *name = types_variable(p, v);

    if (!name) {
        name = ir_name(p, v);
        if (!*name)
            name = "?";
    }

    const char *suffix = strstr(name, ".addr");

    buf_add(out, name, suffix ? (size_t)(suffix - name) : strlen(name));
}

/* What the address `v` designates is written directly: no `*`. */
static bool is_storage(LLVMValueRef v)
{
    return LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v) ||
           LLVMIsAFunction(v);
}

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) &&
            LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* The address of a thread-local variable: llvm.threadlocal.address(@x). */
static LLVMValueRef thread_local_of(LLVMValueRef v)
{
    LLVMValueRef callee = LLVMIsACallInst(v) ? ir_callee(v) : NULL;

    if (callee && ir_is_intrinsic(callee, "llvm.threadlocal.address"))
        return LLVMGetOperand(v, 0);
    return NULL;
}

/* The variable and the constant offset in it that an address is, if it is. */
static LLVMValueRef fixed_place(struct pass *p, LLVMValueRef v,
                                uint64_t *offset)
{
    *offset = 0;
    for (int depth = 0; depth < DEEPEST && is_gep(v); depth++) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
        int count = LLVMGetNumOperands(v);

        for (int i = 1; i < count; i++) {
            LLVMValueRef index = LLVMGetOperand(v, (unsigned)i);

            if (!LLVMIsAConstantInt(index))
                return NULL;

            int64_t n = LLVMConstIntGetSExtValue(index);

            if (i == 1) {
                *offset += (uint64_t)n * LLVMABISizeOfType(p->data, type);
            } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                *offset += LLVMOffsetOfElement(p->data, type, (unsigned)n);
                type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            } else {
                type = LLVMGetElementType(type);
                *offset += (uint64_t)n * LLVMABISizeOfType(p->data, type);
            }
        }
        v = LLVMGetOperand(v, 0);
    }
    if (thread_local_of(v))
        v = thread_local_of(v);
    return is_storage(v) && types_knows(p, v) ? v : NULL;
}

static bool is_zero(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

static void index_text(struct pass *p, LLVMValueRef index, struct buf *out,
                       int depth)
{
    buf_putc(out, '[');
    value_text(p, index, out, depth + 1);
    buf_putc(out, ']');
}

/* How much of an lvalue is written when its address is `v`: an object
 * ("q", then ".x" or "[i]" follows) or a pointer ("q", then "->x"). */
static bool base_text(struct pass *p, LLVMValueRef v, struct buf *out,
                      int depth);

static void gep_text(struct pass *p, LLVMValueRef gep, uint64_t size,
                     struct buf *out, int depth)
{
    bool object = base_text(p, LLVMGetOperand(gep, 0), out, depth);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = LLVMGetNumOperands(gep);
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    size_t length;
    const char *hint = LLVMGetValueName2(gep, &length);

    if (!is_zero(first) || count == 2) {
        if (object && count == 2 &&
            LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(type) == 8 && is_zero(first))
            return;
        index_text(p, first, out, depth);
        object = true;
    }
    for (int i = 2; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            LLVMTypeRef inner = LLVMStructGetTypeAtIndex(type, field);
            uint64_t offset = LLVMOffsetOfElement(p->data, type, field);
            bool last = i == count - 1;
            const char *name = types_member(
                p, type, offset, last && size ? size : ir_size(p, inner),
                last ? hint : "");

            buf_puts(out, object ? "." : "->");
            if (name)
                buf_puts(out, name);
            else if (last && *hint)
                buf_puts(out, hint);
            else
                buf_printf(out, "+%llu", (unsigned long long)offset);
            type = inner;
        } else {
            index_text(p, index, out, depth);
            type = LLVMGetElementType(type);
        }
        object = true;
    }
}

static bool base_text(struct pass *p, LLVMValueRef v, struct buf *out,
                      int depth)
{
    LLVMValueRef variable = thread_local_of(v);

    if (variable || is_storage(v)) {
        storage_text(p, variable ? variable : v, out);
        return true;
    }
    if (is_gep(v) && depth < DEEPEST) {
        gep_text(p, v, 0, out, depth + 1);
        return true;
    }
    value_text(p, v, out, depth);
    return false;
}

static const char *sign(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd:
        return " + ";
    case LLVMSub:
        return " - ";
    case LLVMMul:
        return " * ";
    case LLVMUDiv:
    case LLVMSDiv:
        return " / ";
    case LLVMURem:
    case LLVMSRem:
        return " % ";
    case LLVMAnd:
        return " & ";
    case LLVMOr:
        return " | ";
    case LLVMXor:
        return " ^ ";
    case LLVMShl:
        return " << ";
    case LLVMLShr:
    case LLVMAShr:
        return " >> ";
    default:
        return NULL;
    }
}

static void instruction_text(struct pass *p, LLVMValueRef v, struct buf *out,
                             int depth)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    LLVMValueRef callee;

    switch (opcode) {
    case LLVMLoad: {
        LLVMValueRef from = LLVMGetOperand(v, 0);

        if (!base_text(p, from, out, depth + 1))
            buf_puts(out, "[0]");
        return;
    }
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        value_text(p, LLVMGetOperand(v, 0), out, depth + 1);
        return;
    case LLVMCall:
        callee = ir_callee(v);
        if (callee)
            buf_printf(out, "%s(...)", ir_name(p, callee));
        else
            buf_puts(out, "(...)");
        return;
    default:
        if (sign(opcode)) {
            value_text(p, LLVMGetOperand(v, 0), out, depth + 1);
            buf_puts(out, sign(opcode));
            value_text(p, LLVMGetOperand(v, 1), out, depth + 1);
        } else {
            buf_puts(out, "...");
        }
    }
}

static void value_text(struct pass *p, LLVMValueRef v, struct buf *out,
                       int depth)
{
    if (depth > DEEPEST || out->count > LONGEST) {
        buf_puts(out, "...");
    } else if (LLVMIsAConstantInt(v)) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
            buf_printf(out, "%lld", LLVMConstIntGetSExtValue(v));
        else
            buf_puts(out, "...");
    } else if (LLVMIsAConstantPointerNull(v)) {
        buf_puts(out, "NULL");
    } else if (is_storage(v)) {
        buf_putc(out, '&');
        storage_text(p, v, out);
    } else if (is_gep(v)) {
        gep_text(p, v, 0, out, depth + 1);
    } else if (LLVMIsAArgument(v)) {
        storage_text(p, v, out);
    } else if (LLVMIsAInstruction(v)) {
        instruction_text(p, v, out, depth);
    } else {
        buf_puts(out, "...");
    }
}

/* Clang names the address of a bit-field after it; its offset says less. */
static bool is_bit_field(struct pass *p, LLVMValueRef address, uint64_t size)
{
    size_t length;
    const char *hint = LLVMGetValueName2(address, &length);
    LLVMTypeRef type;
    int count;

    if (!LLVMIsAGetElementPtrInst(address) || !*hint || !size)
        return false;
    type = LLVMGetGEPSourceElementType(address);
    count = LLVMGetNumOperands(address);
    if (count != 3 || LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return false;

    unsigned field =
        (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(address, 2));
    uint64_t offset = LLVMOffsetOfElement(p->data, type, field);
    const char *without = types_member(p, type, offset, size, "");
    const char *with = types_member(p, type, offset, size, hint);

    return with && without && strcmp(with, without) != 0;
}

/* The name of `size` bytes at that address. */
static void lvalue_text(struct pass *p, LLVMValueRef address, uint64_t size,
                        struct buf *out)
{
    uint64_t offset;
    LLVMValueRef variable = fixed_place(p, address, &offset);

    if (variable && !is_bit_field(p, address, size)) {
        storage_text(p, variable, out);
        types_part(p, variable, offset, size, out);
    } else if (is_storage(address)) {
        storage_text(p, address, out);
    } else if (is_gep(address)) {
        gep_text(p, address, size, out, 0);
    } else {
        buf_putc(out, '*');
        value_text(p, address, out, 0);
    }
}

/* The address an instruction accesses, or NULL. */
static LLVMValueRef accessed(struct pass *p, LLVMValueRef inst, uint64_t *size)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        *size = ir_size(p, LLVMTypeOf(inst));
        return LLVMGetOperand(inst, 0);
    case LLVMStore:
        *size = ir_size(p, LLVMTypeOf(LLVMGetOperand(inst, 0)));
        return LLVMGetOperand(inst, 1);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        *size = ir_size(p, LLVMTypeOf(LLVMGetOperand(inst, 1)));
        return LLVMGetOperand(inst, 0);
    default:
        return NULL;
    }
}

static bool has_name(LLVMValueRef address)
{
    return LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMPointerTypeKind &&
           !LLVMIsAConstantPointerNull(address) && !LLVMIsAFunction(address) &&
           !(LLVMIsAGlobalVariable(address) && LLVMIsGlobalConstant(address));
}

/* In a wrapper its parameter says less than what the caller gave for it. */
static LLVMValueRef as_called(struct pass *p, LLVMValueRef address)
{
    LLVMMetadataRef location =
        LLVMIsALoadInst(address) ? LLVMInstructionGetDebugLoc(address) : NULL;

    return location && !p->optimised && LLVMDILocationGetInlinedAt(location)
               ? wrappers_source(address)
               : address;
}

static LLVMMetadataRef text_of(struct pass *p, LLVMValueRef address,
                               uint64_t size, struct buf *out)
{
    address = as_called(p, address);
    buf_clear(out);
    if (has_name(address))
        lvalue_text(p, address, size, out);
    return LLVMMDStringInContext2(p->context, out->count ? out->bytes : "",
                                  out->count);
}

/* A call notes what each argument points to: a copy's target and source, a
 * lock, the memory operands of inline assembly. */
static void note_call(struct pass *p, LLVMValueRef call, struct buf *out)
{
    LLVMMetadataRef texts[32];
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef callee = ir_callee(call);

    if (count == 0 || count > 32 ||
        (callee && ir_is_intrinsic(callee, "llvm.dbg")))
        return;
    for (unsigned i = 0; i < count; i++)
        texts[i] = text_of(p, LLVMGetArgOperand(call, i), 0, out);

    LLVMMetadataRef node = LLVMMDNodeInContext2(p->context, texts, count);

    LLVMSetMetadata(call, p->md_name, LLVMMetadataAsValue(p->context, node));
}

static void note_name(struct pass *p, LLVMValueRef inst, struct buf *out)
{
    uint64_t size = 0;
    LLVMValueRef address = accessed(p, inst, &size);

    if (address) {
        LLVMMetadataRef text = text_of(p, address, size, out);
        LLVMMetadataRef node = LLVMMDNodeInContext2(p->context, &text, 1);

        LLVMSetMetadata(inst, p->md_name,
                        LLVMMetadataAsValue(p->context, node));
    } else if (LLVMIsACallInst(inst)) {
        note_call(p, inst, out);
    }
}

void names_note(struct pass *p)
{
    struct buf out = {0};

    EACH_FUNCTION (f, p->module) {
        EACH_INSTRUCTION (i, f)
            note_name(p, i, &out);
    }
    buf_free(&out);
}

const char *names_get(struct pass *p, LLVMValueRef inst, unsigned argument)
{
    LLVMValueRef node = LLVMGetMetadata(inst, p->md_name);
    LLVMValueRef texts[32];
    unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;

    if (argument >= count || count > 32)
        return "";
    LLVMGetMDNodeOperands(node, texts);

    unsigned length;
    const char *bytes = LLVMGetMDString(texts[argument], &length);

    return bytes ? arena_copy_n(&p->arena, bytes, length) : "";
}
