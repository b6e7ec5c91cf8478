/* SPDX-License-Identifier: MIT
 *
 * The code that labels need.  As the fast paths (fast.h) it is functions of the
 * module, which have no bodies until the program is optimised.  Where no thread
 * has read anything yet, and under strategies that do not ask for labels, all
 * labels are 0, and each verb is one test.
 */
#include <string.h>

#include "base/check.h"
#include "instrument/labels_inside.h"

static const struct {
    const char *name, *result, *parameters;
} verbs[] = {
    [VERB_UNION] = {"fencer.label.union", "i", "ii"},
    [VERB_PICK] = {"fencer.label.pick", "i", "ii"},
    [VERB_GIVE] = {"fencer.label.give", "v", "ii"},
    [VERB_EXPECT] = {"fencer.label.expect", "v", "i"},
    [VERB_RESULT] = {"fencer.label.result", "i", ""},
    [VERB_RECALL] = {"fencer.label.recall", "i", "pl"},
    [VERB_KEEP] = {"fencer.label.keep", "v", "pli"},
    [VERB_COPY] = {"fencer.label.copy", "v", "ppl"},
    [VERB_BRANCH] = {"fencer.label.branch", "v", "i"},
    [VERB_CALLED] = {"fencer.label.called", "b", "p"},
};

static LLVMValueRef verb_function(struct pass *p, enum verb verb)
{
    LLVMValueRef f = LLVMGetNamedFunction(p->module, verbs[verb].name);
    LLVMTypeRef types[3];
    unsigned count = (unsigned)strlen(verbs[verb].parameters);

    if (f)
        return f;
    for (unsigned i = 0; i < count; i++)
        types[i] = ir_type(p, verbs[verb].parameters[i]);
    return LLVMAddFunction(
        p->module, verbs[verb].name,
        LLVMFunctionType(ir_type(p, *verbs[verb].result), types, count, 0));
}

LLVMValueRef labels_slots(struct pass *p)
{
    return ir_variable(p, "__fencer_labels",
                       LLVMArrayType2(p->i32, LABEL_SLOTS));
}

LLVMValueRef labels_callee(struct pass *p)
{
    return ir_variable(p, "__fencer_callee", p->ptr);
}

/* ---- Uses ---- */

LLVMValueRef labels_none(struct labels *s)
{
    return ir_i32(s->p, 0);
}

bool labels_is_none(LLVMValueRef label)
{
    return LLVMIsConstant(label) && LLVMIsNull(label);
}

static LLVMValueRef slot_in(struct pass *p, LLVMBuilderRef b,
                            LLVMValueRef slots, unsigned slot)
{
    LLVMValueRef at = ir_i64(p, 4ull * slot);

    return LLVMBuildGEP2(b, p->i8, slots, &at, 1, "");
}

LLVMValueRef labels_slot(struct labels *s, unsigned slot)
{
    return slot_in(s->p, s->p->builder, s->slots, slot);
}

LLVMValueRef labels_do(struct labels *s, enum verb verb, LLVMValueRef *args,
                       unsigned count)
{
    LLVMValueRef f = verb_function(s->p, verb);

    return LLVMBuildCall2(s->p->builder, LLVMGlobalGetValueType(f), f, args,
                          count, "");
}

LLVMValueRef labels_union(struct labels *s, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b};

    if (a == b || labels_is_none(b))
        return a;
    return labels_is_none(a) ? b : labels_do(s, VERB_UNION, args, 2);
}

LLVMValueRef labels_pick(struct labels *s, LLVMValueRef a, LLVMValueRef by)
{
    LLVMValueRef args[] = {a, by};

    return labels_is_none(by) ? a : labels_do(s, VERB_PICK, args, 2);
}

void labels_give(struct labels *s, LLVMValueRef address, LLVMValueRef data)
{
    LLVMValueRef args[] = {address, data};

    if (!labels_is_none(address) || !labels_is_none(data))
        labels_do(s, VERB_GIVE, args, 2);
}

void labels_branch(struct labels *s, LLVMValueRef label)
{
    if (!labels_is_none(label))
        labels_do(s, VERB_BRANCH, &label, 1);
}

LLVMValueRef labels_recall(struct labels *s, LLVMValueRef from, uint64_t bytes)
{
    LLVMValueRef args[] = {from, ir_i64(s->p, bytes)};

    return labels_do(s, VERB_RECALL, args, 2);
}

void labels_keep(struct labels *s, LLVMValueRef at, LLVMValueRef bytes,
                 LLVMValueRef label)
{
    LLVMValueRef args[] = {at, bytes, label};

    labels_do(s, VERB_KEEP, args, 3);
}

LLVMValueRef labels_bytes(struct labels *s, LLVMValueRef count)
{
    return LLVMBuildZExtOrBitCast(s->p->builder, count, s->p->i64, "");
}

/* ---- Bodies ---- */

static LLVMValueRef attribute_value(struct pass *p, enum attribute which,
                                    uint64_t value, LLVMValueRef f)
{
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(p->context, p->attribute[which], value));
    return f;
}

/* Two bits for each of three sorts of memory: none of it; all of it is read. */
#define TOUCHES_NOTHING 0
#define READS_MEMORY 0x15

void labels_promise(struct pass *p)
{
    for (enum verb v = 0; v < VERB_COUNT; v++) {
        LLVMValueRef f = LLVMGetNamedFunction(p->module, verbs[v].name);

        if (!f)
            continue;
        attribute_value(p, ATTRIBUTE_NOUNWIND, 0, f);
        attribute_value(p, ATTRIBUTE_WILLRETURN, 0, f);
        if (v == VERB_UNION || v == VERB_PICK)
            attribute_value(p, ATTRIBUTE_MEMORY, TOUCHES_NOTHING, f);
        if (v == VERB_RESULT || v == VERB_RECALL)
            attribute_value(p, ATTRIBUTE_MEMORY, READS_MEMORY, f);
    }
}

/* A body that is being written. */
struct body {
    struct pass *p;
    LLVMValueRef f;
    LLVMBuilderRef b;
    LLVMValueRef slots, callee;
};

static LLVMBasicBlockRef new_block(struct body *y)
{
    return LLVMAppendBasicBlockInContext(y->p->context, y->f, "");
}

static LLVMValueRef param(struct body *y, unsigned i)
{
    return LLVMGetParam(y->f, i);
}

/* Returns `then` (NULL: nothing) if it is true; else goes on. */
static void return_if(struct body *y, LLVMValueRef is, LLVMValueRef then)
{
    LLVMBasicBlockRef out = new_block(y), on = new_block(y);

    LLVMSetMetadata(LLVMBuildCondBr(y->b, is, out, on), y->p->md_prof,
                    y->p->unlikely);
    LLVMPositionBuilderAtEnd(y->b, out);
    if (then)
        LLVMBuildRet(y->b, then);
    else
        LLVMBuildRetVoid(y->b);
    LLVMPositionBuilderAtEnd(y->b, on);
}

static LLVMValueRef is_zero(struct body *y, LLVMValueRef v)
{
    return LLVMBuildIsNull(y->b, v, "");
}

static LLVMValueRef is_unseen(struct body *y)
{
    return LLVMBuildIsNotNull(
        y->b, LLVMBuildLoad2(y->b, y->p->i64, y->p->mask, ""), "");
}

/* The hook gets what the verb got. */
static LLVMValueRef call_hook(struct body *y, enum hook hook)
{
    LLVMValueRef args[3];

    LLVMGetParams(y->f, args);
    return LLVMBuildCall2(y->b, y->p->hook_type[hook], ir_hook(y->p, hook),
                          args, LLVMCountParams(y->f), "");
}

static void put_slot(struct body *y, unsigned slot, LLVMValueRef label)
{
    LLVMBuildStore(y->b, label, slot_in(y->p, y->b, y->slots, slot));
}

static void write_union(struct body *y)
{
    LLVMValueRef a = param(y, 0), b = param(y, 1);

    return_if(y, is_zero(y, b), a);
    return_if(y, LLVMBuildICmp(y->b, LLVMIntEQ, a, b, ""), a);
    return_if(y, is_zero(y, a), b);
    LLVMBuildRet(y->b, call_hook(y, HOOK_label_union));
}

static void write_called(struct body *y)
{
    LLVMTypeRef i8 = y->p->i8;
    LLVMValueRef found = LLVMBuildLoad2(y->b, y->p->ptr, y->callee, "");

    LLVMBuildStore(y->b, LLVMConstNull(y->p->ptr), y->callee);
    return_if(y, LLVMBuildICmp(y->b, LLVMIntEQ, found, param(y, 0), ""),
              LLVMConstInt(i8, 1, 0));
    return_if(y, is_unseen(y), LLVMConstNull(i8));
    LLVMBuildCall2(y->b, y->p->hook_type[HOOK_label_callback],
                   ir_hook(y->p, HOOK_label_callback), NULL, 0, "");
    LLVMBuildRet(y->b, LLVMConstNull(i8));
}

static void write_give(struct body *y)
{
    return_if(y, is_zero(y, LLVMBuildOr(y->b, param(y, 0), param(y, 1), "")),
              NULL);
    put_slot(y, LABEL_ADDR, param(y, 0));
    put_slot(y, LABEL_DATA, param(y, 1));
    LLVMBuildRetVoid(y->b);
}

static void write_body(struct body *y, enum verb verb)
{
    LLVMValueRef none = ir_i32(y->p, 0);

    switch (verb) {
    case VERB_UNION:
        write_union(y);
        break;
    case VERB_PICK:
        return_if(y, is_zero(y, param(y, 1)), param(y, 0));
        LLVMBuildRet(y->b, call_hook(y, HOOK_label_pick));
        break;
    case VERB_GIVE:
        write_give(y);
        break;
    case VERB_EXPECT:
        return_if(y, is_zero(y, param(y, 0)), NULL);
        put_slot(y, LABEL_COMPARED, param(y, 0));
        LLVMBuildRetVoid(y->b);
        break;
    case VERB_RESULT:
        LLVMBuildRet(y->b,
                     LLVMBuildLoad2(y->b, y->p->i32,
                                    slot_in(y->p, y->b, y->slots, LABEL_RESULT),
                                    ""));
        break;
    case VERB_RECALL:
        return_if(y, is_unseen(y), none);
        LLVMBuildRet(y->b, call_hook(y, HOOK_label_recall));
        break;
    case VERB_KEEP:
    case VERB_COPY:
        return_if(y, is_unseen(y), NULL);
        call_hook(y, verb == VERB_KEEP ? HOOK_label_keep : HOOK_label_copy);
        LLVMBuildRetVoid(y->b);
        break;
    case VERB_BRANCH:
        return_if(y, is_zero(y, param(y, 0)), NULL);
        call_hook(y, HOOK_label_branch);
        LLVMBuildRetVoid(y->b);
        break;
    case VERB_CALLED:
        write_called(y);
        break;
    default:
        CHECK(false);
    }
}

void labels_write_bodies(struct pass *p)
{
    for (enum verb v = 0; v < VERB_COUNT; v++) {
        LLVMValueRef f = LLVMGetNamedFunction(p->module, verbs[v].name);
        struct body y = {.p = p, .f = f};

        if (!f || !LLVMIsDeclaration(f))
            continue;
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                       p->attribute[ATTRIBUTE_MEMORY]);
        y.slots = labels_slots(p);
        y.callee = labels_callee(p);
        y.b = LLVMCreateBuilderInContext(p->context);
        attribute_value(p, ATTRIBUTE_ALWAYSINLINE, 0, f);
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMPositionBuilderAtEnd(y.b, new_block(&y));
        write_body(&y, v);
        LLVMDisposeBuilder(y.b);
    }
}
