/* SPDX-License-Identifier: MIT
 *
 * The order of the steps, and the walk over all instructions.
 *
 * What is private is judged for every instruction before the first one is
 * changed: later steps replace values, and the analysis knows the old ones.
 */
#include "instrument/pass.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "instrument/instrument_depend.h"
#include "instrument/labels.h"

bool pass_run_llvm(LLVMModuleRef module, const char *passes, struct err *e)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);

    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;

    char *message = LLVMGetErrorMessage(error);

    err_set(e, "LLVM cannot run %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* A naked function is all assembly: there is no frame to call hooks from. */
static bool can_instrument(struct pass *p, LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) &&
           !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                        p->attribute[ATTRIBUTE_NAKED]);
}

struct items {
    VEC(struct item);
};

static void judge_from(struct pass *p, struct item *item, LLVMValueRef from)
{
    item->from_private = privacy_is_private(p, from);
    item->from_carried = privacy_is_carried(p, from);
}

static void judge_to(struct pass *p, struct item *item, LLVMValueRef to)
{
    item->to_private = privacy_is_private(p, to);
    item->to_carried = privacy_is_carried(p, to);
}

static void judge_inst(struct pass *p, LLVMValueRef inst, struct items *all)
{
    struct item item = {.inst = inst};

    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        judge_from(p, &item, LLVMGetOperand(inst, 0));
        break;
    case LLVMStore:
        judge_to(p, &item, LLVMGetOperand(inst, 1));
        break;
    case LLVMCall:
        switch (calls_copying(p, inst)) {
        case COPIES_MEMORY:
            judge_from(p, &item, LLVMGetArgOperand(inst, 1));
            judge_to(p, &item, LLVMGetArgOperand(inst, 0));
            break;
        case FILLS_MEMORY:
            judge_to(p, &item, LLVMGetArgOperand(inst, 0));
            break;
        case COPIES_NOT:
            break;
        }
        break;
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        if (!LLVMIsConstant(LLVMGetOperand(inst, 1)))
            site_new(p, inst, EV_NONE, 0, ""); /* it may fault there */
        return;
    case LLVMCallBr:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        break;
    default:
        return;
    }
    VEC_PUSH(all, item);
}

static void collect(struct pass *p, LLVMValueRef function, struct items *all)
{
    EACH_INSTRUCTION (i, function)
        judge_inst(p, i, all);
}

static bool is_atomic(LLVMValueRef inst)
{
    return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
}

static void treat(struct pass *p, const struct item *item)
{
    switch (LLVMGetInstructionOpcode(item->inst)) {
    case LLVMLoad:
        if (is_atomic(item->inst))
            atomic_load(p, item->inst);
        else
            access_load(p, item);
        break;
    case LLVMStore:
        if (is_atomic(item->inst))
            atomic_store(p, item->inst);
        else
            access_store(p, item);
        break;
    case LLVMAtomicRMW:
        atomic_rmw(p, item->inst);
        break;
    case LLVMAtomicCmpXchg:
        atomic_cas(p, item->inst);
        break;
    case LLVMFence:
        atomic_fence(p, item->inst);
        break;
    default:
        calls_instrument(p, item);
    }
}

struct function {
    LLVMValueRef f;
    bool shares_frame;
};

static void instrument(struct pass *p)
{
    VEC(struct function) own = {0};
    struct items all = {0};

    EACH_FUNCTION (f, p->module) {
        if (!can_instrument(p, f))
            continue;
        VEC_PUSH(&own, {f, privacy_shares_frame(p, f)});
        collect(p, f, &all);
    }

    struct depend *depend = depend_new(all.list, all.count);
    struct labels *labels =
        p->tracks ? labels_new(p, all.list, all.count) : NULL;

    for (size_t i = 0; labels && i < own.count; i++)
        labels_look_at(labels, own.list[i].f);
    for (size_t i = 0; i < own.count; i++)
        loops_instrument(p, own.list[i].f);
    if (labels)
        labels_put(labels);
    for (size_t i = 0; i < all.count; i++) {
        size_t sites = p->sites.count;

        treat(p, &all.list[i]);
        if (p->sites.count > sites)
            depend_is_site(depend, i, (uint32_t)(p->sites.count - 1));
    }
    depend_finish(depend, p);
    depend_free(depend);
    for (size_t i = 0; i < own.count; i++) {
        if (!own.list[i].shares_frame)
            continue;
        calls_leave_frame(p, own.list[i].f);
        locals_instrument(p, own.list[i].f);
    }
    if (labels)
        labels_finish(labels);
    LOG(INSTRUMENT, "%zu functions, %zu instructions judged, %zu sites",
        own.count, all.count, p->sites.count);
    VEC_FREE(&own);
    VEC_FREE(&all);
}

/* -O0 forbids inlining everywhere.  Small functions are freed from that; large
 * ones, inlined where they are called once, only cost compile time. */
#define SMALL 48

static bool is_small(LLVMValueRef f)
{
    int left = SMALL;

    EACH_INSTRUCTION (i, f) {
        if (--left == 0)
            return false;
    }
    return true;
}

/* What clang promised about functions is not true of instrumented ones: they
 * call hooks, which read, write and switch threads. */
static void forget_promises(struct pass *p, LLVMValueRef f)
{
    static const enum attribute promises[] = {
        ATTRIBUTE_MEMORY,    ATTRIBUTE_WILLRETURN, ATTRIBUTE_NOSYNC,
        ATTRIBUTE_NOFREE,    ATTRIBUTE_NORECURSE,  ATTRIBUTE_SPECULATABLE,
        ATTRIBUTE_ALLOCKIND, ATTRIBUTE_ALLOCSIZE};

    for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++) {
        unsigned kind = p->attribute[promises[i]];

        if (promises[i] == ATTRIBUTE_MEMORY && calls_touches_nothing(p, f))
            continue; /* nobody instruments that */
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);

            if (LLVMIsACallInst(user))
                LLVMRemoveCallSiteEnumAttribute(
                    user, LLVMAttributeFunctionIndex, kind);
        }
    }
    if (!p->optimised && can_instrument(p, f) && is_small(f))
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                       p->attribute[ATTRIBUTE_NOINLINE]);
}

static void forget_all_promises(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (!LLVMGetIntrinsicID(f))
            forget_promises(p, f);
    }
}

static bool verify(LLVMModuleRef module, struct err *e)
{
    char *message = NULL;
    bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);

    if (bad) {
        size_t line = strcspn(message, "\n");

        err_set(e, "internal error: the instrumented code is wrong: %.*s",
                (int)line, message);
        LOG(INSTRUMENT, "%s", message);
    }
    LLVMDisposeMessage(message);
    return !bad;
}

/* The runtime brings its own main, so the linker would not miss this one. */
static bool has_main(LLVMModuleRef module, struct err *e)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, "main");

    return (f && !LLVMIsDeclaration(f)) ||
           err_set(e, "undefined reference to 'main'");
}

void pass_end(struct pass *p)
{
    LLVMDisposeBuilder(p->builder);
    types_free(p->types);
    map_free(&p->first_rounds);
    map_free(&p->deciders);
    map_free(&p->extern_index);
    map_free(&p->strings);
    strs_free(&p->limits);
    VEC_FREE(&p->sites);
    free(p->deps);
    VEC_FREE(&p->externs);
    arena_free(&p->arena);
    LLVMSetIsNewDbgInfoFormat(p->module, 1);
}

void pass_begin(struct pass *p, LLVMModuleRef module, LLVMTargetDataRef data,
                const struct pass_options *options)
{
    *p = (struct pass){0};
    /* Variables are found by their llvm.dbg.declare calls. */
    LLVMSetIsNewDbgInfoFormat(module, 0);
    p->context = LLVMGetModuleContext(module);
    p->module = module;
    p->data = data;
    p->builder = LLVMCreateBuilderInContext(p->context);
    p->optimised = options->optimised;
    p->open = options->open;
    p->tracks = options->tracks;
    p->lowers = options->lowers;
    p->tls_align = 1;
    if (options->limits)
        strs_add_all(&p->limits, options->limits);
    ir_init(p);
}

bool pass_prepare(struct pass *p, struct err *e)
{
    if (!p->lowers)
        byval_copy(p);
    if (!p->optimised && !wrappers_inline(p, e))
        return false;
    if (!p->optimised && !p->lowers)
        temporaries_initialise(p);
    types_read(p);
    names_note(p);
    if (!p->optimised)
        rotate_loops(p);
    return pass_run_llvm(p->module, "sroa", e);
}

bool pass_run(LLVMModuleRef module, LLVMTargetDataRef data,
              const struct pass_options *options, struct err *e)
{
    struct pass p;
    bool ok;

    if (!has_main(module, e))
        return false;
    pass_begin(&p, module, data, options);
    ok = pass_prepare(&p, e);
    if (ok) {
        spinlock_lower(&p);
        privacy_find(&p);
        waits_find(&p);
        instrument(&p);
        waits_free(&p);
        privacy_free(&p);
        forget_all_promises(&p);
        if (p.tracks)
            labels_promise(&p);
        globals_thread_local(&p);
        checks_instrument(&p);
        calls_rename_modelled(&p);
        globals_move(&p);
        table_emit(&p);
        ok = verify(module, e);
    }
    pass_end(&p);
    return ok;
}
