/* SPDX-License-Identifier: MIT
 *
 * Calls out of the program.  One table (event/externs.h) says what each known
 * function of the library does:
 *
 *   modelled   the runtime's __fencer_NAME is called in its place
 *   pure       left alone, and so is what only reads constant or private memory
 *   the rest   between a `call` and a `called` hook: what is buffered reaches
 *              memory before code that has no hooks looks at it
 *
 * And frames: before one dies that holds memory others may know, its buffered
 * stores must reach it.
 */
#include <llvm-c/Core.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "event/externs.h"
#include "instrument/pass.h"

enum copying calls_copying(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef callee = ir_callee(call);

    if (!callee)
        return COPIES_NOT;
    if (LLVMGetIntrinsicID(callee)) {
        if (ir_is_intrinsic(callee, "llvm.memcpy.") ||
            ir_is_intrinsic(callee, "llvm.memmove."))
            return COPIES_MEMORY;
        return ir_is_intrinsic(callee, "llvm.memset.") ? FILLS_MEMORY
                                                       : COPIES_NOT;
    }
    if (!LLVMIsDeclaration(callee) || LLVMGetNumArgOperands(call) < 3)
        return COPIES_NOT;

    const char *name = ir_name(p, callee);

    if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 ||
        strcmp(name, "__memcpy_chk") == 0 || strcmp(name, "__memmove_chk") == 0)
        return COPIES_MEMORY;
    if (strcmp(name, "memset") == 0 || strcmp(name, "__memset_chk") == 0)
        return FILLS_MEMORY;
    return COPIES_NOT;
}

bool calls_touches_nothing(struct pass *p, LLVMValueRef function)
{
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
        function, LLVMAttributeFunctionIndex, p->attribute[ATTRIBUTE_MEMORY]);

    return LLVMIsDeclaration(function) && memory &&
           LLVMGetEnumAttributeValue(memory) == 0 &&
           !extern_find(ir_name(p, function));
}

static enum extern_class class_of(struct pass *p, LLVMValueRef function)
{
    const struct extern_row *row = extern_find(ir_name(p, function));

    return row                                  ? row->class
           : calls_touches_nothing(p, function) ? EXTERN_PURE
                                                : EXTERN_UNKNOWN;
}

bool calls_is_modelled(struct pass *p, LLVMValueRef function)
{
    return class_of(p, function) == EXTERN_MODELLED;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* Parameters that a function of the library surely only reads. */
static bool only_reads(const char *name, unsigned parameter)
{
    return (parameter == 0 && (strcmp(name, "nanosleep") == 0 ||
                               strcmp(name, "thrd_sleep") == 0)) ||
           (parameter == 2 && strcmp(name, "clock_nanosleep") == 0);
}

/* Parameters through which the runtime sees all that a function does. */
static bool tells(const char *name, unsigned parameter)
{
    const struct extern_row *row = extern_find(name);

    return row && extern_tells(row, parameter);
}

/* May the library write private memory that it is given, and nobody sees it? */
static bool passes_private(struct pass *p, LLVMValueRef call)
{
    const char *name = ir_name(p, ir_callee(call));

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i);

        if (is_pointer(a) && privacy_is_private(p, a) && !only_reads(name, i) &&
            !tells(name, i))
            return true;
    }
    return false;
}

LLVMValueRef calls_written(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef callee = ir_callee(call);
    const struct extern_row *row = callee && LLVMIsDeclaration(callee)
                                       ? extern_find(ir_name(p, callee))
                                       : NULL;
    int written = row ? extern_written(row) : -1;

    return written >= 0 && (unsigned)written < LLVMGetNumArgOperands(call) &&
                   extern_tells(row, (size_t)written)
               ? LLVMGetArgOperand(call, (unsigned)written)
               : NULL;
}

/* Memory that others may write. */
static bool passes_shared(struct pass *p, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i);

        if (is_pointer(a) && !privacy_is_private(p, a) &&
            !(LLVMIsAGlobalVariable(a) && LLVMIsGlobalConstant(a)))
            return true;
    }
    return false;
}

/* Functions of the library that tell what is in errno, or hand it on. */
static bool reads_errno(struct pass *p, LLVMValueRef function)
{
    const char *name = ir_name(p, function);

    return privacy_carries_library(p) &&
           (strstr(name, "printf") || strstr(name, "err") ||
            strstr(name, "warn") || strstr(name, "syslog") ||
            class_of(p, function) == EXTERN_UNKNOWN);
}

/* The call reads carried memory that it is given: a function of the library
 * that does not tell, or the call itself, if it passes a struct by value. */
static void watch_arguments(struct pass *p, LLVMValueRef call,
                            LLVMValueRef callee)
{
    bool library = callee && LLVMIsDeclaration(callee);

    if (library && reads_errno(p, callee))
        access_watch_read(p, call, LLVMConstNull(p->ptr), 0);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i);

        if (library && tells(ir_name(p, callee), i))
            continue;
        if (is_pointer(a) && privacy_is_carried(p, a) &&
            (library || LLVMGetCallSiteEnumAttribute(
                            call, i + 1, p->attribute[ATTRIBUTE_BYVAL])))
            access_watch_read(p, call, a,
                              library && only_reads(ir_name(p, callee), i)
                                  ? sizeof(struct timespec)
                                  : 0);
    }
}

bool calls_change_unseen(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef callee = ir_callee(call);

    if (!callee) {
        LLVMValueRef called = LLVMGetCalledValue(call);

        return !LLVMIsAInlineAsm(called);
    }
    if (LLVMGetIntrinsicID(callee))
        return ir_is_intrinsic(callee, "llvm.va_");
    if (!LLVMIsDeclaration(callee))
        return waits_function_changes(p, callee);
    switch (class_of(p, callee)) {
    case EXTERN_MODELLED: /* may write there: rand_r(&seed) */
    case EXTERN_PURE:
    case EXTERN_READS:
        return passes_private(p, call);
    default:
        return true;
    }
}

/* A struct passed by value is copied by the call itself, without a hook: let
 * it copy from a private copy. */
static void pass_private_copies(struct pass *p, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef by = LLVMGetCallSiteEnumAttribute(
            call, i + 1, p->attribute[ATTRIBUTE_BYVAL]);
        LLVMValueRef from = LLVMGetArgOperand(call, i);

        if (!by || privacy_is_private(p, from))
            continue;
        ir_before(p, call);

        LLVMTypeRef type = LLVMGetTypeAttributeValue(by);
        LLVMValueRef slot = ir_local(p, ir_function_of(call), type, "byval");
        uint64_t size = LLVMABISizeOfType(p->data, type);
        LLVMValueRef args[] = {
            from, slot, ir_i64(p, size),
            site_value(p, call, EV_LOAD, size, names_get(p, call, i))};

        LLVMSetAlignment(slot, 16);
        ir_call_hook(p, HOOK_loadn, args, 4, "");
        LLVMSetOperand(call, i, slot);
    }
}

/* ---- Frames ---- */

static LLVMValueRef intrinsic(struct pass *p, const char *name,
                              LLVMTypeRef *type, LLVMTypeRef over)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(p->module, id, &over, 1);

    *type = LLVMGlobalGetValueType(f);
    return f;
}

/* Structs passed by value lie above the frame and the return address. */
static uint64_t passed_on_stack(struct pass *p, LLVMValueRef function)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(
            function, i + 1, p->attribute[ATTRIBUTE_BYVAL]);

        if (by)
            bytes +=
                32 + LLVMABISizeOfType(p->data, LLVMGetTypeAttributeValue(by));
    }
    return bytes ? bytes + 8ull * LLVMCountParams(function) : 0;
}

/* [stack pointer, frame address) is the frame, and what it has grown by. */
static void leave_before(struct pass *p, LLVMValueRef end)
{
    LLVMValueRef above = ir_i64(p, passed_on_stack(p, ir_function_of(end)));
    LLVMTypeRef save_type, frame_type;
    LLVMValueRef save = intrinsic(p, "llvm.stacksave", &save_type, p->ptr);
    LLVMValueRef frame = intrinsic(p, "llvm.frameaddress", &frame_type, p->ptr);
    LLVMValueRef level = ir_i32(p, 0);

    ir_before(p, end);

    LLVMValueRef low = LLVMBuildCall2(p->builder, save_type, save, NULL, 0, "");
    LLVMValueRef high =
        LLVMBuildCall2(p->builder, frame_type, frame, &level, 1, "");

    high = LLVMBuildGEP2(p->builder, p->i8, high, &above, 1, "");

    LLVMValueRef args[] = {low, high, site_value(p, end, EV_EXIT, 0, "")};

    ir_call_hook(p, HOOK_leave, args, 3, "");
}

static bool jumps(const char *name)
{
    return strcmp(name, "longjmp") == 0 || strcmp(name, "_longjmp") == 0 ||
           strcmp(name, "siglongjmp") == 0 ||
           strcmp(name, "__longjmp_chk") == 0;
}

/* A jump leaves an unknown number of frames: all that is above. */
static void leave_by_jump(struct pass *p, LLVMValueRef call)
{
    LLVMTypeRef type;
    LLVMValueRef save = intrinsic(p, "llvm.stacksave", &type, p->ptr);

    ir_before(p, call);

    LLVMValueRef args[] = {LLVMBuildCall2(p->builder, type, save, NULL, 0, ""),
                           LLVMConstIntToPtr(ir_i64(p, UINT64_MAX), p->ptr),
                           site_value(p, call, EV_EXIT, 0, "")};

    ir_call_hook(p, HOOK_leave, args, 3, "");
}

static enum call_writes writes(struct pass *p, LLVMValueRef call,
                               LLVMValueRef callee)
{
    const struct extern_row *row = extern_find(ir_name(p, callee));
    int written = row ? extern_written(row) : -1;
    bool private = false, shared = false;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef a = LLVMGetArgOperand(call, i);

        if (!is_pointer(a) || (written >= 0 && i != (unsigned)written))
            continue;
        if (privacy_is_private(p, a))
        private = true;
        else if (!LLVMIsConstant(a)) /* no stack has that */
            shared = true;
    }
    if (private && shared)
        return CALL_WRITES_UNKNOWN;
    return private ? CALL_WRITES_PRIVATE : CALL_WRITES_SHARED;
}

/* Of a call that makes a thread: the function that the thread begins with, if
 * the call names it.  Reports call the thread so. */
static const char *begun_function(struct pass *p, LLVMValueRef call,
                                  const char *name)
{
    unsigned at = strcmp(name, "pthread_create") == 0 ? 2 : 1;

    if (strcmp(name, "pthread_create") != 0 && strcmp(name, "thrd_create") != 0)
        return NULL;
    if (LLVMGetNumArgOperands(call) <= at ||
        !LLVMIsAFunction(LLVMGetArgOperand(call, at)))
        return NULL;
    return ir_name(p, LLVMGetArgOperand(call, at));
}

static void call_library(struct pass *p, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = ir_name(p, callee);
    enum extern_class class;

    if (ir_has_prefix(name, "__fencer_"))
        return;
    if (jumps(name))
        leave_by_jump(p, call);
    class = class_of(p, callee);
    if (class == EXTERN_PURE ||
        (class == EXTERN_READS && !passes_shared(p, call)))
        return;

    uint32_t site = site_new(p, call, EV_CALL, writes(p, call, callee),
                             begun_function(p, call, name));
    LLVMValueRef where = ir_i32(p, site);

    ir_before(p, call);
    if (class == EXTERN_MODELLED) {
        LLVMBuildStore(p->builder, where, p->site);
        if (strcmp(name, "fencer_harness") == 0)
            p->flags |= PROGRAM_TEST;
        return;
    }

    LLVMValueRef args[] = {ir_i32(p, extern_index(p, name, class, site)),
                           where};

    ir_call_hook(p, HOOK_call, args, 2, "");
    if (LLVMIsATerminatorInst(call))
        return;
    ir_after(p, call);
    ir_call_hook(p, HOOK_called, args, 2, "");
}

void calls_instrument(struct pass *p, const struct item *item)
{
    LLVMValueRef call = item->inst, callee = ir_callee(call);
    enum copying copying = calls_copying(p, call);

    if (copying != COPIES_NOT && access_is_auto_init(p, call))
        return;
    if (copying == COPIES_MEMORY) {
        access_copy(p, item, LLVMGetArgOperand(call, 0),
                    LLVMGetArgOperand(call, 1), LLVMGetArgOperand(call, 2));
        return;
    }
    if (copying == FILLS_MEMORY) {
        access_fill(p, item, LLVMGetArgOperand(call, 0),
                    LLVMGetArgOperand(call, 1), LLVMGetArgOperand(call, 2));
        return;
    }
    if (!callee && LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        assembly_instrument(p, call);
        return;
    }
    if (callee && LLVMGetIntrinsicID(callee)) {
        if (ir_is_intrinsic(callee, "llvm.thread.pointer")) {
            ir_replace(call, globals_thread_pointer(p, call));
            return;
        }
        if (assembly_fence(p, call))
            return;
        assembly_note_nondeterministic(p, call, ir_name(p, callee));
        if (ir_is_intrinsic(callee, "llvm.trap")) {
            site_new(p, call, EV_NONE, 0, "");
        }
        return;
    }
    watch_arguments(p, call, callee);
    pass_private_copies(p, call);
    if (!callee)
        site_new(p, call, EV_NONE, 0, ""); /* it may lead nowhere */
    if (callee && LLVMIsDeclaration(callee))
        call_library(p, call, callee);
}

/* Calls and pointers alike now mean the runtime's version. */
void calls_rename_modelled(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) ||
            class_of(p, f) != EXTERN_MODELLED)
            continue;

        const char *name =
            arena_printf(&p->arena, "__fencer_%s", ir_name(p, f));
        LLVMValueRef there = LLVMGetNamedFunction(p->module, name);

        if (there) {
            LLVMReplaceAllUsesWith(f, there);
            continue;
        }
        LLVMSetValueName2(f, name, strlen(name));
        /* A weak reference would not fetch it from the runtime's archive. */
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
}

void calls_leave_frame(struct pass *p, LLVMValueRef function)
{
    EACH_INSTRUCTION (i, function) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;

        /* The end of a variable-length array, or of the function. */
        if (LLVMIsAReturnInst(i) ||
            (callee && ir_is_intrinsic(callee, "llvm.stackrestore")))
            leave_before(p, i);
    }
}
