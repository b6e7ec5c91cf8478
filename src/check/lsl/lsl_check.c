/* SPDX-License-Identifier: MIT
 *
 * Does every number in a program lead somewhere, and do its blocks keep the
 * order that lsl.h promises?  Whoever walks a program relies on it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lsl/lsl.h"

/* ---- Initial values ---- */

static struct lsl_value undefined(void)
{
    return (struct lsl_value){LSL_UNDEFINED, 0, 0};
}

/* The bytes of the cell that lie in [offset, offset + size), in place; *known
 * loses those that nobody gave a value. */
static uint64_t overlap(const struct lsl_cell *c, uint64_t offset,
                        unsigned size, uint32_t *known)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < c->size && i < 8; i++) {
        uint64_t at = c->offset + i;

        if (at < offset || at >= offset + size)
            continue;
        bits |= (c->value.bits >> (8 * i) & 0xff) << (8 * (at - offset));
        if (c->value.kind == LSL_UNDEFINED && !(c->value.base >> i & 1))
            *known &= ~(1u << (at - offset));
    }
    return bits;
}

bool lsl_cuts_pointer(const struct lsl_object *o, uint64_t offset,
                      unsigned size)
{
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const struct lsl_cell *c = &o->cells[i];

        if (c->value.kind == LSL_POINTER && c->offset < offset + size &&
            offset < c->offset + c->size &&
            (c->offset != offset || c->size != size))
            return true;
    }
    return false;
}

struct lsl_value lsl_initial(const struct lsl_object *o, uint64_t offset,
                             unsigned size)
{
    uint64_t bits = 0;
    uint32_t all = (1u << size) - 1, known = all;

    if (o->proc != LSL_NONE || size > 8 || offset > o->size ||
        size > o->size - offset)
        return undefined();
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const struct lsl_cell *c = &o->cells[i];

        if (c->offset >= offset + size || offset >= c->offset + c->size)
            continue;
        if (c->offset == offset && c->size == size)
            return c->value;
        if (c->value.kind == LSL_POINTER)
            return undefined(); /* a part of a pointer means nothing */
        bits |= overlap(c, offset, size, &known);
    }
    if (known == all)
        return LSL_INT(bits);
    return (struct lsl_value){LSL_UNDEFINED, known, bits};
}

/* ---- Procedures ---- */

struct checking {
    const struct lsl_program *program;
    const struct lsl_proc *proc;
    uint32_t block;
    struct err *e;
};

static bool bad(struct checking *c, const char *what)
{
    return err_set(c->e, "block %u: %s", c->block, what);
}

static bool is_reg(const struct checking *c, uint32_t reg)
{
    return reg == LSL_NONE || reg < c->proc->reg_count;
}

/* What may be assigned: not a parameter, not a constant. */
static bool is_target(const struct checking *c, uint32_t reg)
{
    return reg == LSL_NONE ||
           (reg < c->proc->reg_count &&
            reg >= c->proc->param_count + c->proc->constant_count);
}

static bool check_call(struct checking *c, const struct lsl_inst *i)
{
    const struct lsl_program *p = c->program;

    if (i->proc == LSL_NONE && i->a == LSL_NONE)
        return bad(c, "a call of nothing");
    if (i->proc != LSL_NONE && i->proc >= p->proc_count)
        return bad(c, "a call of a procedure that is not there");
    if (i->proc != LSL_NONE && p->procs[i->proc].defined &&
        p->procs[i->proc].param_count != i->count)
        return bad(c, "a call with another number of arguments");
    for (uint32_t k = 0; k < i->count; k++) {
        if (c->proc->args[i->first + k] >= c->proc->reg_count)
            return bad(c, "an argument that is no register");
    }
    return true;
}

static bool goes_to(const struct lsl_block *b, uint32_t to)
{
    return b->then != LSL_NONE && (b->then == to || b->otherwise == to);
}

static bool check_phi(struct checking *c, const struct lsl_inst *i)
{
    for (uint32_t k = 0; k < i->count; k++) {
        const struct lsl_edge *e = &c->proc->edges[i->first + k];

        if (e->reg >= c->proc->reg_count)
            return bad(c, "a phi of what is no register");
        if (e->block >= c->proc->block_count ||
            !goes_to(&c->proc->blocks[e->block], c->block))
            return bad(c, "a phi names a block that does not come here");
    }
    for (uint32_t k = 0; k < c->proc->block_count; k++) {
        uint32_t found = 0;

        for (uint32_t n = 0; n < i->count; n++)
            found += c->proc->edges[i->first + n].block == k;
        if (found != goes_to(&c->proc->blocks[k], c->block))
            return bad(c, "a phi has not one value for each block before it");
    }
    return true;
}

static bool has_access_size(const struct lsl_inst *i)
{
    switch (i->op) {
    case LSL_LOAD:
    case LSL_STORE:
    case LSL_RMW:
    case LSL_CAS:
    case LSL_LOCK:
    case LSL_TRYLOCK:
    case LSL_UNLOCK:
    case LSL_WAIT:
    case LSL_TRYWAIT:
    case LSL_POST:
        return i->size == 1 || i->size == 2 || i->size == 4 || i->size == 8;
    default:
        return i->size == 0;
    }
}

/* The halves of a wide access are neighbours. */
static bool check_wide(struct checking *c, const struct lsl_block *b,
                       uint32_t k)
{
    const struct lsl_inst *i = &c->proc->insts[b->first + k];

    if (i->flags & LSL_WIDE &&
        (k + 1 == b->count || i[1].op != i->op || !(i[1].flags & LSL_UPPER)))
        return bad(c, "an access of 16 bytes without its upper half");
    if (i->flags & LSL_UPPER && (k == 0 || !(i[-1].flags & LSL_WIDE)))
        return bad(c, "an access of 16 bytes without its lower half");
    return true;
}

static bool check_inst(struct checking *c, const struct lsl_inst *i)
{
    if (i->op >= LSL_OP_COUNT)
        return bad(c, "an instruction that is none");
    if (!is_target(c, i->dst))
        return bad(c, "a result that is no register to be assigned");
    if ((i->dst == LSL_NONE) != (i->width == 0) || i->width > 64)
        return bad(c, "a result without its width");
    if (!is_reg(c, i->a) || !is_reg(c, i->b) || !is_reg(c, i->c))
        return bad(c, "an operand that is no register");
    if (i->site >= c->program->site_count)
        return bad(c, "a site that is not there");
    if (!has_access_size(i))
        return bad(c, "an access of no size");
    if (i->op == LSL_CALL)
        return check_call(c, i);
    return i->op != LSL_PHI || check_phi(c, i);
}

/* Forward, or back to the header of a loop that we are in. */
static bool check_edge(struct checking *c, uint32_t to)
{
    const struct lsl_proc *p = c->proc;

    if (to == LSL_NONE)
        return true;
    if (to >= p->block_count)
        return bad(c, "an edge to a block that is not there");
    if (to > c->block)
        return true;
    for (uint32_t l = p->blocks[c->block].loop; l != LSL_NONE;
         l = p->loops[l].parent) {
        if (p->loops[l].header == to)
            return true;
    }
    return bad(c, "an edge back to what is no header of a loop around");
}

static bool check_block(struct checking *c, const struct lsl_block *b)
{
    bool in_phis = true;

    if (b->loop != LSL_NONE && b->loop >= c->proc->loop_count)
        return bad(c, "a loop that is not there");
    if (!is_reg(c, b->cond) || !is_reg(c, b->result))
        return bad(c, "a condition or result that is no register");
    if ((b->cond == LSL_NONE) != (b->otherwise == LSL_NONE))
        return bad(c, "a branch with one way, or a choice without a condition");
    for (uint32_t k = 0; k < b->count; k++) {
        const struct lsl_inst *i = &c->proc->insts[b->first + k];

        in_phis &= i->op == LSL_PHI;
        if (i->op == LSL_PHI && !in_phis)
            return bad(c, "a phi after other instructions");
        if (!check_inst(c, i) || !check_wide(c, b, k))
            return false;
    }
    return check_edge(c, b->then) && check_edge(c, b->otherwise);
}

static bool is_inside(const struct lsl_proc *p, uint32_t block, uint32_t loop)
{
    uint32_t l = p->blocks[block].loop;

    while (l != LSL_NONE && l != loop)
        l = p->loops[l].parent;
    return l == loop;
}

/* Its blocks, and no others, lie from header to last; outer before inner. */
static bool check_loop(struct checking *c, uint32_t loop)
{
    const struct lsl_loop *l = &c->proc->loops[loop];

    c->block = l->header;
    if (l->header > l->last || l->last >= c->proc->block_count)
        return bad(c, "a loop without blocks");
    if (l->site >= c->program->site_count)
        return bad(c, "a site that is not there");
    for (uint32_t b = 0; b < c->proc->block_count; b++) {
        if (is_inside(c->proc, b, loop) != (b >= l->header && b <= l->last))
            return bad(c, "a loop with gaps");
    }
    return true;
}

/* SSA: no register is the result of two instructions. */
static bool check_assigned_once(struct checking *c)
{
    const struct lsl_proc *p = c->proc;
    bool *assigned = calloc(p->reg_count + 1, sizeof *assigned);
    bool once = true;

    CHECK(assigned);
    for (c->block = 0; c->block < p->block_count && once; c->block++) {
        const struct lsl_block *b = &p->blocks[c->block];

        for (uint32_t i = b->first; i < b->first + b->count && once; i++) {
            if (p->insts[i].dst == LSL_NONE)
                continue;
            once = !assigned[p->insts[i].dst];
            assigned[p->insts[i].dst] = true;
        }
    }
    free(assigned);
    return once || err_set(c->e, "a register that is assigned twice");
}

static bool check_proc(struct checking *c)
{
    const struct lsl_proc *p = c->proc;

    c->block = 0;
    if (!p->defined)
        return true;
    if (!p->block_count)
        return err_set(c->e, "a procedure without blocks");
    for (uint32_t i = 0; i < p->constant_count; i++) {
        if (p->constants[i].kind == LSL_POINTER &&
            (p->constants[i].base == 0 ||
             p->constants[i].base >= c->program->object_count))
            return err_set(c->e, "a pointer to an object that is not there");
    }
    for (uint32_t i = 0; i < p->block_count; i++) {
        if (p->blocks[i].loop != LSL_NONE && p->blocks[i].loop >= p->loop_count)
            return err_set(c->e, "a loop that is not there");
    }
    /* Before anybody climbs from loop to loop. */
    for (uint32_t i = 0; i < p->loop_count; i++) {
        if (p->loops[i].parent != LSL_NONE && p->loops[i].parent >= i)
            return err_set(c->e, "a loop before the one around it");
    }
    for (uint32_t i = 0; i < p->loop_count; i++) {
        if (!check_loop(c, i))
            return false;
    }
    for (c->block = 0; c->block < p->block_count; c->block++) {
        if (!check_block(c, &p->blocks[c->block]))
            return false;
    }
    return check_assigned_once(c);
}

/* ---- The program ---- */

static bool check_object(const struct lsl_program *p,
                         const struct lsl_object *o, struct err *e)
{
    uint64_t end = 0;

    if (o->proc != LSL_NONE && o->proc >= p->proc_count)
        return err_set(e, "a procedure that is not there");
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const struct lsl_cell *c = &o->cells[i];

        if (c->offset < end || c->offset + c->size > o->size)
            return err_set(e, "initial values that overlap or lie outside");
        if (c->value.kind == LSL_POINTER &&
            (c->value.base == 0 || c->value.base >= p->object_count))
            return err_set(e, "a pointer to an object that is not there");
        end = c->offset + c->size;
    }
    return true;
}

static bool is_proc(const struct lsl_program *p, uint32_t proc)
{
    return proc < p->proc_count && p->procs[proc].defined;
}

bool lsl_check(const struct lsl_program *p, struct err *e)
{
    for (uint32_t i = 1; i < p->object_count; i++) {
        if (!check_object(p, &p->objects[i], e))
            return err_in(e, "object %s", p->objects[i].name);
    }
    for (uint32_t i = 0; i < p->proc_count; i++) {
        struct checking c = {p, &p->procs[i], 0, e};

        if (!check_proc(&c))
            return err_in(e, "procedure %s", p->procs[i].name);
    }
    for (uint32_t i = 0; i < p->operation_count; i++) {
        if (!is_proc(p, p->operations[i].proc))
            return err_set(e, "operation %s has no procedure",
                           p->operations[i].name);
    }
    if ((p->init != LSL_NONE && !is_proc(p, p->init)) ||
        (p->main != LSL_NONE && !is_proc(p, p->main)))
        return err_set(e, "init or main has no procedure");
    return true;
}
