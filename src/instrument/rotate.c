/* SPDX-License-Identifier: MIT
 *
 * A loop that looks at a variable and then reads it anew,
 *
 *      seen = load(&flag);
 *      while (!seen) {
 *          pause();
 *          seen = load(&flag);
 *      }
 *
 * comes round with another value of `seen` each time, though nobody looks at
 * the old one any more once it was checked.  So the check is put at the end of
 * the round, and stays before the loop: then a round begins where `seen` is of
 * no use, and changes nothing (docs/decisions/11).
 *
 * The *check* is the blocks from the header on that do nothing but compute with
 * variables of the function.  They are done as often as before, and have no
 * event.  Runs before SROA, when variables still have their slots.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "base/check.h"
#include "instrument/flow.h"
#include "instrument/pass.h"

#define CHECK_BLOCKS_MOST 16
#define DEPTH_MOST 64 /* of what a value is computed from */

/* One loop, and its check. */
struct check {
    const struct flow *f;
    const bool *in; /* the blocks of the loop */
    uint32_t header;
    uint32_t blocks[CHECK_BLOCKS_MOST];
    LLVMBasicBlockRef copies[CHECK_BLOCKS_MOST];
    unsigned count;
    uint32_t next;   /* where a round goes on after it */
    struct map copy; /* of its instructions, and of its blocks */
};

/* ---- Variables ---- */

/* Is it used by accesses to it alone? */
static bool is_slot(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsALoadInst(user) ? LLVMGetVolatile(user)
            : LLVMIsAStoreInst(user)
                ? LLVMGetVolatile(user) || LLVMGetOperand(user, 0) == address
            : LLVMIsAGetElementPtrInst(user)
                ? !is_slot(user)
                : !LLVMIsACallInst(user) || !LLVMIsAMemIntrinsic(user))
            return false;
    }
    return true;
}

/* The variable at that address, if it is one that nobody else can reach. */
LLVMValueRef rotate_slot(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) && is_slot(address) ? address : NULL;
}

/* ---- The check of a loop ---- */

/* It only says where a variable is. */
bool rotate_is_declaration(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? ir_callee(inst) : NULL;

    return callee && ir_is_intrinsic(callee, "llvm.dbg.");
}

static bool is_of_check(LLVMValueRef inst)
{
    if (LLVMIsALoadInst(inst))
        return rotate_slot(LLVMGetOperand(inst, 0));
    if (LLVMIsAStoreInst(inst))
        return rotate_slot(LLVMGetOperand(inst, 1));
    return (!LLVMIsACallInst(inst) || rotate_is_declaration(inst)) &&
           !LLVMIsAAtomicRMWInst(inst) && !LLVMIsAAtomicCmpXchgInst(inst) &&
           !LLVMIsAFenceInst(inst) && !LLVMIsAVAArgInst(inst) &&
           !LLVMIsAAllocaInst(inst) && !LLVMIsALandingPadInst(inst);
}

static bool may_be_of_check(LLVMBasicBlockRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (!is_of_check(i))
            return false;
    }
    return LLVMIsABranchInst(end) || LLVMIsASwitchInst(end);
}

static bool has_block(const struct check *c, uint32_t b)
{
    for (unsigned i = 0; i < c->count; i++) {
        if (c->blocks[i] == b)
            return true;
    }
    return false;
}

/* Is it reached by way of the check alone? */
static bool follows(const struct check *c, uint32_t b)
{
    const struct flow *f = c->f;

    for (uint32_t i = f->pred_start[b]; i < f->pred_start[b + 1]; i++) {
        if (!has_block(c, f->pred[i]))
            return false;
    }
    return true;
}

/* The blocks after its last one that are not in it.  False: there are several
 * in the loop, or too many. */
static bool look_at_successors(struct check *c, uint32_t b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->f->blocks[b]);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        uint32_t to = flow_index(c->f, LLVMGetSuccessor(end, i));

        if (to == c->header)
            return false;
        if (!c->in[to] || has_block(c, to))
            continue;
        if (c->count == CHECK_BLOCKS_MOST)
            return false;
        if (follows(c, to) && may_be_of_check(c->f->blocks[to]))
            c->blocks[c->count++] = to;
    }
    return true;
}

/* Where the loop goes on after the check, if that is one place. */
static bool find_next(struct check *c)
{
    c->next = FLOW_NONE;
    for (unsigned k = 0; k < c->count; k++) {
        LLVMValueRef end =
            LLVMGetBasicBlockTerminator(c->f->blocks[c->blocks[k]]);

        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            uint32_t to = flow_index(c->f, LLVMGetSuccessor(end, i));

            if (!c->in[to] || has_block(c, to))
                continue;
            if (c->next != FLOW_NONE && c->next != to)
                return false;
            c->next = to;
        }
    }
    return c->next != FLOW_NONE;
}

static bool has_phis(LLVMBasicBlockRef b)
{
    return LLVMIsAPHINode(LLVMGetFirstInstruction(b)) != NULL;
}

static bool find_check(struct check *c)
{
    if (!may_be_of_check(c->f->blocks[c->header]))
        return false;
    c->blocks[c->count++] = c->header;
    for (unsigned k = 0; k < c->count; k++) {
        if (!look_at_successors(c, c->blocks[k]))
            return false;
    }
    return find_next(c) && !has_phis(c->f->blocks[c->header]) &&
           !has_phis(c->f->blocks[c->next]);
}

/* ---- Is there a use in it? ---- */

static bool depends_on(LLVMValueRef v, LLVMValueRef slot, int depth)
{
    if (!LLVMIsAInstruction(v))
        return false;
    if (depth == DEPTH_MOST || LLVMIsAPHINode(v))
        return true;
    if (LLVMIsALoadInst(v) && rotate_slot(LLVMGetOperand(v, 0)) == slot)
        return true;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (depends_on(LLVMGetOperand(v, (unsigned)i), slot, depth + 1))
            return true;
    }
    return false;
}

/* Does the rest of the loop give the variable values that are not computed from
 * the one it had, as `i++` is? */
static bool is_read_anew(const struct check *c, LLVMValueRef slot)
{
    bool any = false;

    for (uint32_t b = 0; b < c->f->count; b++) {
        if (!c->in[b] || has_block(c, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->f->blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) ||
                rotate_slot(LLVMGetOperand(i, 1)) != slot)
                continue;
            if (depends_on(LLVMGetOperand(i, 0), slot, 0))
                return false;
            any = any || LLVMIsAInstruction(LLVMGetOperand(i, 0));
        }
    }
    return any;
}

static bool looks_at_what_is_read_anew(const struct check *c)
{
    for (unsigned k = 0; k < c->count; k++) {
        for (LLVMValueRef i =
                 LLVMGetFirstInstruction(c->f->blocks[c->blocks[k]]);
             i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) &&
                is_read_anew(c, rotate_slot(LLVMGetOperand(i, 0))))
                return true;
        }
    }
    return false;
}

/* Is what it computes used by nobody else, but for phis of blocks behind it? */
static bool is_closed(const struct check *c)
{
    for (unsigned k = 0; k < c->count; k++) {
        for (LLVMValueRef i =
                 LLVMGetFirstInstruction(c->f->blocks[c->blocks[k]]);
             i; i = LLVMGetNextInstruction(i)) {
            for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
                LLVMValueRef user = LLVMGetUser(u);
                uint64_t *index = map_get_pointer(
                    &c->f->index, LLVMGetInstructionParent(user));

                if (!LLVMIsAPHINode(user) &&
                    !(index && has_block(c, (uint32_t)(*index - 1))))
                    return false;
            }
        }
    }
    return true;
}

/* ---- The copy ---- */

static LLVMValueRef copy_of(const struct check *c, LLVMValueRef v)
{
    uint64_t *there = map_get_pointer(&c->copy, v);

    return there ? (LLVMValueRef)(uintptr_t)*there : v;
}

static LLVMBasicBlockRef copy_of_block(const struct check *c,
                                       LLVMBasicBlockRef b)
{
    return LLVMValueAsBasicBlock(copy_of(c, LLVMBasicBlockAsValue(b)));
}

static LLVMValueRef clone(struct pass *p, LLVMValueRef inst)
{
    LLVMValueRef to;

    if (LLVMIsAPHINode(inst))
        return LLVMBuildPhi(p->builder, LLVMTypeOf(inst), "");
    to = LLVMInstructionClone(inst);
    LLVMInsertIntoBuilder(p->builder, to);
    return to;
}

static void clone_block(struct pass *p, struct check *c, unsigned k)
{
    LLVMBasicBlockRef b = c->f->blocks[c->blocks[k]];

    c->copies[k] = LLVMInsertBasicBlockInContext(p->context, b, "");
    LLVMMoveBasicBlockAfter(c->copies[k], b);
    *map_put_pointer(&c->copy, LLVMBasicBlockAsValue(b)) =
        (uintptr_t)LLVMBasicBlockAsValue(c->copies[k]);
    LLVMPositionBuilderAtEnd(p->builder, c->copies[k]);
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
        if (!rotate_is_declaration(i))
            *map_put_pointer(&c->copy, i) = (uintptr_t)clone(p, i);
    }
}

static void copy_incoming(const struct check *c, LLVMValueRef phi)
{
    LLVMValueRef to = copy_of(c, phi);

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = copy_of(c, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef from = copy_of_block(c, LLVMGetIncomingBlock(phi, i));

        LLVMAddIncoming(to, &value, &from, 1);
    }
}

static void copy_operands(const struct check *c, LLVMBasicBlockRef b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef to = copy_of(c, i);

        if (LLVMIsAPHINode(i)) {
            copy_incoming(c, i);
            continue;
        }
        for (int k = 0; to != i && k < LLVMGetNumOperands(i); k++)
            LLVMSetOperand(to, (unsigned)k,
                           copy_of(c, LLVMGetOperand(i, (unsigned)k)));
    }
}

/* Those behind the check have the copy before them, too. */
static void tell_phis(const struct check *c, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to);
         phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        unsigned count = LLVMCountIncoming(phi);

        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef value = copy_of(c, LLVMGetIncomingValue(phi, i));
            LLVMBasicBlockRef copy = copy_of_block(c, from);

            if (LLVMGetIncomingBlock(phi, i) == from)
                LLVMAddIncoming(phi, &value, &copy, 1);
        }
    }
}

static void tell_exits(const struct check *c)
{
    for (unsigned k = 0; k < c->count; k++) {
        LLVMBasicBlockRef b = c->f->blocks[c->blocks[k]];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        unsigned count = LLVMGetNumSuccessors(end);

        for (unsigned i = 0; i < count; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool before = false;

            for (unsigned j = 0; j < i; j++)
                before = before || LLVMGetSuccessor(end, j) == to;
            if (!before && !has_block(c, flow_index(c->f, to)))
                tell_phis(c, b, to);
        }
    }
}

static void redirect(LLVMValueRef end, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to)
{
    unsigned count = LLVMGetNumSuccessors(end);

    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetSuccessor(end, i) == from)
            LLVMSetSuccessor(end, i, to);
    }
}

/* A round begins in a block of its own: its end may be the beginning of a loop
 * inside. */
static LLVMBasicBlockRef begin_round(struct pass *p, const struct check *c)
{
    LLVMBasicBlockRef next = c->f->blocks[c->next];
    LLVMBasicBlockRef round =
        LLVMInsertBasicBlockInContext(p->context, next, "round");

    LLVMPositionBuilderAtEnd(p->builder, round);
    LLVMBuildBr(p->builder, next);
    return round;
}

/* What closes the loop: its place is the loop's. */
static LLVMMetadataRef place_of(const struct check *c)
{
    for (size_t i = 0; i < c->f->back_count; i++) {
        if (c->f->back[i].to == c->header)
            return LLVMInstructionGetDebugLoc(
                LLVMGetBasicBlockTerminator(c->f->blocks[c->f->back[i].from]));
    }
    return NULL;
}

static bool stores(const struct check *c)
{
    for (unsigned k = 0; k < c->count; k++) {
        for (LLVMValueRef i =
                 LLVMGetFirstInstruction(c->f->blocks[c->blocks[k]]);
             i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i))
                return true;
        }
    }
    return false;
}

/* The block of the first round, if it is written out before the loop. */
static LLVMBasicBlockRef find_first_round(struct pass *p, const struct check *c)
{
    const struct flow *f = c->f;
    uint32_t before = FLOW_NONE, count[2] = {0, 0};

    for (uint32_t i = f->pred_start[c->header];
         i < f->pred_start[c->header + 1]; i++) {
        count[c->in[f->pred[i]]]++;
        if (!c->in[f->pred[i]])
            before = f->pred[i];
    }
    if (count[0] != 1 || count[1] != 1 || stores(c))
        return NULL;
    return first_round_find(p, f->blocks[before], f->blocks[c->header],
                            f->blocks[c->next]);
}

static void rotate(struct pass *p, struct check *c)
{
    LLVMBasicBlockRef header = c->f->blocks[c->header];
    LLVMBasicBlockRef next = c->f->blocks[c->next], round;
    LLVMBasicBlockRef first = find_first_round(p, c);
    LLVMMetadataRef place = place_of(c);

    for (unsigned k = 0; k < c->count; k++)
        clone_block(p, c, k);
    for (unsigned k = 0; k < c->count; k++)
        copy_operands(c, c->f->blocks[c->blocks[k]]);
    tell_exits(c);
    round = begin_round(p, c);
    if (first)
        *map_put_pointer(&p->first_rounds, round) = (uintptr_t)first;
    for (unsigned k = 0; k < c->count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->copies[k]);

        redirect(LLVMGetBasicBlockTerminator(c->f->blocks[c->blocks[k]]), next,
                 round);
        redirect(end, next, round);
        if (place)
            LLVMInstructionSetDebugLoc(end, place);
    }
    for (uint32_t b = 0; b < c->f->count; b++) {
        if (c->in[b])
            redirect(LLVMGetBasicBlockTerminator(c->f->blocks[b]), header,
                     c->copies[0]);
    }
}

/* ---- Functions ---- */

/* The first loop with a check that looks at what is read anew. */
static bool rotate_one(struct pass *p, const struct flow *f)
{
    bool *in = calloc(f->count, sizeof *in), found = false;

    CHECK(in);
    for (size_t i = 0; i < f->back_count && !found; i++) {
        struct check c = {.f = f, .in = in, .header = f->back[i].to};

        if (!f->back[i].natural)
            continue;
        flow_loop(f, c.header, in);
        found =
            find_check(&c) && is_closed(&c) && looks_at_what_is_read_anew(&c);
        if (found)
            rotate(p, &c);
        map_free(&c.copy);
    }
    free(in);
    return found;
}

void rotate_loops(struct pass *p)
{
    EACH_FUNCTION (function, p->module) {
        for (bool again = !LLVMIsDeclaration(function); again;) {
            struct flow f;

            flow_init(&f, function);
            again = rotate_one(p, &f);
            flow_free(&f);
        }
    }
}
