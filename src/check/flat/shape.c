/* SPDX-License-Identifier: MIT
 *
 * What is computed once for a procedure: which blocks head loops, how many
 * PHIs a block begins with, and which registers a loop leaves to what is
 * after it.  The latter have a value per round, and which one counts depends
 * on the round in which the loop was left.
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
    if (p->loop_count)
        find_live_out(p, s->live_out, a);
    return s;
}
