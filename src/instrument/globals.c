/* SPDX-License-Identifier: MIT
 *
 * Static and thread-local storage, and main.
 *
 * All writable globals move into two sections, fencer_data and, those without
 * an initial value, fencer_zero, so that the runtime can reset them.  All
 * thread-local variables are laid out in one image; each fiber has a copy, and
 * __fencer_tls points to the running one's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/externs.h"
#include "instrument/pass.h"

static bool is_special(struct pass *p, LLVMValueRef global)
{
    const char *name = ir_name(p, global);

    return LLVMGetLinkage(global) == LLVMAppendingLinkage ||
           ir_has_prefix(name, "llvm.") || ir_has_prefix(name, "__fencer_");
}

static void move_one(struct pass *p, LLVMValueRef g)
{
    const char *section = LLVMGetSection(g);

    if (section && *section) {
        if (strcmp(section, "fencer_ghost") != 0)
            strs_addf(&p->limits,
                      "%s is in section %s: not reset between executions of "
                      "one process",
                      ir_name(p, g), section);
        return;
    }
    if (LLVMGetLinkage(g) == LLVMCommonLinkage)
        LLVMSetLinkage(g, LLVMExternalLinkage);
    /* Zeroes take no room in the file, in a section of their own. */
    LLVMSetSection(g, LLVMIsNull(LLVMGetInitializer(g)) ? "fencer_zero"
                                                        : "fencer_data");
}

/* A program's own malloc or memcpy is the program's: the runtime and the C
 * library below it must not end up in instrumented code. */
static void keep_from_library(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (LLVMIsDeclaration(f) || p->open || !extern_find(ir_name(p, f)))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMSetVisibility(f, LLVMDefaultVisibility);
    }
}

static void rename_main(struct pass *p)
{
    LLVMValueRef f = LLVMGetNamedFunction(p->module, "main");

    if (!f || LLVMIsDeclaration(f))
        return;
    LLVMSetValueName2(f, "__fencer_user_main", 18);
    p->main = f;
}

/* LLVM gives contents to every section that is named; unless it knows the
 * section already, and this is how it comes to know it. */
static void declare_zero_section(struct pass *p)
{
    static const char text[] =
        ".section fencer_zero,\"aw\",@nobits\n.previous\n";

    LLVMAppendModuleInlineAsm(p->module, text, sizeof(text) - 1);
}

void globals_move(struct pass *p)
{
    declare_zero_section(p);
    EACH_GLOBAL (g, p->module) {
        if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
            !LLVMIsThreadLocal(g) && !is_special(p, g) &&
            LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage)
            move_one(p, g);
    }
    rename_main(p);
    keep_from_library(p);
}

/* ---- Thread-local storage ---- */

/* `bytes` zeroes, to fill up to an offset. */
static LLVMValueRef gap(struct pass *p, uint64_t bytes)
{
    return LLVMConstNull(LLVMArrayType2(p->i8, bytes));
}

struct layout {
    VEC(LLVMValueRef) parts;
    uint64_t at, align;
};

static uint64_t place_global(struct pass *p, struct layout *l, LLVMValueRef g)
{
    LLVMValueRef init = LLVMGetInitializer(g);
    LLVMTypeRef type = LLVMTypeOf(init);
    uint64_t align = LLVMGetAlignment(g);

    if (!align)
        align = LLVMABIAlignmentOfType(p->data, type);
    if (align > l->align)
        l->align = align;

    uint64_t offset = (l->at + align - 1) / align * align;

    CHECK(offset >= l->at && (align & (align - 1)) == 0);
    if (offset != l->at)
        VEC_PUSH(&l->parts, gap(p, offset - l->at));
    VEC_PUSH(&l->parts, init);
    l->at = offset + LLVMABISizeOfType(p->data, type);
    return offset;
}

LLVMValueRef globals_thread_pointer(struct pass *p, LLVMValueRef user)
{
    ir_before(p, user);
    return LLVMBuildLoad2(p->builder, p->ptr, p->tls, "tls");
}

static LLVMValueRef address_before(struct pass *p, LLVMValueRef user,
                                   uint64_t offset)
{
    LLVMValueRef base = globals_thread_pointer(p, user);
    LLVMValueRef index = ir_i64(p, offset);

    return LLVMBuildInBoundsGEP2(p->builder, p->i8, base, &index, 1, "");
}

static bool is_address_call(LLVMValueRef user)
{
    LLVMValueRef callee = LLVMIsACallInst(user) ? ir_callee(user) : NULL;

    return callee && ir_is_intrinsic(callee, "llvm.threadlocal.address");
}

/* Gives every use of the variable the running fiber's copy. */
static void redirect(struct pass *p, LLVMValueRef g, uint64_t offset)
{
    LLVMUseRef u;

    while ((u = LLVMGetFirstUse(g))) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user)) {
            strs_addf(&p->limits,
                      "thread-local %s is used in a constant: shared by all "
                      "threads there",
                      ir_name(p, g));
            return;
        }

        LLVMValueRef address = address_before(p, user, offset);

        if (is_address_call(user)) {
            ir_replace(user, address);
            continue;
        }
        for (int i = 0; i < LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, (unsigned)i) == g)
                LLVMSetOperand(user, (unsigned)i, address);
        }
    }
}

void globals_thread_local(struct pass *p)
{
    struct layout l = {.align = 1};

    EACH_GLOBAL (g, p->module) {
        if (LLVMIsThreadLocal(g) && !LLVMIsDeclaration(g))
            redirect(p, g, place_global(p, &l, g));
    }
    if (l.parts.count) {
        LLVMValueRef image = LLVMConstStructInContext(
            p->context, l.parts.list, (unsigned)l.parts.count, 1);

        p->tls_image =
            LLVMAddGlobal(p->module, LLVMTypeOf(image), "fencer.tls");
        LLVMSetInitializer(p->tls_image, image);
        LLVMSetGlobalConstant(p->tls_image, 1);
        LLVMSetLinkage(p->tls_image, LLVMInternalLinkage);
        LLVMSetAlignment(p->tls_image, (unsigned)l.align);
        CHECK(LLVMABISizeOfType(p->data, LLVMTypeOf(image)) == l.at);
        p->tls_size = l.at;
        p->tls_align = l.align;
    }
    VEC_FREE(&l.parts);
}
