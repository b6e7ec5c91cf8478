/* SPDX-License-Identifier: MIT
 *
 * The way from sources to a program: compile, merge, note names, make locals
 * registers, then procedure by procedure, from those that start something to
 * those they reach.
 *
 * Clang is asked to fill locals that are not set with a pattern, for the sake
 * of programs that run.  Here they must stay undefined, also where SROA would
 * choose a value; so a call of an unknown function stands for the value.
 */
#include "lower/lower.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/emit.h"
#include "instrument/instrument.h"
#include "lower/body.h"

/* ---- Locals that are not set ---- */

static LLVMValueRef undefined_of(struct lower *l, LLVMTypeRef type)
{
    struct pass *p = &l->p;
    LLVMTypeRef function = LLVMFunctionType(type, NULL, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, MARK_UNDEFINED);

    if (!f || LLVMGlobalGetValueType(f) != function)
        f = LLVMAddFunction(p->module, MARK_UNDEFINED, function);
    return LLVMBuildCall2(p->builder, function, f, NULL, 0, "");
}

static void forget_pattern(struct lower *l, LLVMValueRef inst)
{
    LLVMTypeRef type;

    if (!access_is_auto_init(&l->p, inst))
        return;
    if (!LLVMIsAStoreInst(inst)) {
        if (LLVMIsACallInst(inst))
            LLVMInstructionEraseFromParent(inst);
        return;
    }
    type = LLVMTypeOf(LLVMGetOperand(inst, 0));
    ir_before(&l->p, inst);
    LLVMSetOperand(inst, 0, undefined_of(l, type));
}

static void each_instruction(struct lower *l, LLVMValueRef function,
                             void (*visit)(struct lower *, LLVMValueRef))
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef i = LLVMGetFirstInstruction(b), next;

        for (; i; i = next) {
            next = LLVMGetNextInstruction(i);
            visit(l, i);
        }
    }
}

/* A lock is an event always, so no access to it may be without one: it is
 * given to a function of which privacy.c knows nothing. */
static void share_lock(struct lower *l, LLVMValueRef inst)
{
    struct pass *p = &l->p;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    if (!callee || LLVMGetNumArgOperands(inst) == 0 ||
        !library_is_lock(ir_name(p, callee)))
        return;

    LLVMValueRef lock = LLVMGetArgOperand(inst, 0);
    LLVMTypeRef function = LLVMFunctionType(p->none, &p->ptr, 1, 0);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, MARK_SHARED);

    if (!f)
        f = LLVMAddFunction(p->module, MARK_SHARED, function);
    ir_before(p, inst);
    LLVMBuildCall2(p->builder, function, f, &lock, 1, "");
}

static void before_sroa(struct lower *l)
{
    void (*const steps[])(struct lower *, LLVMValueRef) = {
        forget_pattern, copies_expand, copies_expand_stores, share_lock};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        EACH_FUNCTION (f, l->p.module)
            each_instruction(l, f, steps[i]);
    }
}

/* ---- One procedure ---- */

static void replace_assembly(struct lower *l, LLVMValueRef inst)
{
    if (LLVMIsACallInst(inst) && LLVMIsAInlineAsm(LLVMGetCalledValue(inst)))
        assembly_instrument(&l->p, inst);
    else
        assembly_fence(&l->p, inst);
}

static void define_parameters(struct body *b)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(b->function);

    for (unsigned i = 0; i < LLVMCountParams(b->function); i++) {
        LLVMValueRef param = LLVMGetParam(b->function, i);
        struct leaves parts = type_leaves(b->l, LLVMTypeOf(param));
        uint32_t *regs =
            arena_array(b->l->arena, parts.count + 1ull, sizeof(*regs));

        for (uint32_t k = 0; k < parts.count; k++)
            regs[k] = body_register(b);
        body_define(b, param, regs, parts.count);
    }
    b->result_slot = inst_returns_struct(LLVMGetReturnType(type))
                         ? body_register(b)
                         : LSL_NONE;
    b->param_count = b->reg_count;
}

static void lower_blocks(struct body *b)
{
    for (uint32_t i = 0; i < b->flow.count && !b->l->refused; i++) {
        LLVMBasicBlockRef block = b->flow.blocks[b->order[i]];

        for (LLVMValueRef inst = LLVMGetFirstInstruction(block);
             !b->l->refused && !LLVMIsATerminatorInst(inst);
             inst = LLVMGetNextInstruction(inst))
            inst_lower(b, inst);
        if (!b->l->refused)
            blocks_end(b, b->order[i]);
    }
}

static void lower_procedure(struct lower *l, uint32_t proc)
{
    struct body b = {
        .l = l, .function = VEC_AT(&l->functions, proc), .proc = proc};

    each_instruction(l, b.function, replace_assembly);
    flow_init(&b.flow, b.function);
    l->at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(b.function));
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(b.function)))
        lower_refuse(l, "variable arguments are not supported");
    define_parameters(&b);
    blocks_order(&b);
    lower_blocks(&b);
    if (!l->refused) {
        blocks_phis(&b);
        body_finish(&b);
    }
    flow_free(&b.flow);
    map_free(&b.values);
}

/* ---- Recursion ---- */

enum colour { WHITE, GREY, BLACK };

static void visit_calls(struct lower *l, uint32_t proc, uint8_t *colour)
{
    colour[proc] = GREY;
    for (size_t i = 0; i < l->calls.count && !l->refused; i++) {
        const struct call_edge *c = &l->calls.list[i];

        if (c->from != proc)
            continue;
        if (colour[c->to] == GREY) {
            l->at = c->call;
            lower_refuse(l, "recursion is not supported: %s comes to itself",
                         VEC_AT(&l->procs, c->to).name);
        } else if (colour[c->to] == WHITE) {
            visit_calls(l, c->to, colour);
        }
    }
    colour[proc] = BLACK;
}

static void refuse_recursion(struct lower *l)
{
    uint8_t *colour = calloc(l->procs.count + 1ull, 1);

    CHECK(colour);
    for (uint32_t i = 0; i < l->procs.count; i++) {
        if (colour[i] == WHITE)
            visit_calls(l, i, colour);
    }
    free(colour);
}

/* ---- What a file starts with ---- */

static void add_operation(struct lower *l, LLVMValueRef f, const char *name)
{
    VEC_PUSH_IN(l->arena, &l->operations,
                {arena_copy(l->arena, name), proc_of(l, f)});
}

static void add_test(struct lower *l, LLVMValueRef g, const char *name)
{
    const char *notation = object_text(l, g);

    if (!notation)
        return;
    VEC_PUSH_IN(l->arena, &l->tests,
                {arena_copy(l->arena, name), notation, LLVMGetDebugLocLine(g)});
}

static void find_starts(struct lower *l)
{
    LLVMModuleRef module = l->p.module;
    LLVMValueRef main = LLVMGetNamedFunction(module, "main");

    EACH_FUNCTION (f, module) {
        const char *name = ir_name(&l->p, f);

        if (strcmp(name, STARTS_INIT) == 0)
            l->out->init = proc_of(l, f);
        else if (ir_has_prefix(name, STARTS_OPERATION))
            add_operation(l, f, name + strlen(STARTS_OPERATION));
    }
    EACH_GLOBAL (g, module) {
        const char *name = ir_name(&l->p, g);

        if (ir_has_prefix(name, STARTS_TEST))
            add_test(l, g, name + strlen(STARTS_TEST));
    }
    if (l->out->init == LSL_NONE && !l->operations.count && main &&
        !LLVMIsDeclaration(main))
        l->out->main = proc_of(l, main);
}

/* ---- The whole ---- */

static void copy_sites(struct lower *l)
{
    struct lsl_program *out = l->out;
    struct arena *a = l->arena;

    out->site_count = l->p.sites.count ? (uint32_t)l->p.sites.count : 1;
    out->sites = arena_array(a, out->site_count, sizeof(*out->sites));
    out->sites[0] = (struct fencer_site){"", "", "", "", 0, 0, 0, 0};
    for (uint32_t i = 0; i < l->p.sites.count; i++) {
        const struct site *s = &l->p.sites.list[i];

        out->sites[i] = (struct fencer_site){arena_copy(a, s->file),
                                             arena_copy(a, s->dir),
                                             arena_copy(a, s->function),
                                             arena_copy(a, s->name),
                                             s->line,
                                             s->column,
                                             s->kind,
                                             s->size};
    }
}

/* What would run before main, or after it, or nobody knows when. */
static void refuse_others(struct lower *l)
{
    static const char *const lists[] = {"llvm.global_ctors",
                                        "llvm.global_dtors"};
    size_t length;

    for (int i = 0; i < 2; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(l->p.module, lists[i]);
        LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;

        if (!init || LLVMIsNull(init) || LLVMGetNumOperands(init) == 0)
            continue;

        LLVMValueRef f = LLVMGetOperand(LLVMGetOperand(init, 0), 1);

        if (LLVMIsAFunction(f) && !LLVMIsDeclaration(f))
            l->at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
        lower_refuse(l, "%s is not supported",
                     i ? "a destructor" : "a constructor");
    }
    LLVMGetModuleInlineAsm(l->p.module, &length);
    if (length)
        lower_refuse(l, "%s: assembly outside of functions is not supported",
                     l->out->source);
}

static void hand_over(const struct lower *l)
{
    struct lsl_program *out = l->out;

    out->procs = l->procs.list;
    out->proc_count = (uint32_t)l->procs.count;
    out->objects = l->objects.list;
    out->object_count = (uint32_t)l->objects.count;
    out->operations = l->operations.list;
    out->operation_count = (uint32_t)l->operations.count;
    out->tests = l->tests.list;
    out->test_count = (uint32_t)l->tests.count;
}

static void lower_program(struct lower *l)
{
    VEC_PUSH_IN(l->arena, &l->objects, {.name = "", .proc = LSL_NONE});
    find_starts(l);
    refuse_others(l);
    /* Lowering one may add others after it. */
    for (uint32_t i = 0; i < l->procs.count && !l->refused; i++) {
        if (l->procs.list[i].defined)
            lower_procedure(l, i);
    }
    if (!l->refused)
        refuse_recursion(l);
    copy_sites(l);
    hand_over(l);
}

static enum lowered lower_module(LLVMModuleRef module, struct arena *a,
                                 struct lsl_program *out, struct err *e)
{
    struct lower l = {.arena = a, .out = out, .e = e};
    struct pass_options options = {.lowers = true};
    bool ok;

    pass_begin(&l.p, module, LLVMGetModuleDataLayout(module), &options);
    before_sroa(&l);
    ok = pass_prepare(&l.p, e);
    if (ok) {
        privacy_find(&l.p);
        lower_program(&l);
        privacy_free(&l.p);
    }
    pass_end(&l.p);
    map_free(&l.proc_numbers);
    map_free(&l.object_numbers);
    if (ok && !out->proc_count) {
        err_set(e, "%s has neither a main nor operations to test", out->source);
        return LOWER_BAD_SOURCE;
    }
    if (!ok || l.refused)
        return LOWER_REFUSED;
    CHECK(lsl_check(out, e));
    return LOWER_DONE;
}

enum lowered lower_sources(const char *const *sources, size_t count,
                           const char *cflags, struct arena *a,
                           struct lsl_program *out, struct err *e)
{
    struct merge *merge = merge_new();
    enum lowered result = LOWER_BAD_SOURCE;
    int code;

    *out = (struct lsl_program){.init = LSL_NONE, .main = LSL_NONE};
    out->source = count ? arena_copy(a, sources[0]) : "";
    code = instrument_merge(sources, count, cflags, merge, e);
    if (code == 0 && merge_module(merge))
        result = lower_module(merge_module(merge), a, out, e);
    else if (code == 0)
        err_set(e, "%s is no C source", out->source);
    else if (code == INSTRUMENT_UNABLE)
        result = LOWER_REFUSED;
    merge_free(merge);
    return result;
}
