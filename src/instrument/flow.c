/* SPDX-License-Identifier: MIT
 *
 * Reverse postorder by an explicit depth-first search, then dominators by
 * iteration (Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm").
 */
#include "instrument/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);

    CHECK(memory);
    return memory;
}

struct frame {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to look at */
};

static unsigned successors(LLVMBasicBlockRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

    return end ? LLVMGetNumSuccessors(end) : 0;
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned i)
{
    return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), i);
}

/* Fills blocks in reverse postorder; index maps to number + 1. */
static void order_blocks(struct flow *f, LLVMValueRef function)
{
    unsigned all = LLVMCountBasicBlocks(function);
    struct frame *stack = zeroed(all, sizeof(*stack));
    LLVMBasicBlockRef *done = zeroed(all, sizeof(LLVMBasicBlockRef));
    size_t depth = 0;
    uint32_t count = 0;

    stack[depth++] = (struct frame){LLVMGetEntryBasicBlock(function), 0};
    *map_put_pointer(&f->index, stack[0].block) = 1;
    while (depth) {
        struct frame *top = &stack[depth - 1];

        if (top->next == successors(top->block)) {
            done[count++] = top->block;
            depth--;
            continue;
        }

        LLVMBasicBlockRef to = successor(top->block, top->next++);
        uint64_t *seen = map_put_pointer(&f->index, to);

        if (!*seen) {
            *seen = 1;
            CHECK(depth < all);
            stack[depth++] = (struct frame){to, 0};
        }
    }
    CHECK(count > 0 && count <= all && f->index.count == count);
    f->count = count;
    f->blocks = zeroed(count, sizeof(LLVMBasicBlockRef));
    for (uint32_t i = 0; i < count; i++) {
        f->blocks[i] = done[count - 1 - i];
        *map_put_pointer(&f->index, f->blocks[i]) = i + 1ull;
    }
    free(stack);
    free(done);
}

static void find_predecessors(struct flow *f)
{
    f->pred_start = zeroed(f->count + 1ull, sizeof(uint32_t));
    for (uint32_t b = 0; b < f->count; b++) {
        for (unsigned i = 0; i < successors(f->blocks[b]); i++)
            f->pred_start[flow_index(f, successor(f->blocks[b], i)) + 1]++;
    }
    for (uint32_t b = 0; b < f->count; b++)
        f->pred_start[b + 1] += f->pred_start[b];
    f->pred = zeroed(f->pred_start[f->count], sizeof(uint32_t));

    uint32_t *fill = zeroed(f->count, sizeof(uint32_t));

    for (uint32_t b = 0; b < f->count; b++) {
        for (unsigned i = 0; i < successors(f->blocks[b]); i++) {
            uint32_t to = flow_index(f, successor(f->blocks[b], i));

            f->pred[f->pred_start[to] + fill[to]++] = b;
        }
    }
    free(fill);
}

static uint32_t meet(const struct flow *f, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = f->dominator[a];
        while (b > a)
            b = f->dominator[b];
    }
    return a;
}

static void find_dominators(struct flow *f)
{
    f->dominator = zeroed(f->count, sizeof(uint32_t));
    for (uint32_t b = 1; b < f->count; b++)
        f->dominator[b] = FLOW_NONE;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = 1; b < f->count; b++) {
            uint32_t best = FLOW_NONE;

            for (uint32_t i = f->pred_start[b]; i < f->pred_start[b + 1]; i++) {
                uint32_t from = f->pred[i];

                if (f->dominator[from] == FLOW_NONE)
                    continue;
                best = best == FLOW_NONE ? from : meet(f, best, from);
            }
            if (best != f->dominator[b]) {
                f->dominator[b] = best;
                again = true;
            }
        }
    }
}

/* In reverse postorder an edge that does not go forward closes a loop.  A
 * switch may have several to one block: they count as one. */
static void find_back_edges(struct flow *f)
{
    f->back = zeroed(f->pred_start[f->count], sizeof(*f->back));
    for (uint32_t to = 0; to < f->count; to++) {
        for (uint32_t i = f->pred_start[to]; i < f->pred_start[to + 1]; i++) {
            uint32_t from = f->pred[i];

            if (from < to || (i > f->pred_start[to] && f->pred[i - 1] == from))
                continue;
            f->back[f->back_count++] =
                (struct flow_edge){from, to, flow_dominates(f, to, from)};
        }
    }
}

void flow_init(struct flow *f, LLVMValueRef function)
{
    *f = (struct flow){0};
    order_blocks(f, function);
    find_predecessors(f);
    find_dominators(f);
    find_back_edges(f);
}

void flow_free(struct flow *f)
{
    map_free(&f->index);
    free(f->blocks);
    free(f->dominator);
    free(f->pred);
    free(f->pred_start);
    free(f->back);
}

uint32_t flow_index(const struct flow *f, LLVMBasicBlockRef block)
{
    uint64_t *index = map_get_pointer(&f->index, block);

    CHECK(index && *index);
    return (uint32_t)(*index - 1);
}

/* A dominator comes earlier in reverse postorder. */
bool flow_dominates(const struct flow *f, uint32_t a, uint32_t b)
{
    CHECK(a < f->count && b < f->count);
    while (b > a) {
        CHECK(f->dominator[b] < b);
        b = f->dominator[b];
    }
    return a == b;
}

void flow_loop(const struct flow *f, uint32_t header, bool *in)
{
    uint32_t *work = zeroed(f->count, sizeof(*work));
    size_t n = 0;

    memset(in, 0, f->count * sizeof(*in));
    in[header] = true;
    for (size_t i = 0; i < f->back_count; i++) {
        const struct flow_edge *e = &f->back[i];

        if (e->natural && e->to == header && !in[e->from]) {
            in[e->from] = true;
            work[n++] = e->from;
        }
    }
    while (n) {
        uint32_t b = work[--n];

        for (uint32_t i = f->pred_start[b]; i < f->pred_start[b + 1]; i++) {
            if (!in[f->pred[i]]) {
                in[f->pred[i]] = true;
                work[n++] = f->pred[i];
            }
        }
    }
    free(work);
}
