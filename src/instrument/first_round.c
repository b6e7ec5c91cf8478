/* SPDX-License-Identifier: MIT
 *
 * The first round of a loop, written out before it:
 *
 *      seen = load(&flag);             the first round
 *      while (!seen) {
 *          pause();
 *          seen = load(&flag);         the same instructions
 *      }
 *
 * If the check fails after it, the thread stands where it does after any other
 * round.  And if it had not done it, but had gone on with what it reads in a
 * later one, it would be where it is then: both do the same, and what they
 * leave in the function's variables does not depend on what was there.  So the
 * read before the loop is a round, too, and a wait may end with it (loops.c).
 *
 * It gets a block of its own, by which it is found after SROA.
 */
#include "base/check.h"
#include "base/map.h"
#include "base/vec.h"
#include "instrument/delays.h"
#include "instrument/pass.h"

#define ROUND_MOST 100 /* instructions */

typedef VEC(LLVMValueRef) instructions;

struct rounds {
    instructions first, again;
    struct map twin;    /* of a value of `again`: that of `first` */
    struct map written; /* variables, 1; 2: by now */
};

/* ---- The instructions of both ---- */

static bool has_one_use(LLVMValueRef v)
{
    LLVMUseRef u = LLVMGetFirstUse(v);

    return u && !LLVMGetNextUse(u);
}

static void add_block(instructions *to, LLVMBasicBlockRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (!rotate_is_declaration(i))
            VEC_PUSH(to, i);
    }
}

/* From `next` on to the header, if there is one way.  Pauses at its beginning
 * change nothing. */
static bool find_again(struct pass *p, struct rounds *r, LLVMBasicBlockRef next,
                       LLVMBasicBlockRef header)
{
    size_t pauses = 0;

    for (LLVMBasicBlockRef b = next; b != header;) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        add_block(&r->again, b);
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end) ||
            r->again.count > ROUND_MOST)
            return false;
        b = LLVMGetSuccessor(end, 0);
        if (b != header && !has_one_use(LLVMBasicBlockAsValue(b)))
            return false;
    }
    while (pauses < r->again.count &&
           delays_is_pause(p, r->again.list[pauses], 0))
        pauses++;
    for (size_t i = pauses; i < r->again.count; i++)
        r->again.list[i - pauses] = r->again.list[i];
    r->again.count -= pauses;
    return r->again.count > 0;
}

/* As many at the end of the block before the loop. */
static bool find_first(struct rounds *r, LLVMBasicBlockRef before)
{
    size_t more;

    add_block(&r->first, before);
    if (r->first.count < r->again.count)
        return false;
    more = r->first.count - r->again.count;
    for (size_t i = 0; i < r->again.count; i++)
        r->first.list[i] = r->first.list[i + more];
    r->first.count = r->again.count;
    return true;
}

/* ---- Are they the same? ---- */

static bool is_among(const instructions *all, LLVMValueRef v)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == v)
            return true;
    }
    return false;
}

static bool is_used_by(const instructions *all, LLVMValueRef v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (!is_among(all, LLVMGetUser(u)))
            return false;
    }
    return true;
}

/* Two temporaries, each of its round alone. */
static bool are_temporaries(const struct rounds *r, LLVMValueRef first,
                            LLVMValueRef again)
{
    return LLVMIsAAllocaInst(first) && LLVMIsAAllocaInst(again) &&
           LLVMGetAllocatedType(first) == LLVMGetAllocatedType(again) &&
           rotate_slot(first) && rotate_slot(again) &&
           map_get_pointer(&r->written, again) &&
           is_used_by(&r->first, first) && is_used_by(&r->again, again);
}

static bool same_value(struct rounds *r, LLVMValueRef first, LLVMValueRef again)
{
    uint64_t *twin = map_get_pointer(&r->twin, again);

    if (twin)
        return *twin == (uintptr_t)first;
    if (first == again)
        return true;
    if (!are_temporaries(r, first, again))
        return false;
    *map_put_pointer(&r->twin, again) = (uintptr_t)first;
    return true;
}

static bool same_access(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMGetVolatile(a) == LLVMGetVolatile(b) &&
           LLVMGetOrdering(a) == LLVMGetOrdering(b);
}

static bool same_callee(LLVMValueRef a, LLVMValueRef b)
{
    return ir_callee(a) && ir_callee(a) == ir_callee(b) &&
           !LLVMIsAMemIntrinsic(a);
}

/* Besides their operands. */
static bool same_kind(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    switch (LLVMGetInstructionOpcode(a)) {
    case LLVMLoad:
    case LLVMStore:
        return same_access(a, b);
    case LLVMGetElementPtr:
        return LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
    case LLVMICmp:
        return LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b);
    case LLVMCall:
        return same_callee(a, b);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return true;
    default:
        return false;
    }
}

static bool same_instruction(struct rounds *r, LLVMValueRef first,
                             LLVMValueRef again)
{
    if (!same_kind(first, again))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(first); i++) {
        if (!same_value(r, LLVMGetOperand(first, (unsigned)i),
                        LLVMGetOperand(again, (unsigned)i)))
            return false;
    }
    *map_put_pointer(&r->twin, again) = (uintptr_t)first;
    return true;
}

static bool are_same(struct rounds *r)
{
    for (size_t i = 0; i < r->again.count; i++) {
        if (!same_instruction(r, r->first.list[i], r->again.list[i]))
            return false;
    }
    return true;
}

/* ---- Does it matter what was in the variables? ---- */

/* The variable that is written as a whole. */
static LLVMValueRef whole_slot(LLVMValueRef store)
{
    LLVMValueRef to = LLVMGetOperand(store, 1);

    return LLVMIsAAllocaInst(to) && LLVMTypeOf(LLVMGetOperand(store, 0)) ==
                                        LLVMGetAllocatedType(to)
               ? to
               : NULL;
}

static bool find_written(struct rounds *r)
{
    for (size_t i = 0; i < r->again.count; i++) {
        LLVMValueRef inst = r->again.list[i];

        if (!LLVMIsAStoreInst(inst) || !rotate_slot(LLVMGetOperand(inst, 1)))
            continue;
        if (!whole_slot(inst))
            return false;
        *map_put_pointer(&r->written, whole_slot(inst)) = 1;
    }
    return true;
}

/* Those that it writes it writes before it reads them. */
static bool forgets(struct rounds *r)
{
    for (size_t i = 0; i < r->again.count; i++) {
        LLVMValueRef inst = r->again.list[i], slot;
        uint64_t *written;

        if (LLVMIsAStoreInst(inst)) {
            slot = rotate_slot(LLVMGetOperand(inst, 1));
            if (slot)
                *map_put_pointer(&r->written, slot) = 2;
        } else if (LLVMIsALoadInst(inst)) {
            slot = rotate_slot(LLVMGetOperand(inst, 0));
            written = slot ? map_get_pointer(&r->written, slot) : NULL;
            if (written && *written == 1)
                return false;
        }
    }
    return true;
}

/* ---- Its block ---- */

/* From there on to the end of its block. */
static LLVMBasicBlockRef split_before(struct pass *p, LLVMValueRef inst)
{
    LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
    LLVMBasicBlockRef to =
        LLVMInsertBasicBlockInContext(p->context, b, "first");

    LLVMMoveBasicBlockAfter(to, b);
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    LLVMPositionBuilderAtEnd(p->builder, to);
    while (inst) {
        LLVMValueRef next = LLVMGetNextInstruction(inst);

        LLVMInstructionRemoveFromParent(inst);
        LLVMInsertIntoBuilder(p->builder, inst);
        inst = next;
    }
    LLVMPositionBuilderAtEnd(p->builder, b);
    LLVMBuildBr(p->builder, to);
    return to;
}

LLVMBasicBlockRef first_round_find(struct pass *p, LLVMBasicBlockRef before,
                                   LLVMBasicBlockRef header,
                                   LLVMBasicBlockRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(before);
    struct rounds r = {0};
    LLVMBasicBlockRef found = NULL;

    if (LLVMIsABranchInst(end) && !LLVMIsConditional(end) &&
        find_again(p, &r, next, header) && find_first(&r, before) &&
        find_written(&r) && are_same(&r) && forgets(&r))
        found = split_before(p, r.first.list[0]);
    VEC_FREE(&r.first);
    VEC_FREE(&r.again);
    map_free(&r.twin);
    map_free(&r.written);
    return found;
}
