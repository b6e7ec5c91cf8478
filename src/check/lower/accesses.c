/* SPDX-License-Identifier: MIT
 *
 * Accesses: loads, stores, read-modify-writes, compare-and-swaps, fences, and
 * copies, which are accesses scalar by scalar.
 *
 * An access is private if only its own thread can know the memory (privacy.c
 * of the instrumenter decides that for both), or if nobody ever writes there.
 */
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

unsigned body_flags(struct body *b, LLVMValueRef address)
{
    unsigned flags = 0;

    if (privacy_is_private(&b->l->p, address) || access_is_constant(address))
        flags |= LSL_PRIVATE;
    if (object_is_ghost(address))
        flags |= LSL_GHOST;
    return flags;
}

static bool is_access_size(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static unsigned check_size(struct body *b, uint64_t size)
{
    if (is_access_size(size))
        return (unsigned)size;
    lower_refuse(b->l, "an access of %llu bytes is not supported",
                 (unsigned long long)size);
    return 8;
}

uint32_t body_load(struct body *b, uint32_t address, unsigned size,
                   unsigned width, unsigned flags, uint32_t site)
{
    uint32_t dst = body_register(b);
    struct lsl_inst *i = body_add(b, LSL_LOAD);

    i->width = (uint8_t)width;
    i->size = (uint8_t)check_size(b, size);
    i->flags = (uint8_t)flags;
    i->dst = dst;
    i->a = address;
    i->site = site;
    return dst;
}

void body_store(struct body *b, uint32_t address, uint32_t value, unsigned size,
                unsigned flags, uint32_t site)
{
    struct lsl_inst *i = body_add(b, LSL_STORE);

    i->size = (uint8_t)check_size(b, size);
    i->flags = (uint8_t)flags;
    i->a = address;
    i->b = value;
    i->site = site;
}

/* LLVM's "unordered" is not C's: what is volatile and no atomic takes it. */
static unsigned order_of(LLVMValueRef inst)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(inst);

    if (order == LLVMAtomicOrderingNotAtomic)
        return LLVMGetVolatile(inst) ? ORDER_VOLATILE : ORDER_PLAIN;
    return (unsigned)order;
}

/* ---- Loads and stores ---- */

/* stdout and its like, wanted by calls only of which nothing is left. */
static bool only_for_ignored(struct body *b, LLVMValueRef v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMValueRef callee = LLVMIsACallInst(user) ? ir_callee(user) : NULL;

        if (!callee || !library_ignores(ir_name(&b->l->p, callee)))
            return false;
    }
    return true;
}

static void lower_load(struct body *b, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = LLVMTypeOf(inst);
    struct leaves parts;
    uint32_t *regs;

    if (LLVMIsAGlobalVariable(from) && LLVMIsDeclaration(from) &&
        only_for_ignored(b, inst)) {
        body_define_one(b, inst, body_undefined(b));
        return;
    }
    parts = type_leaves(b->l, type);
    regs = arena_array(b->l->arena, parts.count + 1ull, sizeof(*regs));

    uint32_t address = body_operand(b, from);
    unsigned flags = body_flags(b, from);
    uint32_t site =
        site_new(&b->l->p, inst, EV_LOAD, ir_size(&b->l->p, type), NULL);

    for (uint32_t i = 0; i < parts.count; i++) {
        const struct leaf *leaf = &parts.list[i];
        uint32_t at = body_offset(b, address, leaf->offset);

        regs[i] = body_load(b, at, leaf->size, leaf->width, flags, site);
        VEC_LAST(&b->insts).order = (uint8_t)order_of(inst);
    }
    body_define(b, inst, regs, parts.count);
}

static void lower_store(struct body *b, LLVMValueRef inst)
{
    LLVMValueRef value = LLVMGetOperand(inst, 0), to = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);

    if (access_is_auto_init(&b->l->p, inst))
        return;

    struct leaves parts = type_leaves(b->l, type);
    uint32_t count, address = body_operand(b, to);
    const uint32_t *regs = body_operands(b, value, &count);
    unsigned flags = body_flags(b, to);
    uint32_t site =
        site_new(&b->l->p, inst, EV_STORE, ir_size(&b->l->p, type), NULL);

    for (uint32_t i = 0; i < parts.count; i++) {
        const struct leaf *leaf = &parts.list[i];
        uint32_t at = body_offset(b, address, leaf->offset);

        body_store(b, at, regs[i], leaf->size, flags, site);
        VEC_LAST(&b->insts).order = (uint8_t)order_of(inst);
    }
}

/* ---- Atomics ---- */

static struct lsl_inst *add_rmw(struct body *b, LLVMValueRef inst,
                                enum lsl_op op, LLVMTypeRef type)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    unsigned width = type_width(b->l, type);
    unsigned size = check_size(b, ir_size(&b->l->p, type));
    uint32_t a = body_operand(b, address);
    uint32_t operand = body_operand(b, LLVMGetOperand(inst, 1));
    uint32_t site = site_new(&b->l->p, inst, EV_RMW, size, NULL);
    uint32_t dst = body_register(b);
    unsigned flags = object_is_ghost(address) ? LSL_GHOST : 0;
    struct lsl_inst *i = body_add(b, op);

    i->width = (uint8_t)width;
    i->size = (uint8_t)size;
    i->flags = (uint8_t)flags;
    i->dst = dst;
    i->a = a;
    i->b = operand;
    i->site = site;
    return i;
}

static void lower_rmw(struct body *b, LLVMValueRef inst)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    struct lsl_inst *i = add_rmw(b, inst, LSL_RMW, LLVMTypeOf(inst));

    if (op > LLVMAtomicRMWBinOpUMin)
        lower_refuse(b->l, "a read-modify-write of this kind is not supported");
    i->pure = (uint8_t)op;
    i->order = (uint8_t)LLVMGetOrdering(inst);
    body_define_one(b, inst, i->dst);
}

static void lower_cas(struct body *b, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 1));
    uint32_t desired = body_operand(b, LLVMGetOperand(inst, 2));
    struct lsl_inst *i = add_rmw(b, inst, LSL_CAS, type);

    i->c = desired;
    i->order = (uint8_t)LLVMGetCmpXchgSuccessOrdering(inst);
    i->fail_order = (uint8_t)LLVMGetCmpXchgFailureOrdering(inst);
    if (LLVMGetWeak(inst))
        i->flags |= LSL_WEAK;

    uint32_t pair[2] = {i->dst, 0};

    pair[1] = body_pure(b, PURE_EQ, 1, type_width(b->l, type), i->dst, i->b);
    body_define(b, inst, pair, 2);
}

static void lower_fence(struct body *b, LLVMValueRef inst)
{
    /* A signal fence only stops the compiler. */
    if (LLVMIsAtomicSingleThread(inst))
        return;

    uint32_t site = site_new(&b->l->p, inst, EV_FENCE, 0, "");
    struct lsl_inst *i = body_add(b, LSL_FENCE);

    i->order = (uint8_t)LLVMGetOrdering(inst);
    i->site = site;
}

void access_lower(struct body *b, LLVMValueRef inst)
{
    if (wide_access(b, inst))
        return;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        lower_load(b, inst);
        return;
    case LLVMStore:
        lower_store(b, inst);
        return;
    case LLVMAtomicRMW:
        lower_rmw(b, inst);
        return;
    case LLVMAtomicCmpXchg:
        lower_cas(b, inst);
        return;
    default:
        lower_fence(b, inst);
    }
}

/* ---- Copies ---- */

void body_copy(struct body *b, const struct leaves *parts, uint32_t to,
               unsigned to_flags, uint32_t from, unsigned from_flags,
               uint32_t site)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct leaf *leaf = &parts->list[i];
        uint32_t value = body_load(b, body_offset(b, from, leaf->offset),
                                   leaf->size, leaf->width, from_flags, site);

        body_store(b, body_offset(b, to, leaf->offset), value, leaf->size,
                   to_flags, site);
    }
}

/* memmove: all that is read is read before anything is written. */
static void move_leaves(struct body *b, const struct leaves *parts, uint32_t to,
                        unsigned to_flags, uint32_t from, unsigned from_flags,
                        uint32_t site)
{
    uint32_t *regs =
        arena_array(b->l->arena, parts->count + 1ull, sizeof(*regs));

    for (uint32_t i = 0; i < parts->count; i++) {
        const struct leaf *leaf = &parts->list[i];

        regs[i] = body_load(b, body_offset(b, from, leaf->offset), leaf->size,
                            leaf->width, from_flags, site);
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct leaf *leaf = &parts->list[i];

        body_store(b, body_offset(b, to, leaf->offset), regs[i], leaf->size,
                   to_flags, site);
    }
}

static void lower_copy(struct body *b, LLVMValueRef call, uint64_t size)
{
    LLVMValueRef to = LLVMGetArgOperand(call, 0);
    LLVMValueRef from = LLVMGetArgOperand(call, 1);
    struct leaves parts = type_parts_at(b->l, to, from, size);
    unsigned to_flags = body_flags(b, to);
    unsigned from_flags = body_flags(b, from);
    bool loads = to_flags & LSL_PRIVATE;
    uint32_t site = site_new(&b->l->p, call, loads ? EV_LOAD : EV_STORE, size,
                             names_get(&b->l->p, call, loads ? 1 : 0));
    uint32_t target = body_operand(b, to), source = body_operand(b, from);
    size_t length;
    const char *name = LLVMGetValueName2(ir_callee(call), &length);

    (strstr(name, "memmove") ? move_leaves : body_copy)(
        b, &parts, target, to_flags, source, from_flags, site);
}

/* The byte, as often as it fits. */
static uint32_t fill_value(struct body *b, LLVMValueRef byte, unsigned size)
{
    if (LLVMIsAConstantInt(byte)) {
        uint64_t n = LLVMConstIntGetZExtValue(byte) & 0xff;
        uint64_t mask = size < 8 ? (1ull << (8 * size)) - 1 : ~0ull;

        return body_number(b, (n * 0x0101010101010101ull) & mask);
    }

    unsigned width = type_width(b->l, LLVMTypeOf(byte));
    uint32_t x = body_operand(b, byte);

    if (size != 1)
        lower_refuse(b->l, "memset with a byte that is no constant is not "
                           "supported");
    if (width > 8)
        x = body_pure(b, PURE_TRUNC, 8, width, x, LSL_NONE);
    return x;
}

static void lower_fill(struct body *b, LLVMValueRef call, uint64_t size)
{
    LLVMValueRef to = LLVMGetArgOperand(call, 0);
    LLVMValueRef byte = LLVMGetArgOperand(call, 1);
    struct leaves parts = type_parts_at(b->l, to, NULL, size);
    uint32_t site = site_new(&b->l->p, call, EV_STORE, size, NULL);
    uint32_t target = body_operand(b, to);
    unsigned flags = body_flags(b, to);

    for (uint32_t i = 0; i < parts.count; i++) {
        const struct leaf *leaf = &parts.list[i];

        body_store(b, body_offset(b, target, leaf->offset),
                   fill_value(b, byte, leaf->size), leaf->size, flags, site);
    }
}

void move_lower(struct body *b, LLVMValueRef call)
{
    LLVMValueRef size = LLVMGetArgOperand(call, 2);

    if (access_is_auto_init(&b->l->p, call))
        return;
    if (!LLVMIsAConstantInt(size)) {
        lower_refuse(b->l, "a copy of a size that is no constant is not "
                           "supported");
        return;
    }

    uint64_t bytes = LLVMConstIntGetZExtValue(size);

    if (bytes && calls_copying(&b->l->p, call) == COPIES_MEMORY)
        lower_copy(b, call, bytes);
    else if (bytes)
        lower_fill(b, call, bytes);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        body_define_one(b, call, body_operand(b, LLVMGetArgOperand(call, 0)));
}
