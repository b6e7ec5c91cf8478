/* SPDX-License-Identifier: MIT
 *
 * Ticks: the countdown on every edge that closes a loop, and at the entry of
 * functions that call others (event/program.h).
 *
 * A loop's tick also says whether the iteration left all variables as it found
 * them.  If it left memory so, too, the loop is an await, and the thread may
 * sleep until what it read changes (runtime/await.c).  The answer must be exact
 * or "changed": a loop-carried value that differs, or a call of code that no
 * hook sees into, counts as change.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/fast.h"
#include "instrument/flow.h"
#include "instrument/pass.h"

/* One loop header and what its ticks need. */
struct loop {
    LLVMBasicBlockRef header;
    LLVMValueRef mark; /* slot */
    uint32_t site;     /* of its first back edge */
    bool could_wait;
    bool writes; /* private memory */
    /* Bits of phis (waits.c): splitting an edge makes new phis, in the same
     * order. */
    uint64_t delays, bounds, expected;
    LLVMBasicBlockRef first; /* the block of its first round, or NULL */
};

/* i1: the value on its way around the loop differs from the one there was. */
static LLVMValueRef differs(struct pass *p, LLVMValueRef phi, LLVMValueRef next)
{
    LLVMTypeRef type = LLVMTypeOf(phi);

    if (phi == next)
        return NULL;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
        break;
    case LLVMFloatTypeKind:
        phi = LLVMBuildBitCast(p->builder, phi, p->i32, "");
        next = LLVMBuildBitCast(p->builder, next, p->i32, "");
        break;
    case LLVMDoubleTypeKind:
        phi = LLVMBuildBitCast(p->builder, phi, p->i64, "");
        next = LLVMBuildBitCast(p->builder, next, p->i64, "");
        break;
    default:
        return LLVMConstInt(p->i1, 1, 0);
    }
    return LLVMBuildICmp(p->builder, LLVMIntNE, phi, next, "");
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    }
    CHECK(!"a phi names every predecessor");
    return NULL;
}

/* i32, at the builder's place: `then` if some phi among these gets another
 * value on the edge from `from`.  `more`: or one beyond the 64th. */
static LLVMValueRef any_differs(struct pass *p, const struct loop *l,
                                LLVMBasicBlockRef from, uint64_t among,
                                bool more, LLVMValueRef then,
                                LLVMValueRef otherwise)
{
    LLVMValueRef any = NULL;
    uint64_t one = 1;

    for (LLVMValueRef i = LLVMGetFirstInstruction(l->header);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i), one *= 2) {
        bool asked = one ? among & one : more;
        LLVMValueRef it = asked ? differs(p, i, incoming(i, from)) : NULL;

        if (it)
            any = any ? LLVMBuildOr(p->builder, any, it, "") : it;
    }
    return any ? LLVMBuildSelect(p->builder, any, then, otherwise, "")
               : otherwise;
}

/* If no other register changed. */
static LLVMValueRef expected(struct pass *p, const struct loop *l,
                             LLVMBasicBlockRef from)
{
    return any_differs(p, l, from, l->expected, false,
                       ir_i32(p, CHANGED_REGISTERS | CHANGED_EXPECTED),
                       ir_i32(p, 0));
}

/* i32, at the builder's place: did the iteration that ends on the edge from
 * `from` to the header change anything? */
static LLVMValueRef changed(struct pass *p, const struct loop *l,
                            LLVMBasicBlockRef from)
{
    LLVMValueRef registers, bounds;

    if (!l->could_wait)
        return ir_i32(p, CHANGED_REGISTERS);
    registers =
        any_differs(p, l, from, ~(l->delays | l->bounds | l->expected), true,
                    ir_i32(p, CHANGED_REGISTERS), expected(p, l, from));
    bounds = any_differs(p, l, from, l->bounds, false, ir_i32(p, CHANGED_BOUND),
                         ir_i32(p, 0));
    return LLVMBuildOr(p->builder,
                       LLVMBuildOr(p->builder, registers, bounds, ""),
                       ir_i32(p, l->writes ? CHANGES_PRIVATE : 0), "changed");
}

/* The place to show for a loop: where its back edge comes from. */
static uint32_t loop_site(struct pass *p, LLVMBasicBlockRef from)
{
    return site_new(p, LLVMGetBasicBlockTerminator(from), EV_AWAIT, 0, "");
}

/* After the first round no variable is another than before any other. */
static LLVMValueRef changed_first(struct pass *p, const struct loop *l)
{
    return ir_i32(p, l->writes ? CHANGES_PRIVATE : 0);
}

/* from -> edge -> header becomes from -> edge -> (tick) -> header. */
static void tick_on_edge(struct pass *p, LLVMBasicBlockRef from,
                         LLVMBasicBlockRef to, uint32_t place,
                         const struct loop *l, bool closes)
{
    LLVMValueRef site = ir_i32(p, place);
    LLVMBasicBlockRef edge = ir_split_edge(p, from, to);
    LLVMBasicBlockRef last = ir_split_edge(p, edge, to);
    LLVMBasicBlockRef tick =
        LLVMInsertBasicBlockInContext(p->context, last, "tick");
    LLVMValueRef old = LLVMGetBasicBlockTerminator(edge);

    ir_before(p, old);

    LLVMValueRef more = fast_count_down(p, p->builder);
    LLVMValueRef branch = LLVMBuildCondBr(p->builder, more, last, tick);

    LLVMSetMetadata(branch, p->md_prof, p->unlikely);
    LLVMPositionBuilderAtEnd(p->builder, tick);

    LLVMValueRef mark =
        l ? LLVMBuildLoad2(p->builder, p->i32, l->mark, "") : ir_i32(p, 0);
    LLVMValueRef args[] = {mark,
                           !l       ? ir_i32(p, CHANGED_REGISTERS)
                           : closes ? changed(p, l, last)
                                    : changed_first(p, l),
                           ir_i32(p, l && l->could_wait ? l->site : 0), site};
    LLVMValueRef next = ir_call_hook(p, HOOK_tick, args, 4, "");

    if (l)
        LLVMBuildStore(p->builder, next, l->mark);
    LLVMBuildBr(p->builder, last);
    LLVMInstructionEraseFromParent(old);
}

/* Computed gotos cannot be split: a tick that stands for no loop before. */
static void tick_before(struct pass *p, LLVMValueRef end)
{
    LLVMValueRef args[] = {ir_i32(p, 0), ir_i32(p, CHANGED_REGISTERS),
                           ir_i32(p, 0), site_value(p, end, EV_AWAIT, 0, "")};

    ir_before(p, end);
    ir_call_hook(p, HOOK_tick, args, 4, "");
}

static bool splittable(LLVMBasicBlockRef from)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(end);

    return opcode == LLVMBr || opcode == LLVMSwitch;
}

/* The mark starts as the clock on every way into the loop. */
static LLVMValueRef clock_at(struct pass *p, const struct loop *l)
{
    LLVMValueRef f = fast_enter(p), loop = ir_i32(p, l->site);

    return l->could_wait ? LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f),
                                          f, &loop, 1, "")
                         : LLVMBuildLoad2(p->builder, p->i32, p->clock, "");
}

static void start_mark(struct pass *p, const struct flow *f, uint32_t header,
                       const bool *in, const struct loop *l)
{
    if (l->first)
        header = flow_index(f, l->first);
    for (uint32_t i = f->pred_start[header]; i < f->pred_start[header + 1];
         i++) {
        uint32_t from = f->pred[i];

        if (in[from] || (i > f->pred_start[header] && f->pred[i - 1] == from))
            continue;
        ir_before(p, LLVMGetBasicBlockTerminator(f->blocks[from]));
        LLVMBuildStore(p->builder, clock_at(p, l), l->mark);
    }
}

static bool writes_private(struct pass *p, LLVMBasicBlockRef b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef to = waits_written(p, i);
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;

        if (callee && waits_writes_outside(p, callee))
            return true;
        if (to && privacy_is_private(p, to) && !access_is_auto_init(p, i))
            return true;
    }
    return false;
}

/* Is it the block that tell_exits put on an edge? */
static bool told(LLVMBasicBlockRef b, LLVMValueRef left)
{
    LLVMValueRef first = LLVMGetFirstInstruction(b);

    return LLVMIsACallInst(first) && LLVMGetCalledValue(first) == left;
}

/* Says so on every edge that leaves the loop.  New blocks are none of it: its
 * own back edges have not been split yet. */
static void tell_exits(struct pass *p, const struct flow *f, const bool *in,
                       const struct loop *l)
{
    for (uint32_t b = 0; b < f->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[b]);

        for (unsigned i = 0; in[b] && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            uint64_t *index = map_get_pointer(&f->index, to);
            LLVMValueRef left = fast_left(p), loop = ir_i32(p, l->site);

            if ((index && in[*index - 1]) || told(to, left))
                continue;
            ir_before(p, LLVMGetBasicBlockTerminator(
                             ir_split_edge(p, f->blocks[b], to)));
            LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(left), left,
                           &loop, 1, "");
        }
    }
}

static LLVMBasicBlockRef first_round_of(struct pass *p,
                                        LLVMBasicBlockRef header)
{
    uint64_t *first = map_get_pointer(&p->first_rounds, header);

    return first ? (LLVMBasicBlockRef)(uintptr_t)*first : NULL;
}

static struct loop loop_begin(struct pass *p, const struct flow *f,
                              LLVMValueRef function, uint32_t header,
                              uint32_t site, bool *in)
{
    struct loop l = {.header = f->blocks[header],
                     .mark = ir_local(p, function, p->i32, "mark"),
                     .site = site,
                     .delays = waits_delays(p, f->blocks[header]),
                     .bounds = waits_bounds(p, f->blocks[header]),
                     .expected = waits_expected(p, f->blocks[header])};

    flow_loop(f, header, in);
    l.could_wait = waits_could(p, f->blocks[header]);
    for (uint32_t b = 0; b < f->count; b++)
        l.writes |= in[b] && writes_private(p, f->blocks[b]);
    if (l.could_wait && !l.bounds)
        l.first = first_round_of(p, l.header);
    start_mark(p, f, header, in, &l);
    if (l.could_wait && l.bounds)
        tell_exits(p, f, in, &l);
    return l;
}

/* On the ways into a loop of which the first round is before it. */
static void tick_after_first(struct pass *p, const struct flow *f,
                             uint32_t header, uint32_t site, const bool *in,
                             const struct loop *l)
{
    for (uint32_t i = f->pred_start[header];
         l->first && i < f->pred_start[header + 1]; i++) {
        uint32_t from = f->pred[i];

        if (!in[from] && (i == f->pred_start[header] || f->pred[i - 1] != from))
            tick_on_edge(p, f->blocks[from], l->header, site, l, false);
    }
}

/* ---- Function entries ---- */

static bool calls_others(LLVMValueRef function)
{
    EACH_INSTRUCTION (i, function) {
        if (!LLVMIsACallInst(i))
            continue;

        LLVMValueRef callee = ir_callee(i);

        if (callee ? !LLVMIsDeclaration(callee)
                   : !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
            return true;
    }
    return false;
}

static void tick_at_entry(struct pass *p, LLVMValueRef function)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMValueRef f = fast_entry(p);

    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    ir_before(p, at);

    LLVMValueRef site = site_value(p, at, EV_AWAIT, 0, "");

    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, &site, 1, "");
}

void loops_instrument(struct pass *p, LLVMValueRef function)
{
    struct flow f;

    flow_init(&f, function);

    bool *in = calloc(f.count, sizeof(*in));
    uint32_t header = FLOW_NONE;
    struct loop l = {0};

    CHECK(in);
    /* Back edges are sorted by header, so each loop is begun once. */
    for (size_t i = 0; i < f.back_count; i++) {
        const struct flow_edge *e = &f.back[i];
        LLVMBasicBlockRef from = f.blocks[e->from], to = f.blocks[e->to];
        uint32_t site;

        if (!splittable(from)) {
            tick_before(p, LLVMGetBasicBlockTerminator(from));
            continue;
        }
        site = loop_site(p, from);
        if (e->natural && e->to != header) {
            l = loop_begin(p, &f, function, e->to, site, in);
            tick_after_first(p, &f, e->to, site, in, &l);
        }
        if (e->natural)
            header = e->to;
        tick_on_edge(p, from, to, site, e->natural ? &l : NULL, true);
    }
    free(in);
    flow_free(&f);
    if (calls_others(function))
        tick_at_entry(p, function);
}
