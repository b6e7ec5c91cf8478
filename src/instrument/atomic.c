/* SPDX-License-Identifier: MIT
 *
 * Atomic loads, stores, read-modify-writes, compare-and-swaps and fences.
 * Values travel as integers, those of 16 bytes through private memory.
 */
#include "base/check.h"
#include "instrument/pass.h"

static LLVMValueRef order(struct pass *p, LLVMAtomicOrdering o)
{
    return ir_i32(p, (uint64_t)o);
}

void atomic_load(struct pass *p, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint64_t size = ir_size(p, type);
    LLVMValueRef address = LLVMGetOperand(inst, 0), value;

    ir_before(p, inst);

    LLVMValueRef o = order(p, LLVMGetOrdering(inst));
    LLVMValueRef site =
        site_value(p, inst, EV_LOAD, size | access_decides_mark(p, inst), NULL);

    if (size == 16) {
        LLVMValueRef slot = ir_wide_slot(p, inst, type, NULL);
        LLVMValueRef args[] = {address, slot, o, site};

        ir_call_hook(p, HOOK_atomic_load16, args, 4, "");
        value = LLVMBuildLoad2(p->builder, type, slot, "");
    } else {
        LLVMValueRef args[] = {address, o, site};

        value = ir_call_hook(p, ir_sized_hook(HOOK_atomic_load1, size), args, 3,
                             "");
        value = ir_from_int(p, value, type);
    }
    ir_replace(inst, value);
}

void atomic_store(struct pass *p, LLVMValueRef inst)
{
    LLVMValueRef value = LLVMGetOperand(inst, 0);
    LLVMValueRef address = LLVMGetOperand(inst, 1);
    uint64_t size = ir_size(p, LLVMTypeOf(value));

    ir_before(p, inst);

    LLVMValueRef o = order(p, LLVMGetOrdering(inst));
    LLVMValueRef site = site_value(p, inst, EV_STORE, size, NULL);

    if (size == 16)
        value = ir_wide_slot(p, inst, LLVMTypeOf(value), value);
    else
        value = ir_to_int(p, value, ir_int(p, size));

    LLVMValueRef args[] = {address, value, o, site};

    ir_call_hook(p,
                 size == 16 ? HOOK_atomic_store16
                            : ir_sized_hook(HOOK_atomic_store1, size),
                 args, 4, "");
    ir_replace(inst, NULL);
}

/* LLVM's numbers for RMW operations are those of enum rmw_op. */
_Static_assert(RMW_XCHG == (int)LLVMAtomicRMWBinOpXchg, "rmw_op");
_Static_assert(RMW_UMIN == (int)LLVMAtomicRMWBinOpUMin, "rmw_op");
_Static_assert(RMW_FMIN == (int)LLVMAtomicRMWBinOpFMin, "rmw_op");
_Static_assert(RMW_UDEC == (int)LLVMAtomicRMWBinOpUDecWrap, "rmw_op");
_Static_assert(ORDER_SEQ_CST == (int)LLVMAtomicOrderingSequentiallyConsistent,
               "event_order");

void atomic_rmw(struct pass *p, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint64_t size = ir_size(p, type);
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    LLVMValueRef operand = LLVMGetOperand(inst, 1), value;

    ir_before(p, inst);

    LLVMValueRef op = ir_i32(p, (uint64_t)LLVMGetAtomicRMWBinOp(inst));
    LLVMValueRef o = order(p, LLVMGetOrdering(inst));
    LLVMValueRef site = site_value(p, inst, EV_RMW, size, NULL);

    if (size == 16) {
        LLVMValueRef old = ir_wide_slot(p, inst, type, NULL);
        LLVMValueRef args[] = {
            address, op, ir_wide_slot(p, inst, LLVMTypeOf(operand), operand),
            old,     o,  site};

        ir_call_hook(p, HOOK_rmw16, args, 6, "");
        value = LLVMBuildLoad2(p->builder, type, old, "");
    } else {
        LLVMValueRef args[] = {address, op,
                               ir_to_int(p, operand, ir_int(p, size)), o, site};

        value = ir_call_hook(p, ir_sized_hook(HOOK_rmw1, size), args, 5, "");
        value = ir_from_int(p, value, type);
    }
    ir_replace(inst, value);
}

void atomic_cas(struct pass *p, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    LLVMValueRef expected = LLVMGetOperand(inst, 1);
    LLVMValueRef desired = LLVMGetOperand(inst, 2), old, same;
    LLVMTypeRef type = LLVMTypeOf(expected);
    uint64_t size = ir_size(p, type);

    ir_before(p, inst);

    LLVMValueRef success = order(p, LLVMGetCmpXchgSuccessOrdering(inst));
    LLVMValueRef failure = order(p, LLVMGetCmpXchgFailureOrdering(inst));
    LLVMValueRef site = site_value(p, inst, EV_RMW, size, NULL);

    if (size == 16) {
        LLVMValueRef slot = ir_wide_slot(p, inst, type, NULL);
        LLVMValueRef args[] = {
            address,
            ir_wide_slot(p, inst, LLVMTypeOf(expected), expected),
            ir_wide_slot(p, inst, LLVMTypeOf(desired), desired),
            slot,
            success,
            failure,
            site};

        ir_call_hook(p, HOOK_cas16, args, 7, "");
        old = LLVMBuildLoad2(p->builder, type, slot, "");
        same = LLVMBuildICmp(p->builder, LLVMIntEQ, old, expected, "");
    } else {
        LLVMTypeRef bits = ir_int(p, size);
        LLVMValueRef wanted = ir_to_int(p, expected, bits);
        LLVMValueRef args[] = {address, wanted,  ir_to_int(p, desired, bits),
                               success, failure, site};

        old = ir_call_hook(p, ir_sized_hook(HOOK_cas1, size), args, 6, "");
        same = LLVMBuildICmp(p->builder, LLVMIntEQ, old, wanted, "");
        old = ir_from_int(p, old, type);
    }

    LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(inst));

    pair = LLVMBuildInsertValue(p->builder, pair, old, 0, "");
    pair = LLVMBuildInsertValue(p->builder, pair, same, 1, "");
    ir_replace(inst, pair);
}

void atomic_fence(struct pass *p, LLVMValueRef inst)
{
    /* A signal fence only stops the compiler. */
    if (!LLVMIsAtomicSingleThread(inst)) {
        ir_before(p, inst);

        LLVMValueRef args[] = {
            order(p, LLVMGetOrdering(inst)),
            site_value(p, inst, EV_FENCE, 0, ""),
        };

        ir_call_hook(p, HOOK_fence, args, 2, "");
    }
    ir_replace(inst, NULL);
}
