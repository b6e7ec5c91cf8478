/* SPDX-License-Identifier: MIT
 *
 * Loads, stores and copies of shared memory.
 *
 * The fast path of program.h lives in small functions (fast.c); whoever reads
 * the instrumented code sees `call i32 @fencer.load.i32(ptr %p, i32 7)`.
 */
#include <string.h>

#include "base/check.h"
#include "instrument/fast.h"
#include "instrument/pass.h"

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

LLVMValueRef access_variable(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) ||
           (LLVMIsAConstantExpr(address) &&
            LLVMGetConstOpcode(address) == LLVMGetElementPtr))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAGlobalVariable(address);
}

bool access_is_constant(LLVMValueRef address)
{
    LLVMValueRef variable = access_variable(address);

    return variable && LLVMIsGlobalConstant(variable);
}

/* Other address spaces are segments (%fs, %gs): not memory of ours. */
static bool is_ordinary(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0;
}

/* At the builder's place: carried memory is about to be accessed. */
static void watch(struct pass *p, enum fast_verb verb, LLVMValueRef address,
                  LLVMValueRef bytes)
{
    LLVMValueRef f = fast_watch(p, verb), args[] = {address, bytes};

    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, args, 2, "");
}

void access_watch_read(struct pass *p, LLVMValueRef inst, LLVMValueRef address,
                       uint64_t bytes)
{
    ir_before(p, inst);
    watch(p, FAST_LOAD, address, ir_i64(p, bytes));
}

static uint64_t volatile_mark(LLVMValueRef inst)
{
    return LLVMGetVolatile(inst) ? SITE_VOLATILE : 0;
}

uint64_t access_decides_mark(struct pass *p, LLVMValueRef load)
{
    return map_get_pointer(&p->deciders, load) ? SITE_DECIDES : 0;
}

void access_load(struct pass *p, const struct item *item)
{
    LLVMValueRef inst = item->inst, address = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint64_t size = ir_size(p, type);
    enum fast fast = fast_of(type, LLVMGetAlignment(inst));

    if (item->from_carried)
        access_watch_read(p, inst, address, size);
    if (item->from_private || access_is_constant(address) ||
        !is_ordinary(address) || size == 0)
        return;
    ir_before(p, inst);

    LLVMValueRef site = site_value(
        p, inst, EV_LOAD,
        size | volatile_mark(inst) | access_decides_mark(p, inst), NULL);
    LLVMValueRef value;

    if (fast != FAST_NONE) {
        LLVMValueRef f = fast_function(p, FAST_LOAD, fast);
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

    ir_before(p, inst);
    if (item->to_carried)
        watch(p, FAST_STORE, address, ir_i64(p, size));
    if (item->to_private || access_is_auto_init(p, inst) ||
        !is_ordinary(address) || size == 0)
        return;

    LLVMValueRef site =
        site_value(p, inst, EV_STORE, size | volatile_mark(inst), NULL);

    if (fast != FAST_NONE) {
        LLVMValueRef f = fast_function(p, FAST_STORE, fast);

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
    bool from_private = item->from_private || access_is_constant(from);

    ir_before(p, item->inst);
    if (item->from_carried || item->to_carried)
        bytes = as_i64(p, bytes);
    if (item->from_carried)
        watch(p, FAST_LOAD, from, bytes);
    if (item->to_carried)
        watch(p, FAST_STORE, to, bytes);
    if (to_private && from_private)
        return;

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
    ir_before(p, item->inst);
    if (item->to_carried)
        watch(p, FAST_STORE, to, as_i64(p, bytes));
    if (item->to_private)
        return;

    LLVMValueRef site =
        site_value(p, item->inst, EV_STORE, known_size(bytes), NULL);

    if (LLVMGetIntTypeWidth(LLVMTypeOf(byte)) < 32)
        byte = LLVMBuildZExt(p->builder, byte, p->i32, "");

    LLVMValueRef args[] = {to, byte, as_i64(p, bytes), site};

    ir_call_hook(p, HOOK_fill, args, 4, "");
    ir_replace(item->inst, LLVMGetFirstUse(item->inst) ? to : NULL);
}
