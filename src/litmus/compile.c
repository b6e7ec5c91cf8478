/* SPDX-License-Identifier: MIT
 *
 * What C becomes.  For a processor the rows of its mapping say it: marks on the
 * accesses, fences around them, a branch on what was read.  For SC to PSLO the
 * recipes of struct model do.  For C11 each access keeps its order.
 *
 * Assembly is for the model of its processor, or for SC.
 */
#include "litmus/compile.h"

#include <string.h>

#include "litmus/reader.h"

struct compiler {
    const struct model *model;
    const struct model_mapping *mapping; /* NULL: recipes, or C11 */
    struct arena *arena;
    struct thread *out;
};

/* ---- orders ---- */

static bool acquires(uint8_t order)
{
    return order == LITMUS_ACQ || order == LITMUS_ACQ_REL || order == LITMUS_SC;
}

static bool releases(uint8_t order)
{
    return order == LITMUS_REL || order == LITMUS_ACQ_REL || order == LITMUS_SC;
}

/* A CAS is compiled for the stronger of its two orders. */
static uint8_t joined(uint8_t order, uint8_t failed)
{
    if (failed == LITMUS_SC)
        return LITMUS_SC;
    if (failed != LITMUS_ACQ || acquires(order))
        return order;
    return order == LITMUS_REL ? LITMUS_ACQ_REL : LITMUS_ACQ;
}

static bool has_order(const struct inst *op)
{
    return op->kind == INST_LOAD || op->kind == INST_STORE ||
           op->kind == INST_RMW || op->kind == INST_CAS ||
           op->kind == INST_FENCE;
}

/* ---- C11: marks ---- */

static uint32_t language_marks(uint8_t order)
{
    return (order != LITMUS_NA ? MARK_ATOMIC : 0u) |
           (acquires(order) ? MARK_A : 0u) | (releases(order) ? MARK_L : 0u) |
           (order == LITMUS_SC ? MARK_SC : 0u);
}

/* Fencer's own fences are what fencer.h makes of them without Fencer. */
static uint8_t order_of_fence(uint32_t fence)
{
    return fence == MAPPED_FENCE_SS                               ? LITMUS_REL
           : fence == MAPPED_FENCE_LL || fence == MAPPED_FENCE_LS ? LITMUS_ACQ
                                                                  : LITMUS_SC;
}

static void keep_order(struct inst *op)
{
    uint32_t marks =
        language_marks(op->fence ? order_of_fence(op->fence) : op->order);

    op->read = op->kind == INST_FENCE ? marks : marks & ~(uint32_t)MARK_L;
    op->write = marks & ~(uint32_t)MARK_A;
}

/* ---- rows ---- */

static enum model_mapped row_of(const struct inst *op)
{
    static const enum model_mapped loads[] = {
        [LITMUS_ACQ] = MAPPED_LOAD_ACQUIRE, [LITMUS_SC] = MAPPED_LOAD_SEQ_CST};
    static const enum model_mapped stores[] = {
        [LITMUS_REL] = MAPPED_STORE_RELEASE,
        [LITMUS_SC] = MAPPED_STORE_SEQ_CST};
    uint8_t order =
        op->kind == INST_CAS ? joined(op->order, op->failed) : op->order;
    unsigned step = order > LITMUS_RLX ? (unsigned)order - LITMUS_RLX : 0;

    if (op->kind == INST_LOAD)
        return order == LITMUS_ACQ || order == LITMUS_SC ? loads[order]
                                                         : MAPPED_LOAD;
    if (op->kind == INST_STORE)
        return order == LITMUS_REL || order == LITMUS_SC ? stores[order]
                                                         : MAPPED_STORE;
    if (op->kind == INST_FENCE && op->fence)
        return (enum model_mapped)op->fence;
    return (enum model_mapped)((op->kind == INST_RMW ? MAPPED_RMW_RELAXED
                                : op->kind == INST_CAS
                                    ? MAPPED_CAS_RELAXED
                                    : MAPPED_FENCE_ACQUIRE - 1) +
                               step);
}

static void add_op(struct compiler *c, const struct inst *op)
{
    VEC_PUSH_IN(c->arena, c->out, *op);
}

static void add_fence(struct compiler *c, uint32_t marks, uint32_t line)
{
    struct inst fence = {.kind = INST_FENCE, .read = marks, .line = line};

    if (marks)
        add_op(c, &fence);
}

static void map_op(struct compiler *c, struct inst op)
{
    const struct model_instruction *row = &c->mapping->rows[row_of(&op)];

    add_fence(c, row->before, op.line);
    if (op.kind == INST_FENCE)
        return;
    op.read = row->read;
    op.write = row->write;
    op.branch = row->branch;
    op.status_branch = c->mapping->status_branch;
    op.pair =
        op.kind == INST_CAS ? c->mapping->cas_pairs : c->mapping->rmw_pairs;
    op.failed = LITMUS_NA; /* one instruction: it acquires also if it fails */
    add_op(c, &op);
    add_fence(c, row->after, op.line);
}

/* ---- recipes ---- */

static uint32_t marks_of_fences(unsigned fences)
{
    return (fences & FENCE_SS ? MARK_WW : 0u) |
           (fences & FENCE_SL ? MARK_WR : 0u) |
           (fences & FENCE_LL ? MARK_RR : 0u) |
           (fences & FENCE_LS ? MARK_RW : 0u) |
           (fences & FENCE_FULL ? MARK_FULL : 0u);
}

static struct model_recipe recipe_of(const struct compiler *c,
                                     const struct inst *op)
{
    static const uint8_t orders[] = {
        [LITMUS_NA] = ORDER_RELAXED,      [LITMUS_RLX] = ORDER_RELAXED,
        [LITMUS_ACQ] = ORDER_ACQUIRE,     [LITMUS_REL] = ORDER_RELEASE,
        [LITMUS_ACQ_REL] = ORDER_ACQ_REL, [LITMUS_SC] = ORDER_SEQ_CST};
    static const uint8_t own[] = {FENCE_SS, FENCE_LL, FENCE_SL, FENCE_LS,
                                  FENCE_FULL};
    enum event_kind kind = op->kind == INST_LOAD    ? EV_LOAD
                           : op->kind == INST_STORE ? EV_STORE
                           : op->kind == INST_FENCE ? EV_FENCE
                                                    : EV_RMW;

    if (op->fence)
        return (struct model_recipe){own[op->fence - MAPPED_FENCE_SS], 0};
    if (op->kind == INST_FENCE && op->order <= LITMUS_RLX)
        return (struct model_recipe){0, 0};
    return c->model->recipe[model_construct_of(kind, orders[op->order])];
}

/* What a CAS that fails does after it differs from what one that succeeds does:
 * it branches on its flag. */
static void add_after_cas(struct compiler *c, const struct inst *op,
                          uint32_t success, uint32_t failure)
{
    struct inst branch = {.kind = INST_BRANCH,
                          .alu = ALU_EQ,
                          .a = op->d2,
                          .immediate = true,
                          .line = op->line};
    struct inst skip = {.kind = INST_JUMP, .line = op->line};
    size_t first;

    if (success == failure) {
        add_fence(c, success, op->line);
        return;
    }
    first = c->out->count;
    add_op(c, &branch);
    add_fence(c, success, op->line);
    add_op(c, &skip);
    c->out->list[first].target = (uint32_t)c->out->count | 1u << 31;
    add_fence(c, failure, op->line);
    for (size_t i = first; i < c->out->count; i++)
        if (c->out->list[i].kind == INST_JUMP)
            c->out->list[i].target = (uint32_t)c->out->count | 1u << 31;
}

static void follow_recipe(struct compiler *c, struct inst op)
{
    struct model_recipe r = recipe_of(c, &op);
    uint32_t after = marks_of_fences(r.after), failure = after;

    add_fence(c, marks_of_fences(r.before), op.line);
    if (op.kind == INST_FENCE)
        return;
    op.read = op.write = op.order != LITMUS_NA ? MARK_ATOMIC : 0u;
    if (op.kind == INST_CAS && op.order != LITMUS_SC)
        failure = marks_of_fences(
            c->model
                ->recipe[acquires(op.failed) ? C_CAS_FAIL_ACQUIRE
                                             : C_CAS_FAIL_RELAXED]
                .after);
    op.failed = LITMUS_NA;
    add_op(c, &op);
    if (op.kind == INST_CAS)
        add_after_cas(c, &op, after, failure);
    else
        add_fence(c, after, op.line);
}

/* ---- threads ---- */

static void compile_op(struct compiler *c, const struct inst *op)
{
    struct inst copy = *op;

    if (!has_order(op)) {
        add_op(c, op);
    } else if (c->mapping) {
        map_op(c, copy);
    } else if (c->model->by_language) {
        keep_order(&copy);
        add_op(c, &copy);
    } else {
        follow_recipe(c, copy);
    }
}

static bool jumps(const struct inst *op)
{
    return op->kind == INST_JUMP || op->kind == INST_BRANCH;
}

static void compile_thread(struct compiler *c, const struct thread *from)
{
    uint32_t *at = arena_array(c->arena, from->count + 1, sizeof(*at));

    *c->out = *from;
    c->out->list = NULL;
    c->out->count = c->out->room = 0;
    for (size_t i = 0; i < from->count; i++) {
        at[i] = (uint32_t)c->out->count;
        compile_op(c, &from->list[i]);
    }
    at[from->count] = (uint32_t)c->out->count;
    for (size_t i = 0; i < c->out->count; i++) {
        struct inst *op = &c->out->list[i];

        if (!jumps(op))
            continue;
        if (op->target & 1u << 31) /* the compiler's own */
            op->target &= ~(1u << 31);
        else
            op->target = at[op->target];
    }
}

const struct model_mapping *compile_mapping(const struct model *m,
                                            const char *name)
{
    const struct model_mapping *const *list = m->axioms->mappings;

    for (size_t i = 0; name && i < MODEL_MAPPINGS_MAX && list[i]; i++)
        if (strcmp(list[i]->name, name) == 0)
            return list[i];
    return list[0];
}

/* Is it a model of the processor that has these instructions? */
static bool is_for(const struct model *m, enum litmus_arch arch)
{
    static const char *const names[ARCH_COUNT] = {[ARCH_AARCH64] = "AArch64",
                                                  [ARCH_RISCV] = "RISCV",
                                                  [ARCH_X86] = "X86",
                                                  [ARCH_PPC] = "PPC"};
    const char *assembly = m->axioms->assembly;

    return assembly && names[arch] && strcmp(assembly, names[arch]) == 0;
}

const struct thread *compile_threads(const struct litmus *t,
                                     const struct model *m, const char *mapping,
                                     struct arena *a, const char **why)
{
    struct compiler c = {
        .model = m, .mapping = compile_mapping(m, mapping), .arena = a};
    struct thread *threads;

    if (t->arch != ARCH_C) {
        if (m == &model_sc || is_for(m, t->arch))
            return t->threads;
        *why = "its instructions mean nothing on that model";
        return NULL;
    }
    threads = arena_array(a, THREADS_MAX, sizeof(*threads));
    for (size_t i = 0; i < t->thread_count; i++) {
        c.out = &threads[i];
        compile_thread(&c, &t->threads[i]);
    }
    return threads;
}
