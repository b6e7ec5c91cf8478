/* SPDX-License-Identifier: MIT
 *
 * Branches that only choose values.  At -O0 `r ? a : b` is a branch, and so is
 * what clang writes after every atomic_compare_exchange, to store what was
 * found where it was expected from.  No compiler that optimises keeps these:
 * they become selections, which order far less.  A branch is taken for one if
 * each of its arms is nothing or one block that does nothing but compute and
 * write memory of the thread's own, and both go to the same place:
 *
 *     B -> T -> J,  B -> J          B -> T -> J,  B -> F -> J
 *
 * What the phis at J get then picks up the condition; the written-back value of
 * a CAS does not, for it is what the CAS found on either way.  Truth values are
 * computed from both, as `a && b` is.
 */
#include "instrument/labels_inside.h"

#include "base/check.h"

/* The only block that goes there, or NULL. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;

    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsATerminatorInst(user) ||
            (found && found != LLVMGetInstructionParent(user)))
            return NULL;
        found = LLVMGetInstructionParent(user);
    }
    return found;
}

static bool is_quiet_call(LLVMValueRef call)
{
    LLVMValueRef callee = ir_callee(call);

    return callee && LLVMGetIntrinsicID(callee) &&
           (ir_is_intrinsic(callee, "llvm.dbg.") ||
            ir_is_intrinsic(callee, "llvm.lifetime."));
}

static bool is_quiet(struct labels *s, LLVMValueRef inst)
{
    const struct item *item = labels_item(s, inst);

    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        return LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic &&
               (item->from_private ||
                access_is_constant(LLVMGetOperand(inst, 0)));
    case LLVMStore:
        return LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic &&
               item->to_private;
    case LLVMCall:
        return is_quiet_call(inst);
    case LLVMBr:
        return !LLVMIsConditional(inst);
    default:
        return !item && !LLVMIsATerminatorInst(inst);
    }
}

/* Where that arm of the block leads, if it is quiet; else NULL. */
static LLVMBasicBlockRef end_of_arm(struct labels *s, LLVMBasicBlockRef block,
                                    LLVMBasicBlockRef arm)
{
    if (only_before(arm) != block)
        return NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(arm); i;
         i = LLVMGetNextInstruction(i)) {
        if (!is_quiet(s, i))
            return NULL;
    }
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(arm), 0);
}

static bool is_flag_of_cas(LLVMValueRef v)
{
    return LLVMIsAExtractValueInst(v) &&
           LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0)) &&
           *LLVMGetIndices(v) == 1;
}

static bool find_join(struct labels *s, LLVMValueRef branch, struct choice *c)
{
    LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0);
    LLVMBasicBlockRef no = LLVMGetSuccessor(branch, 1);
    LLVMBasicBlockRef after_yes = end_of_arm(s, c->block, yes);
    LLVMBasicBlockRef after_no = end_of_arm(s, c->block, no);

    if (yes == no)
        return false;
    if (after_yes && after_yes == no) {
        c->arms[0] = yes;
        c->join = no;
    } else if (after_no && after_no == yes) {
        c->arms[1] = no;
        c->join = yes;
    } else if (after_yes && after_yes == after_no) {
        c->arms[0] = yes;
        c->arms[1] = no;
        c->join = after_yes;
    }
    return c->join && c->join != c->block;
}

void labels_note_choice(struct labels *s, LLVMValueRef branch)
{
    struct choice c = {.condition = LLVMGetCondition(branch),
                       .block = LLVMGetInstructionParent(branch)};
    uint64_t *first;

    if (!find_join(s, branch, &c))
        return;
    c.of_cas = is_flag_of_cas(c.condition);
    first = map_put_pointer(&s->choices_at, c.join);
    c.next = *first;
    VEC_PUSH(&s->choices, c);
    *first = s->choices.count;
    *map_put_pointer(&s->chosen, branch) = s->choices.count;
}

const struct choice *labels_choice_at(struct labels *s, LLVMBasicBlockRef join,
                                      const struct choice *before)
{
    uint64_t *first = map_get_pointer(&s->choices_at, join);
    size_t number = before ? before->next : first ? *first : 0;

    return number ? &s->choices.list[number - 1] : NULL;
}

static bool comes_from(const struct choice *c, LLVMBasicBlockRef block)
{
    return block &&
           (block == c->block || block == c->arms[0] || block == c->arms[1]);
}

LLVMValueRef labels_of_incoming(struct labels *s, LLVMValueRef phi,
                                unsigned number)
{
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, number);
    LLVMValueRef label = labels_of(s, LLVMGetIncomingValue(phi, number));
    LLVMBasicBlockRef join = LLVMGetInstructionParent(phi);

    for (const struct choice *c = labels_choice_at(s, join, NULL); c;
         c = labels_choice_at(s, join, c)) {
        LLVMValueRef by;

        /* The ticks may have split the edge. */
        if (c->of_cas ||
            (!comes_from(c, from) && !comes_from(c, only_before(from))))
            continue;
        by = labels_of(s, c->condition);
        ir_before(s->p, LLVMGetBasicBlockTerminator(from));
        label = LLVMTypeOf(phi) == s->p->i1 ? labels_union(s, label, by)
                                            : labels_pick(s, label, by);
    }
    return label;
}

/* ---- Loads that decide ---- */

static bool is_in_between(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFreeze:
    case LLVMGetElementPtr:
        return true;
    case LLVMCall:
        return is_quiet_call(inst);
    default:
        return LLVMIsACastInst(inst) || LLVMIsABinaryOperator(inst);
    }
}

/* Is there nothing from the load to the branch that others see but loads? */
static bool is_right_before(LLVMValueRef load, LLVMValueRef branch)
{
    LLVMValueRef i = LLVMGetNextInstruction(load);

    while (i && i != branch && is_in_between(i))
        i = LLVMGetNextInstruction(i);
    return i == branch;
}

static bool computes(LLVMValueRef v)
{
    return LLVMIsAICmpInst(v) || LLVMIsAFCmpInst(v) || LLVMIsACastInst(v) ||
           LLVMIsABinaryOperator(v) || LLVMIsAFreezeInst(v);
}

static void note_deciders(struct labels *s, LLVMValueRef v, LLVMValueRef branch)
{
    if (!LLVMIsAInstruction(v) ||
        LLVMGetInstructionParent(v) != LLVMGetInstructionParent(branch))
        return;
    if (LLVMIsALoadInst(v) && is_right_before(v, branch))
        *map_put_pointer(&s->p->deciders, v) = 1;
    if (!computes(v))
        return;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        note_deciders(s, LLVMGetOperand(v, i), branch);
}

void labels_note_deciders(struct labels *s, LLVMValueRef branch)
{
    if (!map_get_pointer(&s->chosen, branch))
        note_deciders(s, LLVMGetCondition(branch), branch);
}
