/* SPDX-License-Identifier: MIT
 *
 * Labels across calls.
 *
 *   a function of the program   arguments and result go through slots
 *   called by who knows whom    the same, if __fencer_callee says that the
 *                               slots are meant for it; else it gets none
 *   a function of the library   its result depends on its arguments; if it is
 *                               modelled also on what the model loads
 * meanwhile; if it reads, on what is in memory it is given memcpy, memset bytes
 * carry their labels inline assembly             as a hook with all its
 * operands
 *
 * Variable arguments share one label, which the va_list has, so that whatever
 * is taken from it depends on all of them.
 */
#include <string.h>

#include "base/check.h"
#include "event/externs.h"
#include "instrument/labels_inside.h"

#define REST (LABEL_ARGUMENTS_MAX - 1) /* number of the last slot */
#define VA_LIST_BYTES 24

/* ---- What is called ---- */

enum callee {
    CALLEE_OWN,      /* a function of the program, or unknown which */
    CALLEE_ASSEMBLY, /* inline */
    CALLEE_COPIES,
    CALLEE_FILLS,
    CALLEE_VA_START,
    CALLEE_VA_COPY,
    CALLEE_NOTHING, /* intrinsics without a meaning for machines */
    CALLEE_MODELLED,
    CALLEE_READS,
    CALLEE_COMPUTES /* other functions of the library, and intrinsics */
};

static enum callee kind_of_intrinsic(LLVMValueRef f)
{
    if (ir_is_intrinsic(f, "llvm.va_start"))
        return CALLEE_VA_START;
    if (ir_is_intrinsic(f, "llvm.va_copy"))
        return CALLEE_VA_COPY;
    return LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) ==
                   LLVMVoidTypeKind
               ? CALLEE_NOTHING
               : CALLEE_COMPUTES;
}

static enum callee kind_of(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef f = ir_callee(call);
    const struct extern_row *row;

    if (!f)
        return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? CALLEE_ASSEMBLY
                                                          : CALLEE_OWN;
    if (calls_copying(s->p, call) == COPIES_MEMORY)
        return CALLEE_COPIES;
    if (calls_copying(s->p, call) == FILLS_MEMORY)
        return CALLEE_FILLS;
    if (LLVMGetIntrinsicID(f))
        return kind_of_intrinsic(f);
    if (!LLVMIsDeclaration(f))
        return CALLEE_OWN;
    row = extern_find(ir_name(s->p, f));
    if (row && row->class == EXTERN_MODELLED)
        return CALLEE_MODELLED;
    return row && row->class == EXTERN_READS ? CALLEE_READS : CALLEE_COMPUTES;
}

static bool returns_nothing(LLVMValueRef call)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
}

bool labels_call_is_plain(struct labels *s, LLVMValueRef call)
{
    return returns_nothing(call) || (kind_of(s, call) == CALLEE_COMPUTES &&
                                     LLVMGetNumArgOperands(call) == 0);
}

/* ---- Results ---- */

static LLVMValueRef label_of_arguments(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef label = labels_none(s);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef more = labels_of(s, LLVMGetArgOperand(call, i));

        ir_before(s->p, call);
        label = labels_union(s, label, more);
    }
    return label;
}

/* A string, or as many bytes as the third argument of memcmp and its like. */
static LLVMValueRef label_of_read(struct labels *s, LLVMValueRef call)
{
    const char *name = ir_name(s->p, ir_callee(call));
    LLVMValueRef label = label_of_arguments(s, call);
    bool counts = ir_has_prefix(name, "mem") || strcmp(name, "bcmp") == 0;

    ir_before(s->p, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i);
        LLVMValueRef args[] = {a, ir_i64(s->p, 0)};

        if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind ||
            !privacy_is_private(s->p, a))
            continue;
        if (counts && LLVMGetNumArgOperands(call) > 2)
            args[1] = labels_bytes(s, LLVMGetArgOperand(call, 2));
        label = labels_union(s, label, labels_do(s, VERB_RECALL, args, 2));
    }
    return label;
}

/* Also where its result is of no interest: its accesses want to know. */
static LLVMValueRef call_model(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef label = label_of_arguments(s, call), args[2] = {NULL, label};

    ir_before(s->p, call);
    args[0] = ir_call_hook(s->p, HOOK_label_call, &label, 1, "");
    ir_after(s->p, call);
    return ir_call_hook(s->p, HOOK_label_called, args, 2, "");
}

LLVMValueRef labels_of_call(struct labels *s, LLVMValueRef call)
{
    switch (kind_of(s, call)) {
    case CALLEE_OWN:
        ir_after(s->p, call);
        return LLVMBuildLoad2(s->p->builder, s->p->i32,
                              labels_slot(s, LABEL_RETURNED), "");
    case CALLEE_ASSEMBLY: {
        LLVMValueRef label = label_of_arguments(s, call);

        ir_after(s->p, call);
        return labels_union(s, label, labels_do(s, VERB_RESULT, NULL, 0));
    }
    case CALLEE_COPIES:
    case CALLEE_FILLS:
        return labels_of(s, LLVMGetArgOperand(call, 0));
    case CALLEE_MODELLED:
        return call_model(s, call);
    case CALLEE_READS:
        return label_of_read(s, call);
    case CALLEE_COMPUTES:
        return label_of_arguments(s, call);
    default:
        return labels_none(s);
    }
}

/* ---- Memory ---- */

static LLVMValueRef label_of_argument(struct labels *s, LLVMValueRef call,
                                      unsigned number)
{
    return labels_of(s, LLVMGetArgOperand(call, number));
}

static void treat_copy(struct labels *s, LLVMValueRef call)
{
    const struct item *item = labels_item(s, call);
    LLVMValueRef to = LLVMGetArgOperand(call, 0);
    LLVMValueRef from = LLVMGetArgOperand(call, 1);
    bool reads_own = item->from_private || access_is_constant(from);
    LLVMValueRef source = label_of_argument(s, call, 1);
    LLVMValueRef target = label_of_argument(s, call, 0);
    LLVMValueRef length = label_of_argument(s, call, 2);

    if (access_is_auto_init(s->p, call))
        return;
    ir_before(s->p, call);
    labels_branch(s, length);
    if (reads_own)
        labels_branch(s, source);
    if (item->to_private)
        labels_branch(s, target);
    if (reads_own && item->to_private) {
        LLVMValueRef args[] = {to, from,
                               labels_bytes(s, LLVMGetArgOperand(call, 2))};

        labels_do(s, VERB_COPY, args, 3);
    } else if (item->to_private) {
        labels_give(s, source, labels_none(s));
    } else if (reads_own) {
        labels_give(s, target, labels_none(s));
    } else {
        labels_give(s, source, target);
    }
}

static void treat_fill(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetArgOperand(call, 0);
    LLVMValueRef target = label_of_argument(s, call, 0);
    LLVMValueRef byte = label_of_argument(s, call, 1);
    LLVMValueRef length = label_of_argument(s, call, 2);

    ir_before(s->p, call);
    labels_branch(s, length);
    if (!labels_item(s, call)->to_private) {
        if (!access_is_auto_init(s->p, call))
            labels_give(s, target, byte);
        return;
    }
    labels_branch(s, target);
    labels_keep(s, to, labels_bytes(s, LLVMGetArgOperand(call, 2)),
                labels_union(s, byte, target));
}

static void set_slot(struct labels *s, unsigned slot, LLVMValueRef label)
{
    LLVMBuildStore(s->p->builder, label, labels_slot(s, slot));
}

/* Whether it becomes a hook is not known yet: nothing may be left of an older
 * one, nor for a younger one. */
static void treat_assembly(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef address = labels_none(s), data = address;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i), label = labels_of(s, a);
        bool is_address = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind;

        ir_before(s->p, call);
        if (is_address)
            address = labels_union(s, address, label);
        else
            data = labels_union(s, data, label);
    }
    ir_before(s->p, call);
    set_slot(s, LABEL_RESULT, labels_none(s));
    labels_give(s, address, data);
    if (!returns_nothing(call))
        labels_of(s, call); /* reads the result before that is gone */
    ir_after(s->p, call);
    if (!labels_is_none(address) || !labels_is_none(data)) {
        set_slot(s, LABEL_ADDR, labels_none(s));
        set_slot(s, LABEL_DATA, labels_none(s));
    }
}

static void treat_va_list(struct labels *s, LLVMValueRef call)
{
    LLVMValueRef bytes = ir_i64(s->p, VA_LIST_BYTES);
    LLVMValueRef list = LLVMGetArgOperand(call, 0);
    uint64_t *rest = map_get_pointer(&s->of, ir_function_of(call));

    if (kind_of(s, call) == CALLEE_VA_START) {
        ir_after(s->p, call);
        CHECK(rest);
        labels_keep(s, list, bytes, (LLVMValueRef)(uintptr_t)*rest);
    } else {
        LLVMValueRef args[] = {list, LLVMGetArgOperand(call, 1), bytes};

        ir_before(s->p, call);
        labels_do(s, VERB_COPY, args, 3);
    }
}

/* ---- Handing over ---- */

static void note_passing(struct labels *s, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call);
    struct passing passing = {.call = call, .count = count};

    if (!ir_callee(call)) {
        LLVMValueRef target = labels_of(s, LLVMGetCalledValue(call));

        ir_before(s->p, call);
        labels_branch(s, target); /* it decides what comes */
    }
    passing.arguments =
        arena_array(&s->p->arena, count + 1, sizeof(LLVMValueRef));
    for (unsigned i = 0; i < count; i++)
        passing.arguments[i] = label_of_argument(s, call, i);
    VEC_PUSH(&s->passings, passing);
}

void labels_treat_call(struct labels *s, LLVMValueRef call)
{
    switch (kind_of(s, call)) {
    case CALLEE_OWN:
        note_passing(s, call);
        break;
    case CALLEE_ASSEMBLY:
        treat_assembly(s, call);
        break;
    case CALLEE_COPIES:
        treat_copy(s, call);
        break;
    case CALLEE_FILLS:
        treat_fill(s, call);
        break;
    case CALLEE_VA_START:
    case CALLEE_VA_COPY:
        treat_va_list(s, call);
        break;
    case CALLEE_MODELLED:
        if (returns_nothing(call))
            call_model(s, call);
        else
            labels_of(s, call);
        break;
    default:
        break;
    }
}

static LLVMAttributeRef by_value(struct labels *s, LLVMValueRef function,
                                 unsigned parameter)
{
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1,
                                       s->p->attribute[ATTRIBUTE_BYVAL]);
}

static LLVMValueRef read_slot(struct labels *s, unsigned number,
                              LLVMValueRef called)
{
    LLVMValueRef label = LLVMBuildLoad2(
        s->p->builder, s->p->i32, labels_slot(s, LABEL_ARGUMENTS + number), "");

    return called ? LLVMBuildSelect(s->p->builder, called, label,
                                    labels_none(s), "")
                  : label;
}

/* The first thing in the function: the slots are of those who wrote last. */
void labels_enter(struct labels *s, LLVMValueRef function)
{
    LLVMValueRef first = ir_first(function), called = NULL;
    unsigned count = LLVMCountParams(function);

    ir_before(s->p, first);
    if (privacy_is_open(s->p, function)) {
        called = labels_do(s, VERB_CALLED, &function, 1);
        called = LLVMBuildIsNotNull(s->p->builder, called, "");
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef v = LLVMGetParam(function, i);
        LLVMValueRef label = read_slot(s, i < REST ? i : REST, called);
        LLVMAttributeRef by = by_value(s, function, i);

        *map_put_pointer(&s->of, v) = (uintptr_t)(by ? labels_none(s) : label);
        if (by)
            labels_keep(
                s, v,
                ir_i64(s->p, LLVMABISizeOfType(s->p->data,
                                               LLVMGetTypeAttributeValue(by))),
                label);
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
        *map_put_pointer(&s->of, function) =
            (uintptr_t)read_slot(s, REST, called);
}

/* A struct passed by value: what its memory has. */
static LLVMValueRef label_of_passed(struct labels *s, LLVMValueRef call,
                                    unsigned number, LLVMValueRef label)
{
    LLVMAttributeRef by = LLVMGetCallSiteEnumAttribute(
        call, number + 1, s->p->attribute[ATTRIBUTE_BYVAL]);

    if (!by)
        return label;
    return labels_union(
        s, label,
        labels_recall(
            s, LLVMGetArgOperand(call, number),
            LLVMABISizeOfType(s->p->data, LLVMGetTypeAttributeValue(by))));
}

static void hand_over(struct labels *s, const struct passing *passing)
{
    LLVMValueRef call = passing->call, callee = ir_callee(call);
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned fixed = LLVMCountParamTypes(type);
    LLVMValueRef rest = labels_none(s), all = rest;

    ir_before(s->p, call);
    for (unsigned i = 0; i < passing->count; i++) {
        LLVMValueRef label = label_of_passed(s, call, i, passing->arguments[i]);

        if (i < fixed && i < REST)
            set_slot(s, LABEL_ARGUMENTS + i, label);
        else
            rest = labels_union(s, rest, label);
        if (!callee)
            all = labels_union(s, all, label);
    }
    if (fixed > REST || LLVMIsFunctionVarArg(type))
        set_slot(s, LABEL_ARGUMENTS + REST, rest);
    if (!callee) /* if the library is called, nobody sets it */
        set_slot(s, LABEL_RETURNED, all);
    if (!callee || privacy_is_open(s->p, callee))
        LLVMBuildStore(s->p->builder, LLVMGetCalledValue(call), s->callee);
}

void labels_hand_over(struct labels *s)
{
    for (size_t i = 0; i < s->passings.count; i++)
        hand_over(s, &s->passings.list[i]);
    for (size_t i = 0; i < s->returnings.count; i++) {
        ir_before(s->p, s->returnings.list[i].inst);
        set_slot(s, LABEL_RETURNED, s->returnings.list[i].label);
    }
}
