/* SPDX-License-Identifier: MIT
 *
 * Blocks in an order that suits unrolling: every edge goes forward but those
 * back to a loop's header, and a loop's blocks lie side by side.
 *
 * Each loop, and the procedure itself, is a region whose nodes are its own
 * blocks and its inner loops as a whole.  Without the edges back to the header
 * that is a graph without cycles, if the flow is reducible, and a topological
 * order of it is the order of the region (innermost regions inside theirs).
 *
 * Some blocks become several: a switch is a chain of comparisons, and main's
 * return fails for an exit code that is not 0.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

static LLVMValueRef end_of(const struct body *b, uint32_t block)
{
    return LLVMGetBasicBlockTerminator(b->flow.blocks[block]);
}

/* ---- Loops ---- */

static void add_loop(struct body *b, const struct flow_edge *e, bool *in)
{
    uint32_t parent = b->inner[e->to], number = (uint32_t)b->loops.count;
    uint32_t site = site_new(&b->l->p, end_of(b, e->from), EV_AWAIT, 0, "");

    VEC_PUSH_IN(b->l->arena, &b->loops, {e->to, parent, e->to, site});
    flow_loop(&b->flow, e->to, in);
    for (uint32_t i = 0; i < b->flow.count; i++) {
        if (in[i])
            b->inner[i] = number;
    }
}

/* Back edges are sorted by header, and an outer header comes before an inner
 * one: the last loop that has a block is its innermost. */
static void find_loops(struct body *b)
{
    const struct flow *f = &b->flow;
    bool *in = calloc(f->count + 1ull, sizeof(*in));

    CHECK(in);
    for (size_t i = 0; i < f->back_count; i++) {
        const struct flow_edge *e = &f->back[i];

        if (!e->natural) {
            b->l->at = end_of(b, e->from);
            lower_refuse(b->l, "a jump into the middle of a loop is not "
                               "supported");
            break;
        }
        if (!b->loops.count || VEC_LAST(&b->loops).header != e->to)
            add_loop(b, e, in);
    }
    free(in);
}

/* ---- Order ---- */

struct ordering {
    struct body *b;
    uint32_t *node;   /* per block: the block that stands for it, or NONE */
    uint32_t *degree; /* per node: edges into it that are still to come */
    uint32_t count;   /* blocks in order so far */
};

/* The block that stands for this one in the region: itself, or the header of
 * the inner loop it belongs to. */
static uint32_t node_in(const struct body *b, uint32_t block, uint32_t region)
{
    uint32_t loop = b->inner[block];

    if (loop == region)
        return block;
    while (loop != LSL_NONE && b->loops.list[loop].parent != region)
        loop = b->loops.list[loop].parent;
    return loop == LSL_NONE ? FLOW_NONE : b->loops.list[loop].header;
}

/* Calls back for every edge between two nodes of the region. */
static void count_edges(struct ordering *o, uint32_t region, uint32_t from,
                        uint32_t by)
{
    const struct body *b = o->b;
    LLVMValueRef end = end_of(b, from);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        uint32_t to = flow_index(&b->flow, LLVMGetSuccessor(end, i));
        bool back = region != LSL_NONE && to == b->loops.list[region].header;

        if (!back && o->node[to] != FLOW_NONE && o->node[to] != o->node[from])
            o->degree[o->node[to]] += by;
    }
}

static void place_region(struct ordering *o, uint32_t region);

static void place_node(struct ordering *o, uint32_t region, uint32_t node)
{
    struct body *b = o->b;
    uint32_t loop = b->inner[node];

    if (loop == region) {
        b->order[o->count++] = node;
        return;
    }
    while (b->loops.list[loop].parent != region)
        loop = b->loops.list[loop].parent;

    struct ordering inside = {b, calloc(b->flow.count, sizeof(uint32_t)),
                              calloc(b->flow.count, sizeof(uint32_t)),
                              o->count};

    CHECK(inside.node && inside.degree);
    place_region(&inside, loop);
    o->count = inside.count;
    free(inside.node);
    free(inside.degree);
}

static void place_region(struct ordering *o, uint32_t region)
{
    const struct body *b = o->b;
    uint32_t blocks = b->flow.count;

    for (uint32_t i = 0; i < blocks; i++)
        o->node[i] = node_in(b, i, region);
    for (uint32_t i = 0; i < blocks; i++) {
        if (o->node[i] != FLOW_NONE)
            count_edges(o, region, i, 1);
    }
    for (uint32_t next = 0; next < blocks;) {
        /* The first one that waits for nothing; placed ones wait for ever. */
        if (o->node[next] != next || o->degree[next] != 0) {
            next++;
            continue;
        }
        o->degree[next] = UINT32_MAX;
        place_node(o, region, next);
        for (uint32_t i = 0; i < blocks; i++) {
            if (o->node[i] == next)
                count_edges(o, region, i, UINT32_MAX);
        }
        next = 0;
    }
}

/* ---- Numbers ---- */

static bool is_main(const struct body *b)
{
    return b->l->out->main == b->proc;
}

static bool returns_code(const struct body *b, LLVMValueRef end)
{
    return is_main(b) && LLVMIsAReturnInst(end) &&
           LLVMGetNumOperands(end) == 1 &&
           !LLVMIsAConstantInt(LLVMGetOperand(end, 0));
}

/* A switch's operands are value, default, then a value and a block a case. */
static uint32_t case_count(LLVMValueRef end)
{
    return ((uint32_t)LLVMGetNumOperands(end) - 2) / 2;
}

/* How many blocks of ours that block is. */
static uint32_t pieces(const struct body *b, LLVMValueRef end)
{
    if (LLVMIsASwitchInst(end))
        return case_count(end) ? case_count(end) : 1;
    return returns_code(b, end) ? 3 : 1;
}

static void number_blocks(struct body *b)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < b->flow.count; i++) {
        uint32_t block = b->order[i], n = pieces(b, end_of(b, block));

        b->first[block] = at;
        at += n;
        for (uint32_t loop = b->inner[block]; loop != LSL_NONE;
             loop = b->loops.list[loop].parent)
            b->loops.list[loop].last = at - 1;
    }
    for (uint32_t i = 0; i < b->loops.count; i++)
        b->loops.list[i].header = b->first[b->loops.list[i].header];
    b->blocks = arena_array(b->l->arena, at, sizeof(*b->blocks));
}

void blocks_order(struct body *b)
{
    uint32_t n = b->flow.count;
    struct ordering o = {b, calloc(n, sizeof(uint32_t)),
                         calloc(n, sizeof(uint32_t)), 0};

    CHECK(o.node && o.degree);
    b->order = arena_array(b->l->arena, n, sizeof(uint32_t));
    b->first = arena_array(b->l->arena, n, sizeof(uint32_t));
    b->inner = arena_array(b->l->arena, n, sizeof(uint32_t));
    memset(b->inner, 0xff, n * sizeof(uint32_t));
    find_loops(b);
    if (!b->l->refused) {
        place_region(&o, LSL_NONE);
        CHECK(o.count == n);
        number_blocks(b);
    }
    free(o.node);
    free(o.degree);
}

/* ---- Ends ---- */

/* Closes the block that was being written. */
static struct lsl_block *close_block(struct body *b, uint32_t block)
{
    struct lsl_block *out = &b->blocks[b->block_count], *before = out - 1;
    uint32_t start = b->block_count ? before->first + before->count : 0;

    b->block_count++;
    *out = (struct lsl_block){.first = start,
                              .count = b->insts.count - start,
                              .cond = LSL_NONE,
                              .then = LSL_NONE,
                              .otherwise = LSL_NONE,
                              .result = LSL_NONE,
                              .loop = b->inner[block],
                              .site = body_place(b)};
    return out;
}

static uint32_t target(const struct body *b, LLVMBasicBlockRef block)
{
    return b->first[flow_index(&b->flow, block)];
}

static void end_branch(struct body *b, uint32_t block, LLVMValueRef end)
{
    uint32_t then = target(b, LLVMGetSuccessor(end, 0)), otherwise = then;
    uint32_t cond = LSL_NONE;

    if (LLVMIsConditional(end)) {
        cond = body_operand(b, LLVMGetCondition(end));
        otherwise = target(b, LLVMGetSuccessor(end, 1));
    }

    struct lsl_block *out = close_block(b, block);

    out->then = then;
    if (then != otherwise) {
        out->cond = cond;
        out->otherwise = otherwise;
    }
}

static void end_switch(struct body *b, uint32_t block, LLVMValueRef end)
{
    LLVMValueRef value = LLVMGetOperand(end, 0);
    unsigned width = type_width(b->l, LLVMTypeOf(value));
    uint32_t reg = body_operand(b, value), count = case_count(end);
    uint32_t other = target(b, LLVMGetSwitchDefaultDest(end));

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef number = LLVMGetOperand(end, 2 * i + 2);
        uint32_t to = target(b, LLVMGetSuccessor(end, i + 1));
        uint32_t same =
            body_pure(b, PURE_EQ, 1, width, reg, body_operand(b, number));
        struct lsl_block *out = close_block(b, block);
        uint32_t next = i + 1 < count ? b->block_count : other;

        out->then = to;
        if (to != next) {
            out->cond = same;
            out->otherwise = next;
        }
    }
    if (!count)
        close_block(b, block)->then = other;
}

/* return v; of main: v ? fail : return */
static void end_main(struct body *b, uint32_t block, uint32_t code)
{
    struct lsl_block *out = close_block(b, block);

    out->cond = code;
    out->then = b->block_count;
    out->otherwise = b->block_count + 1;
    body_fail(b, FAIL_EXIT_CODE, failure_kind_words(FAIL_EXIT_CODE),
              body_place(b));
    close_block(b, block);
    close_block(b, block)->result = code;
}

static void store_result(struct body *b, LLVMValueRef value)
{
    struct leaves parts = type_leaves(b->l, LLVMTypeOf(value));
    uint32_t count;
    const uint32_t *regs = body_operands(b, value, &count);

    for (uint32_t i = 0; i < parts.count; i++)
        body_store(b, body_offset(b, b->result_slot, 8ull * i), regs[i], 8,
                   LSL_PRIVATE, body_place(b));
}

static void end_return(struct body *b, uint32_t block, LLVMValueRef end)
{
    LLVMValueRef value =
        LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
    uint32_t result = LSL_NONE;

    if (value && b->result_slot != LSL_NONE)
        store_result(b, value);
    else if (value)
        result = body_operand(b, value);
    if (returns_code(b, end)) {
        end_main(b, block, result);
        return;
    }
    if (is_main(b) && value && LLVMConstIntGetSExtValue(value) != 0)
        body_fail(b, FAIL_EXIT_CODE,
                  arena_printf(b->l->arena,
                               "the program ended with exit code %lld",
                               LLVMConstIntGetSExtValue(value)),
                  body_place(b));
    close_block(b, block)->result = result;
}

static void end_unreachable(struct body *b, uint32_t block)
{
    uint32_t start = 0;

    if (b->block_count)
        start = b->blocks[b->block_count - 1].first +
                b->blocks[b->block_count - 1].count;
    /* After a call that does not return it is what it says. */
    if (b->insts.count == start || VEC_LAST(&b->insts).op != LSL_FAIL)
        body_fail(b, FAIL_ILLEGAL,
                  "a place is reached that the program says is not",
                  body_place(b));
    close_block(b, block);
}

void blocks_end(struct body *b, uint32_t block)
{
    LLVMValueRef end = end_of(b, block);

    b->l->at = end;
    switch (LLVMGetInstructionOpcode(end)) {
    case LLVMBr:
        end_branch(b, block, end);
        return;
    case LLVMSwitch:
        end_switch(b, block, end);
        return;
    case LLVMRet:
        end_return(b, block, end);
        return;
    case LLVMUnreachable:
        end_unreachable(b, block);
        return;
    case LLVMIndirectBr:
        /* All of a function share a block that is nowhere in the source. */
        b->l->at = end_of(b, b->flow.pred[b->flow.pred_start[block]]);
        lower_refuse(b->l, "a computed goto is not supported");
        break;
    default:
        lower_refuse(b->l, "assembly with jumps is not supported");
    }
}

/* ---- Phis ---- */

/* All blocks of ours that are `from` and go to `to`. */
static void add_edges(struct body *b, uint32_t from, uint32_t to, uint32_t reg,
                      uint32_t first)
{
    uint32_t start = b->first[from];

    for (uint32_t i = start; i < start + pieces(b, end_of(b, from)); i++) {
        bool seen = b->blocks[i].then != to && b->blocks[i].otherwise != to;

        /* A switch is listed once for each of its cases. */
        for (uint32_t k = first; k < b->edges.count; k++)
            seen |= b->edges.list[k].block == i;
        if (seen)
            continue;
        VEC_PUSH_IN(b->l->arena, &b->edges, {i, reg});
    }
}

static void fill_phi(struct body *b, struct lsl_inst *inst, LLVMValueRef phi,
                     uint32_t leaf, uint32_t to)
{
    inst->first = (uint32_t)b->edges.count;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        uint64_t *from =
            map_get_pointer(&b->flow.index, LLVMGetIncomingBlock(phi, i));
        uint32_t count;

        if (!from)
            continue; /* nothing leads there */

        const uint32_t *regs =
            body_operands(b, LLVMGetIncomingValue(phi, i), &count);

        add_edges(b, (uint32_t)(*from - 1), to, regs[leaf], inst->first);
    }
    inst->count = (uint32_t)b->edges.count - inst->first;
}

/* When all blocks are there: a phi may name what comes after it. */
void blocks_phis(struct body *b)
{
    size_t insts = b->insts.count;

    for (uint32_t i = 0; i < b->flow.count; i++) {
        uint32_t to = b->first[i], at = b->blocks[to].first;
        LLVMValueRef phi = LLVMGetFirstInstruction(b->flow.blocks[i]);

        for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
            uint32_t count = type_leaf_count(LLVMTypeOf(phi));

            b->l->at = phi;
            for (uint32_t leaf = 0; leaf < count; leaf++)
                fill_phi(b, &VEC_AT(&b->insts, at++), phi, leaf, to);
        }
    }
    CHECK(b->insts.count == insts);
}
