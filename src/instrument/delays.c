/* SPDX-License-Identifier: MIT
 *
 * Values that decide about nothing but delays: the length of a back-off, a
 * count of rounds after which a thread yields.  That such a value is another
 * after a round of a loop changes nothing which others, or the thread itself,
 * could notice but by a clock.
 *
 * From one value the analysis follows all that is computed from it, through
 * parameters, results and private memory (by its class, privacy.c).  A branch
 * on such a value has to come together again, and what lies in between must be
 * *quiet*: arithmetic, pauses, yields, sleeps.  What is defined in between
 * depends on the value, too.  Whatever else becomes of it, an access to shared
 * memory, an argument of an unknown function, a branch that leaves the loop,
 * makes it an ordinary value.
 *
 * Delays end: a value that makes one go on for ever is not looked for.
 */
#include "instrument/delays.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define BLOCKS_MOST 300 /* of a function that is looked at */

/* What follows from one value. */
struct slice {
    struct pass *p;
    const struct flow *loop_flow; /* of the loop that is asked about */
    const bool *in;               /* its blocks; NULL: none, memory is */
    const void *asked;            /* that memory, by its class */
    struct map values;            /* that depend on it */
    struct map memory;            /* classes of private memory that do */
    VEC(LLVMValueRef) work;
    bool bounds; /* the loop may be left because of it, by a branch that does
                    nothing else; outside of it is no use of it */
    bool fails;
};

static void depends(struct slice *s, LLVMValueRef v)
{
    uint64_t *there = map_put_pointer(&s->values, v);

    if (!*there)
        VEC_PUSH(&s->work, v);
    *there = 1;
}

/* ---- Quiet instructions ---- */

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++) {
        if (strcmp(name, *list) == 0)
            return true;
    }
    return false;
}

static bool is_delay_function(struct pass *p, LLVMValueRef f)
{
    static const char *const names[] = {"sched_yield",     "pthread_yield",
                                        "thrd_yield",      "usleep",
                                        "sleep",           "poll",
                                        "nanosleep",       "thrd_sleep",
                                        "clock_nanosleep", NULL};

    return is_one_of(ir_name(p, f), names);
}

/* Without spaces: what people write for a pause, or to hold the compiler. */
static bool is_delay_assembly(LLVMValueRef code)
{
    static const char *const texts[] = {"",        "pause",  "pause;",
                                        "rep;nop", "repnop", "rep;nop;",
                                        "nop",     "nop;",   NULL};
    char text[16];
    size_t length, count = 0;
    const char *all = LLVMGetInlineAsmAsmString(code, &length);

    for (size_t i = 0; i < length && count + 1 < sizeof(text); i++) {
        if (!strchr(" \t\n", all[i]))
            text[count++] = all[i];
    }
    text[count] = '\0';
    return count + 1 < sizeof(text) && is_one_of(text, texts);
}

static bool is_arithmetic(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMPHI:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFAdd:
    case LLVMFMul:
        return true;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        /* Others may trap. */
        return LLVMIsAConstantInt(LLVMGetOperand(inst, 1)) &&
               LLVMConstIntGetSExtValue(LLVMGetOperand(inst, 1)) > 0;
    default:
        return false;
    }
}

static bool is_quiet_intrinsic(LLVMValueRef f)
{
    static const char *const prefixes[] = {"llvm.dbg.",
                                           "llvm.lifetime.",
                                           "llvm.x86.sse2.pause",
                                           "llvm.umin.",
                                           "llvm.umax.",
                                           "llvm.smin.",
                                           "llvm.smax.",
                                           "llvm.usub.sat.",
                                           "llvm.uadd.sat.",
                                           "llvm.donothing",
                                           NULL};

    for (const char *const *at = prefixes; *at; at++) {
        if (ir_is_intrinsic(f, *at))
            return true;
    }
    return false;
}

static void memory_depends(struct slice *s, LLVMValueRef pointer);
static bool function_is_quiet(struct slice *s, LLVMValueRef f, int depth);

static bool call_is_quiet(struct slice *s, LLVMValueRef call, int depth)
{
    LLVMValueRef f = ir_callee(call);

    if (!f)
        return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) &&
               is_delay_assembly(LLVMGetCalledValue(call));
    if (LLVMGetIntrinsicID(f))
        return is_quiet_intrinsic(f);
    return LLVMIsDeclaration(f) ? is_delay_function(s->p, f)
                                : function_is_quiet(s, f, depth);
}

static bool writes_quietly(struct slice *s, LLVMValueRef to)
{
    if (!privacy_is_private(s->p, to))
        return false;
    memory_depends(s, to);
    return true;
}

/* A copy, or the pattern that a local has before it is written. */
static bool copies_quietly(struct slice *s, LLVMValueRef call)
{
    LLVMValueRef from = calls_copying(s->p, call) == COPIES_MEMORY
                            ? LLVMGetArgOperand(call, 1)
                            : NULL;

    return (!from || privacy_is_private(s->p, from) ||
            (LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from))) &&
           writes_quietly(s, LLVMGetArgOperand(call, 0));
}

/* Is it nothing that others could notice?  Private memory that it writes
 * depends on whether it is done. */
static bool is_quiet(struct slice *s, LLVMValueRef inst, int depth)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMBr:
    case LLVMSwitch:
    case LLVMGetElementPtr:
    case LLVMAlloca:
        return true;
    case LLVMRet:
        return depth > 0;
    case LLVMCall:
        return calls_copying(s->p, inst) != COPIES_NOT
                   ? copies_quietly(s, inst)
                   : call_is_quiet(s, inst, depth);
    case LLVMLoad:
        return privacy_is_private(s->p, LLVMGetOperand(inst, 0));
    case LLVMStore:
        return writes_quietly(s, LLVMGetOperand(inst, 1));
    default:
        return is_arithmetic(inst);
    }
}

static bool function_is_quiet(struct slice *s, LLVMValueRef f, int depth)
{
    if (depth == 4)
        return false; /* it may call itself */
    EACH_INSTRUCTION (i, f) {
        if (!is_quiet(s, i, depth + 1))
            return false;
    }
    return true;
}

/* ---- Branches ---- */

/* The blocks between a branch and where it comes together again. */
struct region {
    bool *in;
    uint32_t count;
    bool comes_together;
};

static void region_add(struct region *r, uint32_t b, uint32_t *work, size_t *n)
{
    if (r->in[b])
        return;
    r->in[b] = true;
    r->count++;
    work[(*n)++] = b;
}

/* All that is reached from `branch` before `join`. */
static struct region region_find(const struct flow *f, uint32_t branch,
                                 uint32_t join)
{
    struct region r = {calloc(f->count, sizeof(bool)), 0, true};
    uint32_t *work = calloc(f->count + 1u, sizeof(*work));
    size_t n = 0;

    CHECK(r.in && work);
    work[n++] = branch;
    while (n) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[work[--n]]);
        unsigned count = LLVMGetNumSuccessors(end);

        r.comes_together = r.comes_together && count > 0;
        for (unsigned i = 0; i < count; i++) {
            uint32_t to = flow_index(f, LLVMGetSuccessor(end, i));

            if (to != join)
                region_add(&r, to, work, &n);
        }
    }
    free(work);
    return r;
}

static bool is_used_outside(const struct flow *f, const struct region *r,
                            LLVMValueRef v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef b = LLVMGetInstructionParent(LLVMGetUser(u));
        uint64_t *index = map_get_pointer(&f->index, b);

        if (index && !r->in[*index - 1])
            return true;
    }
    return false;
}

/* What the region gives to others depends on the branch, and so do values that
 * come together with it. */
static void region_depends(struct slice *s, const struct flow *f,
                           const struct region *r, uint32_t branch,
                           uint32_t join)
{
    for (uint32_t b = 0; b < f->count; b++) {
        for (LLVMValueRef i = r->in[b] ? LLVMGetFirstInstruction(f->blocks[b])
                                       : NULL;
             i && !s->fails; i = LLVMGetNextInstruction(i)) {
            s->fails = !is_quiet(s, i, 0);
            if (is_used_outside(f, r, i))
                depends(s, i);
        }
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[join]);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            uint32_t from = flow_index(f, LLVMGetIncomingBlock(i, k));

            if (from == branch || r->in[from])
                depends(s, i);
        }
    }
}

static bool is_of_class(struct slice *s, LLVMValueRef pointer)
{
    return pointer && privacy_class(s->p, pointer) == s->asked;
}

static bool function_writes(struct slice *s, LLVMValueRef f, int depth)
{
    if (depth == 4)
        return true; /* for all we know */
    EACH_INSTRUCTION (i, f) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;

        if (is_of_class(s, waits_written(s->p, i)) ||
            (callee && !LLVMIsDeclaration(callee) &&
             function_writes(s, callee, depth + 1)))
            return true;
    }
    return false;
}

/* A loop that the region leaves may go round more often.  It must not write the
 * memory that is asked about, for to that loop it is a count which ends it.
 * (What else it writes is asked about by itself, and variables of each loop.)
 */
static bool loop_writes(struct slice *s, const struct flow *f, const bool *in)
{
    for (uint32_t b = 0; s->asked && b < f->count; b++) {
        for (LLVMValueRef i = in[b] ? LLVMGetFirstInstruction(f->blocks[b])
                                    : NULL;
             i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;

            if (is_of_class(s, waits_written(s->p, i)) ||
                (callee && !LLVMIsDeclaration(callee) &&
                 function_writes(s, callee, 0)))
                return true;
        }
    }
    return false;
}

static bool leaves(const struct flow *f, const struct region *r, uint32_t join,
                   const bool *in)
{
    bool out = !in[join];

    for (uint32_t b = 0; b < f->count && !out; b++)
        out = r->in[b] && !in[b];
    return out;
}

static void look_at_loops(struct slice *s, const struct flow *f,
                          const struct region *r, uint32_t branch,
                          uint32_t join)
{
    bool *in = calloc(f->count, sizeof(*in));

    CHECK(in);
    for (size_t i = 0; i < f->back_count && !s->fails; i++) {
        if (!f->back[i].natural)
            continue;
        flow_loop(f, f->back[i].to, in);
        if (in[branch] && leaves(f, r, join, in))
            s->fails = loop_writes(s, f, in);
    }
    free(in);
}

/* Where all ways from the branch meet first. */
static struct region region_of(const struct flow *f, uint32_t branch,
                               uint32_t *join)
{
    struct region best = {NULL, UINT32_MAX, false};

    for (uint32_t j = 0; j < f->count; j++) {
        struct region r = region_find(f, branch, j);

        if (r.comes_together && r.count < best.count) {
            free(best.in);
            best = r;
            *join = j;
        } else {
            free(r.in);
        }
    }
    return best;
}

/* Is the instruction in the loop that is asked about? */
static bool is_inside(const struct slice *s, LLVMValueRef inst)
{
    uint64_t *index =
        map_get_pointer(&s->loop_flow->index, LLVMGetInstructionParent(inst));

    return index && s->in[*index - 1];
}

/* Does the branch, in the loop, decide whether it is left? */
static bool ends_loop(const struct slice *s, LLVMValueRef end)
{
    bool out = false, stays = false;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        bool inside = s->in[flow_index(s->loop_flow, LLVMGetSuccessor(end, i))];

        out = out || !inside;
        stays = stays || inside;
    }
    return out && stays;
}

static void branch_depends(struct slice *s, LLVMValueRef end)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
    struct flow f;
    struct region r;
    uint32_t branch, join = 0;

    if (s->bounds && is_inside(s, end) && ends_loop(s, end))
        return;
    flow_init(&f, LLVMGetBasicBlockParent(block));
    if (f.count > BLOCKS_MOST || !map_get_pointer(&f.index, block)) {
        s->fails = true;
        flow_free(&f);
        return;
    }
    branch = flow_index(&f, block);
    r = region_of(&f, branch, &join);
    s->fails = s->fails || !r.in;
    /* The loop that is asked about must not be left because of the value. */
    if (r.in && s->in && f.blocks[0] == s->loop_flow->blocks[0] &&
        s->in[branch] && leaves(&f, &r, join, s->in))
        s->fails = true;
    if (!s->fails)
        look_at_loops(s, &f, &r, branch, join);
    if (!s->fails)
        region_depends(s, &f, &r, branch, join);
    free(r.in);
    flow_free(&f);
}

/* ---- Uses ---- */

static bool only_called(LLVMValueRef f)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        if (!LLVMIsACallInst(LLVMGetUser(u)) ||
            LLVMGetCalledValue(LLVMGetUser(u)) != f)
            return false;
    }
    return true;
}

static void result_depends(struct slice *s, LLVMValueRef f)
{
    s->fails = s->fails || !only_called(f);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u && !s->fails;
         u = LLVMGetNextUse(u))
        depends(s, LLVMGetUser(u));
}

static void argument_depends(struct slice *s, LLVMValueRef call, LLVMValueRef v)
{
    LLVMValueRef f = ir_callee(call);

    if (!f || LLVMGetIntrinsicID(f) || LLVMIsDeclaration(f)) {
        s->fails = s->fails || !call_is_quiet(s, call, 0);
        depends(s, call);
        return;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetArgOperand(call, i) != v)
            continue;
        if (i < LLVMCountParams(f))
            depends(s, LLVMGetParam(f, i));
        else
            s->fails = true;
    }
}

static bool is_library_delay(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef f = ir_callee(call);

    return f && LLVMIsDeclaration(f) && is_delay_function(p, f);
}

/* Who else gets hold of that memory: copies, and functions of the library. */
static bool is_odd_access(struct slice *s, LLVMValueRef inst, const void *class)
{
    LLVMValueRef f;

    if (!LLVMIsACallInst(inst))
        return false;
    f = ir_callee(inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef a = LLVMGetArgOperand(inst, i);

        if (privacy_class(s->p, a) != class)
            continue;
        if (!f || (calls_copying(s->p, inst) == COPIES_MEMORY && i == 1) ||
            (LLVMIsDeclaration(f) && calls_copying(s->p, inst) == COPIES_NOT &&
             !LLVMGetIntrinsicID(f) && !is_library_delay(s->p, inst)) ||
            LLVMGetCallSiteEnumAttribute(inst, i + 1,
                                         s->p->attribute[ATTRIBUTE_BYVAL]))
            return true;
    }
    return false;
}

/* All that is read there depends on it. */
static void memory_depends(struct slice *s, LLVMValueRef pointer)
{
    const void *class = privacy_class(s->p, pointer);
    uint64_t *there = map_put_pointer(&s->memory, class);

    if (*there)
        return;
    *there = 1;
    EACH_FUNCTION (f, s->p->module) {
        if (LLVMIsDeclaration(f))
            continue;
        EACH_INSTRUCTION (i, f) {
            if (LLVMIsALoadInst(i) &&
                privacy_class(s->p, LLVMGetOperand(i, 0)) == class)
                depends(s, i);
            s->fails = s->fails || is_odd_access(s, i, class);
        }
    }
}

static void look_at_use(struct slice *s, LLVMValueRef v, LLVMValueRef user)
{
    if (!LLVMIsAInstruction(user)) {
        s->fails = true;
        return;
    }
    if (s->bounds &&
        ir_function_of(user) ==
            LLVMGetBasicBlockParent(s->loop_flow->blocks[0]) &&
        !is_inside(s, user)) {
        s->fails = true;
        return;
    }
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMBr:
    case LLVMSwitch:
        branch_depends(s, user);
        return;
    case LLVMRet:
        result_depends(s, ir_function_of(user));
        return;
    case LLVMCall:
        argument_depends(s, user, v);
        return;
    case LLVMStore:
        if (LLVMGetOperand(user, 1) == v ||
            !privacy_is_private(s->p, LLVMGetOperand(user, 1)) ||
            privacy_is_library(s->p, LLVMGetOperand(user, 1)))
            s->fails = true;
        else
            memory_depends(s, LLVMGetOperand(user, 1));
        return;
    default:
        if (is_arithmetic(user))
            depends(s, user);
        else
            s->fails = true;
    }
}

static bool follow(struct slice *s)
{
    while (s->work.count && !s->fails) {
        LLVMValueRef v = s->work.list[--s->work.count];

        for (LLVMUseRef u = LLVMGetFirstUse(v); u && !s->fails;
             u = LLVMGetNextUse(u))
            look_at_use(s, v, LLVMGetUser(u));
    }
    return !s->fails;
}

static void slice_free(struct slice *s)
{
    map_free(&s->values);
    map_free(&s->memory);
    VEC_FREE(&s->work);
}

static bool ask(struct slice s, LLVMValueRef phi)
{
    bool only;

    depends(&s, phi);
    only = follow(&s);
    slice_free(&s);
    return only;
}

bool delays_is_only(struct pass *p, const struct flow *f, const bool *in,
                    LLVMValueRef phi)
{
    return ask((struct slice){.p = p, .loop_flow = f, .in = in}, phi);
}

bool delays_is_bound(struct pass *p, const struct flow *f, const bool *in,
                     LLVMValueRef phi)
{
    return ask((struct slice){.p = p, .loop_flow = f, .in = in, .bounds = true},
               phi);
}

bool delays_is_only_memory(struct pass *p, LLVMValueRef pointer)
{
    struct slice s = {.p = p, .asked = privacy_class(p, pointer)};
    bool only;

    memory_depends(&s, pointer);
    only = !privacy_is_library(p, pointer) && follow(&s);
    slice_free(&s);
    return only;
}

bool delays_is_pause(struct pass *p, LLVMValueRef inst, int depth)
{
    LLVMValueRef f;

    if (!LLVMIsACallInst(inst))
        return depth &&
               (LLVMIsABranchInst(inst) ? !LLVMIsConditional(inst)
                                        : LLVMIsAReturnInst(inst) != NULL);
    f = ir_callee(inst);
    if (!f)
        return LLVMIsAInlineAsm(LLVMGetCalledValue(inst)) &&
               is_delay_assembly(LLVMGetCalledValue(inst));
    if (LLVMGetIntrinsicID(f))
        return is_quiet_intrinsic(f);
    if (LLVMIsDeclaration(f))
        return is_delay_function(p, f);
    EACH_INSTRUCTION (i, f) {
        if (depth == 4 || !delays_is_pause(p, i, depth + 1))
            return false;
    }
    return true;
}
