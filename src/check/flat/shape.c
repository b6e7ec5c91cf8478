/* SPDX-License-Identifier: MIT
 *
 * What is computed once for a procedure: which blocks head loops, how many
 * PHIs a block begins with, which registers a loop leaves to what is after it,
 * and which branches only choose between values.  Registers of a loop have a
 * value per round, and which one counts depends on the round in which the loop
 * was left.
 */
#include "flat/flat_inside.h"

struct search {
    const struct lsl_proc *proc;
    uint32_t *defined_in; /* per register: block, or LSL_NONE */
    struct live_out *live_out;
    bool **seen; /* per loop: of registers */
};

static bool is_inside(const struct lsl_loop *l, uint32_t block)
{
    return l->header <= block && block <= l->last;
}

static void note_use(struct search *s, uint32_t reg, uint32_t block)
{
    uint32_t from, loop;

    if (reg == LSL_NONE)
        return;
    CHECK(reg < s->proc->reg_count);
    from = s->defined_in[reg];
    if (from == LSL_NONE)
        return;
    loop = s->proc->blocks[from].loop;
    for (; loop != LSL_NONE; loop = s->proc->loops[loop].parent) {
        struct live_out *l = &s->live_out[loop];

        if (is_inside(&s->proc->loops[loop], block))
            return;
        if (s->seen[loop][reg])
            continue;
        s->seen[loop][reg] = true;
        l->regs[l->count++] = reg;
    }
}

static void note_uses(struct search *s, const struct lsl_inst *i,
                      uint32_t block)
{
    if (i->op == LSL_PHI) {
        for (uint32_t k = 0; k < i->count; k++) {
            const struct lsl_edge *e = &s->proc->edges[i->first + k];

            note_use(s, e->reg, e->block);
        }
        return;
    }
    note_use(s, i->a, block);
    note_use(s, i->b, block);
    note_use(s, i->c, block);
    if (i->op == LSL_CALL)
        for (uint32_t k = 0; k < i->count; k++)
            note_use(s, s->proc->args[i->first + k], block);
}

static void note_definitions(struct search *s)
{
    for (uint32_t r = 0; r < s->proc->reg_count; r++)
        s->defined_in[r] = LSL_NONE;
    for (uint32_t b = 0; b < s->proc->block_count; b++) {
        const struct lsl_block *block = &s->proc->blocks[b];

        for (uint32_t k = 0; k < block->count; k++) {
            uint32_t dst = s->proc->insts[block->first + k].dst;

            if (dst != LSL_NONE)
                s->defined_in[dst] = b;
        }
    }
}

static void find_live_out(const struct lsl_proc *p, struct live_out *out,
                          struct arena *a)
{
    struct arena scratch = ARENA_INIT;
    struct search s = {p, NULL, out, NULL};

    s.defined_in = arena_array(&scratch, p->reg_count, sizeof(uint32_t));
    s.seen = arena_array(&scratch, p->loop_count, sizeof(*s.seen));
    for (uint32_t l = 0; l < p->loop_count; l++) {
        s.seen[l] = arena_array(&scratch, p->reg_count, sizeof(bool));
        out[l].regs = arena_array(a, p->reg_count, sizeof(uint32_t));
    }
    note_definitions(&s);
    for (uint32_t b = 0; b < p->block_count; b++) {
        const struct lsl_block *block = &p->blocks[b];

        for (uint32_t k = 0; k < block->count; k++)
            note_uses(&s, &p->insts[block->first + k], b);
        note_use(&s, block->cond, b);
        note_use(&s, block->result, b);
    }
    arena_free(&scratch);
}

/* ---- Branches that only choose ---- */

/* Does it nothing but compute, and write its thread's own memory? */
static bool only_computes(const struct lsl_proc *p, uint32_t block)
{
    const struct lsl_block *b = &p->blocks[block];

    for (uint32_t k = 0; k < b->count; k++) {
        const struct lsl_inst *i = &p->insts[b->first + k];
        bool own =
            (i->op == LSL_LOAD || i->op == LSL_STORE) && i->flags & LSL_PRIVATE;

        if (i->op != LSL_PHI && i->op != LSL_PURE && i->op != LSL_SELECT &&
            !own)
            return false;
    }
    return true;
}

#define FAR 64 /* blocks; ways that part for longer are branches */

/* Ways that have parted and not met yet. */
struct ways {
    uint32_t from, count;
    bool to[FAR]; /* by block, counted from where they parted */
};

static bool add_way(struct ways *w, uint32_t at, uint32_t to)
{
    if (to == LSL_NONE || to <= at || to - w->from >= FAR)
        return false;
    w->count += !w->to[to - w->from];
    w->to[to - w->from] = true;
    return true;
}

/* Blocks come in topological order.  So the ways that part here have met again
 * when there is only one block left that they lead to. */
static bool only_chooses(const struct lsl_proc *p, uint32_t branch)
{
    const struct lsl_block *from = &p->blocks[branch];
    struct ways w = {.from = branch};

    if (!add_way(&w, branch, from->then) ||
        !add_way(&w, branch, from->otherwise))
        return false;
    for (uint32_t at = branch + 1; at < p->block_count && at - branch < FAR;
         at++) {
        const struct lsl_block *b = &p->blocks[at];

        if (!w.to[at - branch])
            continue;
        if (w.count == 1)
            return true;
        if (b->loop != from->loop || !only_computes(p, at) ||
            !add_way(&w, at, b->then) ||
            (b->cond != LSL_NONE && !add_way(&w, at, b->otherwise)))
            return false;
        w.count--;
    }
    return false;
}

const struct shape *shape_of(const struct lsl_proc *p, struct arena *a)
{
    struct shape *s = arena_alloc(a, sizeof(*s));

    s->loop_at = arena_array(a, p->block_count, sizeof(*s->loop_at));
    s->phis = arena_array(a, p->block_count, sizeof(*s->phis));
    s->live_out = arena_array(a, p->loop_count, sizeof(*s->live_out));
    for (uint32_t b = 0; b < p->block_count; b++) {
        const struct lsl_block *block = &p->blocks[b];

        s->loop_at[b] = LSL_NONE;
        while (s->phis[b] < block->count &&
               p->insts[block->first + s->phis[b]].op == LSL_PHI)
            s->phis[b]++;
    }
    for (uint32_t l = 0; l < p->loop_count; l++)
        s->loop_at[p->loops[l].header] = l;
    s->chooses = arena_array(a, p->block_count, sizeof(*s->chooses));
    for (uint32_t b = 0; b < p->block_count; b++)
        s->chooses[b] = p->blocks[b].cond != LSL_NONE && !p->blocks[b].kept &&
                        only_chooses(p, b);
    if (p->loop_count)
        find_live_out(p, s->live_out, a);
    return s;
}
