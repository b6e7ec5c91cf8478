/* SPDX-License-Identifier: MIT
 *
 * Loops that could wait: those of which a round may leave all as it found it
 * (runtime/await.c decides it, round by round).  A loop is none if it does what
 * no hook sees into, or if a variable of it gets another value in each round.
 *
 * Private memory that such a loop writes is *carried*: whether a round changed
 * it, and whether anybody reads what it left there, is seen as it happens.  So
 * all accesses to it, wherever they are, are watched.  Memory that no such loop
 * writes costs nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/delays.h"
#include "instrument/flow.h"
#include "instrument/pass.h"
#include "instrument/retries.h"

struct waits {
    struct map unseen;   /* functions that change what no hook sees */
    struct map outside;  /* these, and those that write private memory that is
                            not their own */
    struct map called;   /* functions that loops which could wait call */
    struct map loops;    /* headers of loops that could wait */
    struct map delays;   /* their phis that matter to delays alone, bits */
    struct map bounds;   /* their phis that decide how often they go round */
    struct map expected; /* their phi that a CAS is tried again with */
};

/* ---- Functions ---- */

LLVMValueRef waits_written(struct pass *p, LLVMValueRef inst)
{
    if (LLVMIsAStoreInst(inst))
        return LLVMGetOperand(inst, 1);
    if (LLVMIsACallInst(inst) && calls_copying(p, inst) != COPIES_NOT)
        return LLVMGetArgOperand(inst, 0);
    return LLVMIsACallInst(inst) ? calls_written(p, inst) : NULL;
}

/* Is the address surely inside a local of its own function? */
static bool is_own_local(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) != NULL;
}

static bool passes(LLVMValueRef call, LLVMValueRef v)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetArgOperand(call, i) == v)
            return true;
    }
    return false;
}

static bool makes_threads(struct pass *p, LLVMValueRef callee)
{
    return callee && (strcmp(ir_name(p, callee), "pthread_create") == 0 ||
                      strcmp(ir_name(p, callee), "thrd_create") == 0);
}

/* Is its address kept by more than what makes a thread of it? */
static bool is_known_by_pointer(struct pass *p, LLVMValueRef f)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsACallInst(user) ||
            (passes(user, f) && !makes_threads(p, ir_callee(user))))
            return true;
    }
    return false;
}

/* Whatever a pointer to a function leads to: our own functions have hooks, and
 * so have those of the library that are modelled. */
static bool indirect_changes_unseen(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (LLVMGetIntrinsicID(f))
            continue;
        if (LLVMIsDeclaration(f) && strcmp(ir_name(p, f), "dlsym") == 0)
            return true;
        if (is_known_by_pointer(p, f) &&
            (LLVMIsDeclaration(f) ? !calls_is_modelled(p, f)
                                  : waits_function_changes(p, f)))
            return true;
    }
    return p->open;
}

static bool changes_unseen(struct pass *p, LLVMValueRef inst)
{
    if (!LLVMIsACallInst(inst) || calls_copying(p, inst) != COPIES_NOT)
        return false;
    if (!ir_callee(inst) && !LLVMIsAInlineAsm(LLVMGetCalledValue(inst)))
        return indirect_changes_unseen(p);
    return calls_change_unseen(p, inst);
}

static bool writes_outside(struct pass *p, LLVMValueRef inst)
{
    LLVMValueRef to = waits_written(p, inst);
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    if (to && privacy_is_private(p, to) && !is_own_local(to))
        return true;
    return (callee && waits_writes_outside(p, callee)) ||
           changes_unseen(p, inst);
}

static bool some_instruction(struct pass *p, LLVMValueRef f,
                             bool (*is)(struct pass *, LLVMValueRef))
{
    EACH_INSTRUCTION (i, f) {
        if (is(p, i))
            return true;
    }
    return false;
}

/* All functions with such an instruction; that may depend on what others are
 * in the set already. */
static void find_functions(struct pass *p, struct map *set,
                           bool (*is)(struct pass *, LLVMValueRef))
{
    for (bool again = true; again;) {
        again = false;
        EACH_FUNCTION (f, p->module) {
            if (!LLVMIsDeclaration(f) && !map_get_pointer(set, f) &&
                some_instruction(p, f, is)) {
                *map_put_pointer(set, f) = 1;
                again = true;
            }
        }
    }
}

bool waits_function_changes(struct pass *p, LLVMValueRef function)
{
    return map_get_pointer(&p->waits->unseen, function) != NULL;
}

bool waits_writes_outside(struct pass *p, LLVMValueRef function)
{
    return map_get_pointer(&p->waits->outside, function) != NULL;
}

/* ---- Loops ---- */

static bool block_changes_unseen(struct pass *p, LLVMBasicBlockRef b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMInvoke:
        case LLVMCallBr:
        case LLVMVAArg:
            return true;
        default:
            if (changes_unseen(p, i))
                return true;
        }
    }
    return false;
}

static bool is_nonzero(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) != 0;
}

/* Is it surely another value than `phi`: one more, the next element? */
static bool is_another(LLVMValueRef phi, LLVMValueRef next)
{
    if (!LLVMIsAInstruction(next) || LLVMGetNumOperands(next) < 2 ||
        LLVMGetOperand(next, 0) != phi)
        return false;
    switch (LLVMGetInstructionOpcode(next)) {
    case LLVMAdd:
    case LLVMSub:
        return is_nonzero(LLVMGetOperand(next, 1));
    case LLVMGetElementPtr:
        return LLVMGetNumOperands(next) == 2 &&
               is_nonzero(LLVMGetOperand(next, 1));
    default:
        return false;
    }
}

/* Does that variable of the loop get another value in each round? */
static bool always_changes(LLVMValueRef phi, const struct flow *f,
                           const bool *in)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        uint64_t *index = map_get_pointer(&f->index, from);

        if (index && in[*index - 1] &&
            !is_another(phi, LLVMGetIncomingValue(phi, i)))
            return false;
    }
    return true;
}

static bool is_bound(struct pass *p, const struct flow *f, const bool *in,
                     LLVMValueRef phi)
{
    return always_changes(phi, f, in) && delays_is_bound(p, f, in, phi);
}

/* Does none of its variables change in each round?  Those that decide about
 * delays alone may, and how often it goes round. */
static bool may_stay(struct pass *p, const struct flow *f, uint32_t header,
                     const bool *in)
{
    uint64_t delays = 0, bounds = 0, bit = 1;

    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[header]);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i), bit *= 2) {
        if (bit && delays_is_only(p, f, in, i))
            delays |= bit;
        else if (bit && is_bound(p, f, in, i))
            bounds |= bit;
        else if (always_changes(i, f, in))
            return false;
    }
    *map_put_pointer(&p->waits->delays, f->blocks[header]) = delays;
    *map_put_pointer(&p->waits->bounds, f->blocks[header]) = bounds;
    *map_put_pointer(&p->waits->expected, f->blocks[header]) =
        retries_expected(f, in, header);
    return true;
}

static bool could_wait(struct pass *p, const struct flow *f, uint32_t header,
                       const bool *in)
{
    for (uint32_t b = 0; b < f->count; b++) {
        if (in[b] && block_changes_unseen(p, f->blocks[b]))
            return false;
    }
    return may_stay(p, f, header, in);
}

bool waits_could(struct pass *p, LLVMBasicBlockRef header)
{
    return map_get_pointer(&p->waits->loops, header) != NULL;
}

static uint64_t bits_of(const struct map *m, LLVMBasicBlockRef header)
{
    uint64_t *bits = map_get_pointer(m, header);

    return bits ? *bits : 0;
}

uint64_t waits_delays(struct pass *p, LLVMBasicBlockRef header)
{
    return bits_of(&p->waits->delays, header);
}

uint64_t waits_bounds(struct pass *p, LLVMBasicBlockRef header)
{
    return bits_of(&p->waits->bounds, header);
}

uint64_t waits_expected(struct pass *p, LLVMBasicBlockRef header)
{
    return bits_of(&p->waits->expected, header);
}

/* ---- What they write ---- */

static void carry_called(struct pass *p, LLVMValueRef function);

static void carry_pointed(struct pass *p)
{
    EACH_FUNCTION (f, p->module) {
        if (!LLVMIsDeclaration(f) && is_known_by_pointer(p, f))
            carry_called(p, f);
    }
}

/* Locals of a function that is called are gone when it returns. */
static void carry(struct pass *p, LLVMValueRef inst, bool is_called)
{
    LLVMValueRef to = waits_written(p, inst);
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    if (to && privacy_is_private(p, to) && !(is_called && is_own_local(to)) &&
        !privacy_is_carried(p, to) && !delays_is_only_memory(p, to))
        privacy_carry(p, to);
    if (callee && !LLVMIsDeclaration(callee))
        carry_called(p, callee);
    if (LLVMIsACallInst(inst) && !callee)
        carry_pointed(p);
}

static void carry_called(struct pass *p, LLVMValueRef function)
{
    uint64_t *done = map_put_pointer(&p->waits->called, function);

    if (*done)
        return;
    *done = 1;
    EACH_INSTRUCTION (i, function)
        carry(p, i, true);
}

static void carry_loop(struct pass *p, const struct flow *f, const bool *in)
{
    for (uint32_t b = 0; b < f->count; b++) {
        for (LLVMValueRef i = in[b] ? LLVMGetFirstInstruction(f->blocks[b])
                                    : NULL;
             i; i = LLVMGetNextInstruction(i))
            carry(p, i, false);
    }
}

static void look_at_loops(struct pass *p, LLVMValueRef function)
{
    struct flow f;
    uint32_t header = FLOW_NONE;
    bool *in;

    flow_init(&f, function);
    in = calloc(f.count, sizeof(*in));
    CHECK(in);
    for (size_t i = 0; i < f.back_count; i++) {
        if (!f.back[i].natural || f.back[i].to == header)
            continue;
        header = f.back[i].to;
        flow_loop(&f, header, in);
        if (!could_wait(p, &f, header, in))
            continue;
        *map_put_pointer(&p->waits->loops, f.blocks[header]) = 1;
        carry_loop(p, &f, in);
    }
    free(in);
    flow_free(&f);
}

void waits_find(struct pass *p)
{
    p->waits = calloc(1, sizeof(*p->waits));
    CHECK(p->waits);
    find_functions(p, &p->waits->unseen, changes_unseen);
    find_functions(p, &p->waits->outside, writes_outside);
    EACH_FUNCTION (f, p->module) {
        if (!LLVMIsDeclaration(f))
            look_at_loops(p, f);
    }
}

void waits_free(struct pass *p)
{
    map_free(&p->waits->unseen);
    map_free(&p->waits->outside);
    map_free(&p->waits->called);
    map_free(&p->waits->loops);
    map_free(&p->waits->delays);
    map_free(&p->waits->bounds);
    map_free(&p->waits->expected);
    free(p->waits);
    p->waits = NULL;
}
