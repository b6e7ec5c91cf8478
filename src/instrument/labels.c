/* SPDX-License-Identifier: MIT
 *
 * Labels of values, and what accesses are told of them.
 *
 *     %p = load head           labels: result -> l1 = {this load}
 *     %q = gep %p, 8           l1
 *     store %v, %q             give(l1, label of %v) before it
 *
 * A label is made when somebody asks for it, next to its value; so values that
 * decide nothing cost nothing.  Cycles of values go through phis, whose labels
 * are filled in at the end.
 */
#include "instrument/labels_inside.h"

#include <stdlib.h>

#include "base/check.h"

struct labels *labels_new(struct pass *p, const struct item *items,
                          size_t count)
{
    struct labels *s = calloc(1, sizeof(*s));

    CHECK(s);
    s->p = p;
    s->item_list = items;
    s->slots = labels_slots(p);
    s->callee = labels_callee(p);
    for (size_t i = 0; i < count; i++)
        *map_put_pointer(&s->items, items[i].inst) = i + 1;
    return s;
}

const struct item *labels_item(struct labels *s, LLVMValueRef inst)
{
    uint64_t *i = map_get_pointer(&s->items, inst);

    return i ? &s->item_list[*i - 1] : NULL;
}

void labels_look_at(struct labels *s, LLVMValueRef function)
{
    VEC_PUSH(&s->functions, function);
    EACH_INSTRUCTION (i, function) {
        /* Nothing is done for these, and loops.c puts others in their place. */
        if (LLVMIsAPHINode(i) ||
            (LLVMIsABranchInst(i) && !LLVMIsConditional(i)))
            continue;
        VEC_PUSH(&s->all, i);
        if (LLVMIsABranchInst(i) && LLVMIsConditional(i)) {
            labels_note_choice(s, i);
            labels_note_deciders(s, i);
        }
    }
}

/* ---- Memory ---- */

static bool is_atomic(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
}

static bool is_elsewhere(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0;
}

/* Does it become no hook?  It is as instrument_access.c judges. */
static bool is_own_load(struct labels *s, LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0);

    return !is_atomic(load) &&
           (labels_item(s, load)->from_private || access_is_constant(address) ||
            is_elsewhere(address) || !ir_size(s->p, LLVMTypeOf(load)));
}

static bool is_own_store(struct labels *s, LLVMValueRef store)
{
    return !is_atomic(store) &&
           (labels_item(s, store)->to_private ||
            access_is_auto_init(s->p, store) ||
            is_elsewhere(LLVMGetOperand(store, 1)) ||
            !ir_size(s->p, LLVMTypeOf(LLVMGetOperand(store, 0))));
}

static bool is_constant_load(LLVMValueRef load)
{
    return !is_atomic(load) && access_is_constant(LLVMGetOperand(load, 0));
}

/* ---- Which values have surely none ---- */

enum plain { PLAIN_UNKNOWN, PLAIN_UNTIL_FOUND_OUT, PLAIN_YES, PLAIN_NO };

struct asked {
    VEC(LLVMValueRef);
};

static void ask(struct labels *s, struct asked *list, LLVMValueRef v)
{
    uint64_t *state;

    if (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v))
        return;
    state = map_put_pointer(&s->plain, v);
    if (*state != PLAIN_UNKNOWN && *state != PLAIN_NO)
        return;
    if (*state == PLAIN_UNKNOWN)
        *state = PLAIN_UNTIL_FOUND_OUT;
    VEC_PUSH(list, v);
}

/* False: it may have one of its own. */
static bool ask_operands(struct labels *s, struct asked *list, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v))
        return false; /* an argument */
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
        if (!is_constant_load(v))
            return false;
        break;
    case LLVMCall:
        return labels_call_is_plain(s, v);
    case LLVMCallBr:
    case LLVMInvoke:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return false;
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            ask(s, list, LLVMGetIncomingValue(v, i));
        for (const struct choice *c =
                 labels_choice_at(s, LLVMGetInstructionParent(v), NULL);
             c; c = labels_choice_at(s, LLVMGetInstructionParent(v), c))
            ask(s, list, c->condition);
        return true;
    default:
        break;
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        ask(s, list, LLVMGetOperand(v, (unsigned)i));
    return true;
}

/* Follows the value back; if nothing on the way has a label, none has. */
static bool is_plain(struct labels *s, LLVMValueRef v)
{
    struct asked list = {0};
    uint64_t *known = map_get_pointer(&s->plain, v);
    bool plain = true;

    if (known && *known != PLAIN_UNKNOWN)
        return *known == PLAIN_YES;
    ask(s, &list, v);
    for (size_t i = 0; i < list.count && plain; i++)
        plain = *map_get_pointer(&s->plain, list.list[i]) != PLAIN_NO &&
                ask_operands(s, &list, list.list[i]);
    for (size_t i = 0; i < list.count; i++) {
        uint64_t *state = map_get_pointer(&s->plain, list.list[i]);

        if (*state == PLAIN_UNTIL_FOUND_OUT)
            *state = plain ? PLAIN_YES : PLAIN_UNKNOWN;
    }
    if (!plain)
        *map_put_pointer(&s->plain, v) = PLAIN_NO;
    VEC_FREE(&list);
    return plain;
}

/* ---- Labels of values ---- */

LLVMValueRef labels_of_operands(struct labels *s, LLVMValueRef inst,
                                unsigned but)
{
    unsigned count = (unsigned)LLVMGetNumOperands(inst) - but;
    LLVMValueRef label = labels_none(s);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef more = labels_of(s, LLVMGetOperand(inst, i));

        ir_before(s->p, inst);
        label = labels_union(s, label, more);
    }
    return label;
}

static LLVMValueRef label_of_phi(struct labels *s, LLVMValueRef phi)
{
    LLVMPositionBuilderBefore(
        s->p->builder, LLVMGetFirstInstruction(LLVMGetInstructionParent(phi)));
    LLVMSetCurrentDebugLocation2(s->p->builder, NULL);
    VEC_PUSH(&s->phis, phi);
    return LLVMBuildPhi(s->p->builder, s->p->i32, "");
}

/* What is read from memory of the thread's own depends on what was stored
 * there, and on where it was read. */
static LLVMValueRef label_of_load(struct labels *s, LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0), label;

    if (!is_own_load(s, load)) {
        ir_after(s->p, load);
        return labels_do(s, VERB_RESULT, NULL, 0);
    }
    label = labels_of(s, address);
    ir_before(s->p, load);
    if (labels_item(s, load)->from_private)
        label = labels_union(
            s, label,
            labels_recall(s, address, ir_size(s->p, LLVMTypeOf(load))));
    return label;
}

static LLVMValueRef label_of_select(struct labels *s, LLVMValueRef inst)
{
    LLVMValueRef by = LLVMGetOperand(inst, 0);
    LLVMValueRef condition = labels_of(s, by);
    LLVMValueRef yes = labels_of(s, LLVMGetOperand(inst, 1));
    LLVMValueRef no = labels_of(s, LLVMGetOperand(inst, 2)), label;

    ir_before(s->p, inst);
    if (LLVMTypeOf(by) != s->p->i1) /* a vector of choices */
        return labels_union(s, condition, labels_union(s, yes, no));
    label = yes == no ? yes : LLVMBuildSelect(s->p->builder, by, yes, no, "");
    return LLVMTypeOf(inst) == s->p->i1 ? labels_union(s, label, condition)
                                        : labels_pick(s, label, condition);
}

/* The flag of a CAS also depends on what that compares with. */
static LLVMValueRef label_of_extract(struct labels *s, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0), label = labels_of(s, from);

    if (LLVMIsAAtomicCmpXchgInst(from) && *LLVMGetIndices(inst) == 1) {
        LLVMValueRef expected = labels_of(s, LLVMGetOperand(from, 1));

        ir_before(s->p, inst);
        label = labels_union(s, label, expected);
    }
    return label;
}

static LLVMValueRef make_label(struct labels *s, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMPHI:
        return label_of_phi(s, inst);
    case LLVMLoad:
        return label_of_load(s, inst);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        ir_after(s->p, inst);
        return labels_do(s, VERB_RESULT, NULL, 0);
    case LLVMSelect:
        return label_of_select(s, inst);
    case LLVMExtractValue:
        return label_of_extract(s, inst);
    case LLVMCall:
        return labels_of_call(s, inst);
    case LLVMAlloca:
    case LLVMCallBr:
    case LLVMInvoke:
    case LLVMLandingPad:
        return labels_none(s);
    default:
        return labels_of_operands(s, inst, 0);
    }
}

LLVMValueRef labels_of(struct labels *s, LLVMValueRef v)
{
    uint64_t *known = map_get_pointer(&s->of, v);
    LLVMValueRef label;

    if (known)
        return (LLVMValueRef)(uintptr_t)*known;
    if (!LLVMIsAInstruction(v) || is_plain(s, v))
        return labels_none(s);
    label = make_label(s, v);
    *map_put_pointer(&s->of, v) = (uintptr_t)label;
    return label;
}

/* ---- What is told ---- */

/* Of memory that is no event: a machine knows no later store before it knows
 * where an earlier access goes, so its address decides as a branch does. */
static void treat_load(struct labels *s, LLVMValueRef load)
{
    LLVMValueRef address = labels_of(s, LLVMGetOperand(load, 0));

    ir_before(s->p, load);
    if (is_own_load(s, load))
        labels_branch(s, address);
    else
        labels_give(s, address, labels_none(s));
}

static void treat_store(struct labels *s, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMValueRef to = LLVMGetOperand(store, 1);
    LLVMValueRef data = labels_of(s, value), address = labels_of(s, to);

    ir_before(s->p, store);
    if (!is_own_store(s, store)) {
        labels_give(s, address, data);
    } else if (!is_elsewhere(to)) {
        labels_branch(s, address);
        labels_keep(s, to, ir_i64(s->p, ir_size(s->p, LLVMTypeOf(value))),
                    labels_union(s, data, address));
    }
}

static void treat_rmw(struct labels *s, LLVMValueRef inst)
{
    bool cas = LLVMIsAAtomicCmpXchgInst(inst);
    LLVMValueRef address = labels_of(s, LLVMGetOperand(inst, 0));
    LLVMValueRef data = labels_of(s, LLVMGetOperand(inst, cas ? 2 : 1));
    LLVMValueRef expected =
        cas ? labels_of(s, LLVMGetOperand(inst, 1)) : labels_none(s);

    ir_before(s->p, inst);
    labels_give(s, address, data);
    if (!labels_is_none(expected))
        labels_do(s, VERB_EXPECT, &expected, 1);
}

static void treat_branch(struct labels *s, LLVMValueRef inst)
{
    LLVMValueRef label;

    if (map_get_pointer(&s->chosen, inst))
        return;
    label = labels_of(s, LLVMIsABranchInst(inst) ? LLVMGetCondition(inst)
                                                 : LLVMGetOperand(inst, 0));
    ir_before(s->p, inst);
    labels_branch(s, label);
}

static void treat_inst(struct labels *s, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        treat_load(s, inst);
        break;
    case LLVMStore:
        treat_store(s, inst);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        treat_rmw(s, inst);
        break;
    case LLVMBr:
        if (LLVMIsConditional(inst))
            treat_branch(s, inst);
        break;
    case LLVMSwitch:
    case LLVMIndirectBr:
        treat_branch(s, inst);
        break;
    case LLVMCall:
        labels_treat_call(s, inst);
        break;
    case LLVMRet:
        if (LLVMGetNumOperands(inst))
            VEC_PUSH(&s->returnings,
                     {inst, labels_of(s, LLVMGetOperand(inst, 0))});
        break;
    default:
        break;
    }
}

/* Labels of what comes in may be of phis that nobody asked for yet. */
static void fill_phis(struct labels *s)
{
    for (size_t i = 0; i < s->phis.count; i++) {
        LLVMValueRef phi = s->phis.list[i], label = labels_of(s, phi);

        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef in = labels_of_incoming(s, phi, k);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);

            LLVMAddIncoming(label, &in, &from, 1);
        }
    }
}

void labels_put(struct labels *s)
{
    for (size_t i = 0; i < s->functions.count; i++)
        labels_enter(s, s->functions.list[i]);
    for (size_t i = 0; i < s->all.count; i++)
        treat_inst(s, s->all.list[i]);
    fill_phis(s);
}

void labels_finish(struct labels *s)
{
    labels_hand_over(s);
    map_free(&s->items);
    map_free(&s->of);
    map_free(&s->plain);
    map_free(&s->choices_at);
    map_free(&s->chosen);
    VEC_FREE(&s->functions);
    VEC_FREE(&s->all);
    VEC_FREE(&s->phis);
    VEC_FREE(&s->choices);
    VEC_FREE(&s->passings);
    VEC_FREE(&s->returnings);
    free(s);
}
