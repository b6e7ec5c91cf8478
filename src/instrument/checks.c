/* SPDX-License-Identifier: MIT
 *
 * Checks: where the program could tell that something is wrong, or what it saw.
 * "verified" says little of a program that has none, and no more if no
 * execution came by one.  A check is reached where it is decided: at the branch
 * that leads to __assert_fail, not at the call, which is only made when it
 * fails.  There a flag is set, which no execution resets.
 *
 * Where that is not to be seen, because the function that fails is called
 * through a pointer, or by code that we do not have, checks count as reached.
 */
#include <string.h>

#include "base/vec.h"
#include "instrument/pass.h"

struct values {
    VEC(LLVMValueRef);
};

static bool contains(const struct values *all, LLVMValueRef v)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == v)
            return true;
    }
    return false;
}

enum check {
    CHECK_NOT,
    CHECK_FAILS, /* to come here is the failure */
    CHECK_TELLS  /* what comes here is shown, or may be a failure */
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

static enum check check_by_name(LLVMValueRef call, const char *name)
{
    static const char *const fails[] = {"__assert_fail",
                                        "__assert_perror_fail",
                                        "__assert",
                                        "abort",
                                        "err",
                                        "errx",
                                        "verr",
                                        "verrx",
                                        NULL};
    static const char *const tells[] = {
        "fencer_observe", "fencer_harness", "raise", "kill", "longjmp", NULL};
    static const char *const exits[] = {"exit",       "_exit", "_Exit",
                                        "quick_exit", "error", NULL};

    if (is_one_of(name, fails))
        return CHECK_FAILS;
    if (is_one_of(name, tells))
        return CHECK_TELLS;
    if (!is_one_of(name, exits) || LLVMIsNull(LLVMGetArgOperand(call, 0)))
        return CHECK_NOT;
    return LLVMIsAConstantInt(LLVMGetArgOperand(call, 0)) ? CHECK_FAILS
                                                          : CHECK_TELLS;
}

static enum check check_of(struct pass *p, LLVMValueRef inst,
                           const struct values *failing)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    if (!callee)
        return CHECK_NOT;
    if (contains(failing, callee) || ir_is_intrinsic(callee, "llvm.trap"))
        return CHECK_FAILS;
    return LLVMIsDeclaration(callee) && !LLVMGetIntrinsicID(callee)
               ? check_by_name(inst, ir_name(p, callee))
               : CHECK_NOT;
}

/* ---- Where it is decided ---- */

static void mark(struct pass *p, LLVMValueRef before)
{
    ir_before(p, before);
    LLVMBuildStore(p->builder, ir_i32(p, 1),
                   ir_variable(p, "__fencer_checked", p->i32));
}

/* The branches that lead to the block.  False: the function leads there by
 * itself. */
static bool find_branches(LLVMBasicBlockRef to, struct values *seen,
                          struct values *branches)
{
    LLVMValueRef block = LLVMBasicBlockAsValue(to);
    bool decided = to != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(to));

    if (contains(seen, block))
        return true;
    VEC_PUSH(seen, block);
    for (LLVMUseRef u = LLVMGetFirstUse(block); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMGetUser(u);

        if (!LLVMIsATerminatorInst(end))
            continue;
        if (LLVMGetNumSuccessors(end) > 1)
            VEC_PUSH(branches, end);
        else if (!find_branches(LLVMGetInstructionParent(end), seen, branches))
            decided = false;
    }
    return decided;
}

/* Where the checks of a function are decided.  True: to call it is to fail. */
static bool find_checks(struct pass *p, LLVMValueRef f,
                        const struct values *failing, struct values *found)
{
    struct values seen = {0};
    bool fails = false;

    EACH_INSTRUCTION (i, f) {
        enum check check = check_of(p, i, failing);

        seen.count = 0;
        if (check == CHECK_TELLS)
            VEC_PUSH(found, i);
        else if (check == CHECK_FAILS &&
                 !find_branches(LLVMGetInstructionParent(i), &seen, found))
            fails = true;
    }
    VEC_FREE(&seen);
    return fails;
}

/* Functions of which each call fails, whoever calls them. */
static void find_failing(struct pass *p, struct values *failing)
{
    struct values none = {0};
    size_t before;

    do {
        before = failing->count;
        EACH_FUNCTION (f, p->module) {
            if (!LLVMIsDeclaration(f) && !contains(failing, f) &&
                find_checks(p, f, failing, &none))
                VEC_PUSH(failing, f);
        }
    } while (failing->count > before);
    VEC_FREE(&none);
}

/* An exit code is a check, too. */
static void find_exit_codes(LLVMValueRef function, struct values *found)
{
    EACH_INSTRUCTION (i, function) {
        if (LLVMIsAReturnInst(i) && LLVMGetNumOperands(i) == 1 &&
            !LLVMIsNull(LLVMGetOperand(i, 0)))
            VEC_PUSH(found, i);
    }
}

void checks_instrument(struct pass *p)
{
    LLVMValueRef begin = LLVMGetNamedFunction(p->module, "main");
    struct values failing = {0}, found = {0};
    bool hidden = p->open;

    if (!begin || LLVMIsDeclaration(begin))
        return;
    find_failing(p, &failing);
    EACH_FUNCTION (f, p->module) {
        if (!LLVMIsDeclaration(f))
            find_checks(p, f, &failing, &found);
    }
    for (size_t i = 0; i < failing.count; i++)
        hidden = hidden || failing.list[i] == begin ||
                 !ir_is_only_called(failing.list[i]);
    find_exit_codes(begin, &found);
    if (hidden)
        VEC_PUSH(&found, ir_first(begin));
    if (found.count)
        p->flags |= PROGRAM_CHECKS;
    for (size_t i = 0; i < found.count; i++)
        mark(p, found.list[i]);
    VEC_FREE(&failing);
    VEC_FREE(&found);
}
