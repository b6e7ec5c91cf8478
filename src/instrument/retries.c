/* SPDX-License-Identifier: MIT
 *
 * Loops around a CAS that begin with a read:
 *
 *      old = load(&top);
 *      while (!compare_exchange(&top, &old, old + 1))
 *          ;
 *
 * After a CAS that failed `old` is what it read, and the thread stands where it
 * would if the load before the loop had read that.  So an execution in which a
 * CAS fails is one with fewer reads in which none does, and its round may be
 * left out (runtime/native_retry.c, with the proof).
 *
 * Such a variable is a phi of the header: on the way in the load, of the
 * address that the CAS has and no stronger than this is when it fails, with
 * nothing between it and the loop; on the way back what the CAS found, or
 * itself.
 */
#include "instrument/retries.h"

#define ROUND_DEPTH 8

/* Addresses are computed anew for each access. */
static bool same_address(LLVMValueRef a, LLVMValueRef b)
{
    if (a == b)
        return true;
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++) {
        if (!same_address(LLVMGetOperand(a, (unsigned)i),
                          LLVMGetOperand(b, (unsigned)i)))
            return false;
    }
    return true;
}

static int strength(LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingAcquire:
    case LLVMAtomicOrderingAcquireRelease:
        return 1;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return 2;
    default:
        return 0;
    }
}

/* ---- On the way back ---- */

struct retry {
    LLVMValueRef phi, cas;
};

/* The CAS that expects the phi, and of which `v` is what it found. */
static bool is_found(struct retry *r, LLVMValueRef v)
{
    LLVMValueRef cas;

    if (!LLVMIsAExtractValueInst(v) || LLVMGetIndices(v)[0] != 0)
        return false;
    cas = LLVMGetOperand(v, 0);
    if (!LLVMIsAAtomicCmpXchgInst(cas) || LLVMGetOperand(cas, 1) != r->phi ||
        (r->cas && r->cas != cas))
        return false;
    r->cas = cas;
    return true;
}

/* Itself, or what the CAS found, whichever way was taken. */
static bool comes_back(struct retry *r, LLVMValueRef v, int depth)
{
    if (v == r->phi || is_found(r, v))
        return true;
    if (!LLVMIsAPHINode(v) || depth == ROUND_DEPTH)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        if (!comes_back(r, LLVMGetIncomingValue(v, i), depth + 1))
            return false;
    }
    return true;
}

/* ---- On the way in ---- */

static bool only_computes(LLVMValueRef inst)
{
    return !LLVMIsALoadInst(inst) && !LLVMIsAStoreInst(inst) &&
           !LLVMIsAFenceInst(inst) && !LLVMIsAAtomicRMWInst(inst) &&
           !LLVMIsAAtomicCmpXchgInst(inst) &&
           (!LLVMIsACallInst(inst) || rotate_is_declaration(inst));
}

/* Does nothing happen between that load and the end of `from`? */
static bool is_last(LLVMValueRef load, LLVMBasicBlockRef from)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

    if (LLVMGetInstructionParent(load) != from)
        return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(load); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (!only_computes(i))
            return false;
    }
    return true;
}

static bool is_first_read(const struct retry *r, LLVMValueRef v,
                          LLVMBasicBlockRef from)
{
    return LLVMIsALoadInst(v) && is_last(v, from) &&
           same_address(LLVMGetOperand(v, 0), LLVMGetOperand(r->cas, 0)) &&
           strength(LLVMGetOrdering(v)) <=
               strength(LLVMGetCmpXchgFailureOrdering(r->cas));
}

static bool is_expected(const struct flow *f, const bool *in, LLVMValueRef phi)
{
    struct retry r = {.phi = phi};
    bool found = true;

    for (unsigned i = 0; found && i < LLVMCountIncoming(phi); i++) {
        uint32_t from = flow_index(f, LLVMGetIncomingBlock(phi, i));

        found = !in[from] || comes_back(&r, LLVMGetIncomingValue(phi, i), 0);
    }
    for (unsigned i = 0; found && r.cas && i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);

        found = in[flow_index(f, from)] ||
                is_first_read(&r, LLVMGetIncomingValue(phi, i), from);
    }
    return found && r.cas;
}

uint64_t retries_expected(const struct flow *f, const bool *in, uint32_t header)
{
    uint64_t found = 0, bit = 1;

    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[header]);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i), bit *= 2) {
        if (bit && is_expected(f, in, i))
            found |= bit;
    }
    return found & (found - 1) ? 0 : found; /* of two, one has the other's CAS
                                               between its load and the loop */
}
