/* SPDX-License-Identifier: MIT
 *
 * Calls: of the program's own procedures, of LLVM's intrinsics, through
 * pointers, of inline assembly.
 *
 * Structs that do not fit a register: one passed by value is copied by the
 * caller, one returned is written to memory that the caller gives as a last
 * argument of its own.
 */
#include <string.h>

#include "base/check.h"
#include "event/externs.h"
#include "lower/body.h"

/* ---- Arguments and results ---- */

struct arguments {
    VEC(uint32_t);
};

/* The callee's own copy of a struct. */
static uint32_t copy_argument(struct body *b, LLVMValueRef call,
                              LLVMValueRef function, unsigned n,
                              LLVMTypeRef type)
{
    struct pass *p = &b->l->p;
    LLVMValueRef from = LLVMGetArgOperand(call, n);
    uint64_t size = LLVMABISizeOfType(p->data, type);
    struct leaves parts = type_leaves(b->l, type);
    uint32_t site = site_new(p, call, EV_LOAD, size, names_get(p, call, n));
    uint32_t slot = body_stack(b, size);
    bool own = privacy_is_private(p, LLVMGetParam(function, n));

    body_copy(b, &parts, slot, own ? LSL_PRIVATE : 0, body_operand(b, from),
              body_flags(b, from), site);
    return slot;
}

/* `function`: NULL if it is called through a pointer. */
static void add_arguments(struct body *b, LLVMValueRef call,
                          LLVMValueRef function, struct arguments *all)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef by = LLVMGetCallSiteEnumAttribute(
            call, i + 1, b->l->p.attribute[ATTRIBUTE_BYVAL]);
        uint32_t count;

        if (by && !function) {
            lower_refuse(b->l, "a struct passed by value through a pointer to "
                               "a function is not supported");
            return;
        }
        if (by) {
            VEC_PUSH_IN(b->l->arena, all,
                        copy_argument(b, call, function, i,
                                      LLVMGetTypeAttributeValue(by)));
            continue;
        }

        const uint32_t *regs =
            body_operands(b, LLVMGetArgOperand(call, i), &count);

        for (uint32_t k = 0; k < count; k++)
            VEC_PUSH_IN(b->l->arena, all, regs[k]);
    }
}

static void load_result(struct body *b, LLVMValueRef call, uint32_t slot)
{
    struct leaves parts = type_leaves(b->l, LLVMTypeOf(call));
    uint32_t *regs =
        arena_array(b->l->arena, parts.count + 1ull, sizeof(*regs));

    for (uint32_t i = 0; i < parts.count; i++)
        regs[i] = body_load(b, body_offset(b, slot, 8ull * i), 8,
                            parts.list[i].width, LSL_PRIVATE, body_place(b));
    body_define(b, call, regs, parts.count);
}

/* A call of procedure `proc`, or of what `pointer` points to. */
static void add_call(struct body *b, LLVMValueRef call, LLVMValueRef function,
                     uint32_t proc, uint32_t pointer)
{
    LLVMTypeRef result = LLVMTypeOf(call);
    bool by_memory = inst_returns_struct(result);
    struct arguments all = {0};
    uint32_t slot = LSL_NONE, dst = LSL_NONE;
    uint32_t site = site_new(&b->l->p, call, EV_CALL, 0, NULL);

    add_arguments(b, call, function, &all);
    if (by_memory) {
        slot = body_stack(b, 8ull * type_leaf_count(result));
        VEC_PUSH_IN(b->l->arena, &all, slot);
    } else if (type_leaf_count(result)) {
        dst = body_register(b);
    }

    uint32_t first = (uint32_t)b->args.count;

    for (uint32_t i = 0; i < all.count; i++)
        VEC_PUSH_IN(b->l->arena, &b->args, all.list[i]);

    struct lsl_inst *i = body_add(b, LSL_CALL);

    i->proc = proc;
    i->a = pointer;
    i->first = first;
    i->count = (uint32_t)all.count;
    i->site = site;
    i->dst = dst;
    if (dst != LSL_NONE) {
        i->width = (uint8_t)type_width(b->l, result);
        body_define_one(b, call, dst);
    }
    if (by_memory)
        load_result(b, call, slot);
}

/* ---- The program's own procedures ---- */

static void call_own(struct body *b, LLVMValueRef call, LLVMValueRef function)
{
    struct lower *l = b->l;

    if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))) {
        lower_refuse(l, "variable arguments are not supported");
        return;
    }
    if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function)) {
        lower_refuse(l, "this call of %s does not fit its definition",
                     ir_name(&l->p, function));
        return;
    }

    uint32_t proc = proc_of(l, function);

    VEC_PUSH_IN(l->arena, &l->calls, {b->proc, proc, call});
    add_call(b, call, function, proc, LSL_NONE);
}

/* One that fits: another decides at run time.  None: nothing can be called. */
static LLVMValueRef only_candidate(struct body *b, LLVMValueRef call,
                                   unsigned *count)
{
    LLVMValueRef found = NULL;

    *count = 0;
    EACH_FUNCTION (f, b->l->p.module) {
        if (!LLVMGetIntrinsicID(f) && proc_is_address_taken(b->l, f) &&
            LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call)) {
            found = f;
            ++*count;
        }
    }
    return found;
}

static void call_pointer(struct body *b, LLVMValueRef call)
{
    unsigned count;
    LLVMValueRef only = only_candidate(b, call, &count);

    if (count == 0)
        lower_refuse(b->l, "a call through a pointer that no function of the "
                           "program fits");
    else if (count == 1 && !LLVMIsDeclaration(only))
        call_own(b, call, only);
    else
        add_call(b, call, NULL, LSL_NONE,
                 body_operand(b, LLVMGetCalledValue(call)));
}

/* ---- Intrinsics ---- */

static bool is_any(LLVMValueRef function, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        if (ir_is_intrinsic(function, *prefixes))
            return true;
    }
    return false;
}

static void call_intrinsic(struct body *b, LLVMValueRef call,
                           LLVMValueRef function)
{
    static const char *const nothing[] = {
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.assume",
        "llvm.donothing",
        "llvm.experimental.noalias.scope.decl",
        "llvm.prefetch",
        "llvm.stackrestore",
        "llvm.x86.sse2.pause",
        "llvm.var.annotation",
        "llvm.sideeffect",
        NULL};
    static const char *const same[] = {"llvm.expect.", "llvm.ptr.annotation.",
                                       "llvm.annotation.", NULL};
    size_t length;

    if (is_any(function, nothing))
        return;
    if (is_any(function, same))
        body_define_one(b, call, body_operand(b, LLVMGetArgOperand(call, 0)));
    else if (ir_is_intrinsic(function, "llvm.trap") ||
             ir_is_intrinsic(function, "llvm.debugtrap"))
        body_fail(b, FAIL_ILLEGAL, failure_kind_words(FAIL_ILLEGAL),
                  body_place(b));
    else if (ir_is_intrinsic(function, "llvm.stacksave"))
        body_define_one(b, call, body_undefined(b));
    else if (ir_is_intrinsic(function, "llvm.va_"))
        lower_refuse(b->l, "variable arguments are not supported");
    else if (ir_is_intrinsic(function, "llvm.threadlocal.address"))
        body_define_one(b, call, body_operand(b, LLVMGetArgOperand(call, 0)));
    else
        lower_refuse(b->l, "%s is not supported",
                     LLVMGetValueName2(function, &length));
}

/* ---- Inline assembly ---- */

/* What the instrumenter understands it has replaced by hooks; what it left is
 * empty, or unknown. */
static void call_assembly(struct body *b, LLVMValueRef call)
{
    size_t length;
    const char *text =
        LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
    const char *shown = arena_copy_n(b->l->arena, text, length);

    if (strspn(shown, " \t\n;") != length) {
        lower_refuse(b->l, "inline assembly \"%s\" is not supported", shown);
        return;
    }
    if (!LLVMGetFirstUse(call))
        return;
    /* asm("" : "+r"(x)) hides a value from the optimiser. */
    if (LLVMGetNumArgOperands(call) == 1 &&
        LLVMTypeOf(LLVMGetArgOperand(call, 0)) == LLVMTypeOf(call))
        body_define_one(b, call, body_operand(b, LLVMGetArgOperand(call, 0)));
    else
        lower_refuse(b->l, "inline assembly with results is not supported");
}

/* ---- All of them ---- */

static void call_library(struct body *b, LLVMValueRef call,
                         LLVMValueRef function)
{
    const char *name = ir_name(&b->l->p, function);

    if (ir_has_prefix(name, MARK_SHARED))
        return;
    if (ir_has_prefix(name, MARK_UNDEFINED)) {
        uint32_t undefined = body_undefined(b),
                 both[2] = {undefined, undefined};

        if (type_leaf_count(LLVMTypeOf(call)) <= 2)
            body_define(b, call, both, type_leaf_count(LLVMTypeOf(call)));
        return;
    }
    if (!hook_lower(b, call, name) && !library_lower(b, call, name))
        lower_refuse(b->l, "a call of %s is not supported", name);
}

void call_lower(struct body *b, LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);

    if (LLVMIsAGlobalAlias(called))
        called = LLVMAliasGetAliasee(called);

    LLVMValueRef function = LLVMIsAFunction(called);

    if (LLVMIsAInlineAsm(called))
        call_assembly(b, call);
    else if (!function)
        call_pointer(b, call);
    else if (calls_copying(&b->l->p, call) != COPIES_NOT)
        move_lower(b, call);
    else if (LLVMGetIntrinsicID(function))
        call_intrinsic(b, call, function);
    else if (LLVMIsDeclaration(function))
        call_library(b, call, function);
    else
        call_own(b, call, function);
}
