/* SPDX-License-Identifier: MIT
 *
 * One operation, alone and from its beginning to its end, on concrete values.
 *
 * Nobody else runs meanwhile.  So a lock that is not free blocks for ever, and
 * so does a loop that comes back to a state in which it was before: neither
 * order of operations is an execution.
 */
#include <stdlib.h>
#include <string.h>

#include "serial/serial_inside.h"

/* An operation that takes more steps than this is not for explicit search. */
#define MAX_STEPS 1000000
#define MAX_FRAMES 10000
/* Loops come round so often before anybody wonders whether they end. */
#define FIRST_PICTURE 64

/* ---- Calls ---- */

/* A frame whose registers are undefined, but for constants. */
static void push_frame(struct machine *m, const struct lsl_proc *p,
                       uint32_t site)
{
    size_t base = m->regs.count;

    CHECK(p->param_count + p->constant_count <= p->reg_count);
    VEC_PUSH(&m->frames, {.proc = p,
                          .came_from = LSL_NONE,
                          .base = (uint32_t)base,
                          .first_object = m->memory.count,
                          .site = site});
    VEC_FIT(&m->regs, base + p->reg_count);
    m->regs.count += p->reg_count;
    if (p->reg_count)
        memset(m->regs.list + base, 0, p->reg_count * sizeof(*m->regs.list));
    for (uint32_t i = 0; i < p->constant_count; i++)
        m->regs.list[base + p->param_count + i] =
            memory_localise(&m->memory, p->constants[i], m->thread);
}

/* The procedure that is meant; LSL_NONE: there is none. */
static uint32_t callee(struct machine *m, const struct lsl_inst *i)
{
    const struct lsl_program *p = m->memory.program;
    struct lsl_value v;

    if (i->proc != LSL_NONE)
        return i->proc;
    v = *machine_reg(m, i->a);
    if (v.kind != LSL_POINTER || v.base >= p->object_count || v.bits)
        return LSL_NONE;
    return p->objects[v.base].proc;
}

enum outcome machine_call(struct machine *m, const struct lsl_inst *i)
{
    uint32_t number = callee(m, i), caller;
    const struct lsl_proc *p, *from = VEC_LAST(&m->frames).proc;

    if (number == LSL_NONE)
        return machine_fail(m, i->site, FAIL_SEGV,
                            "a call to what is no function");
    p = &m->memory.program->procs[number];
    if (!p->defined)
        return machine_refuse(m, i->site,
                              "a function is called that is not there");
    if (m->frames.count >= MAX_FRAMES)
        return machine_fail(m, i->site, FAIL_STACK_OVERFLOW, NULL);
    if (i->count != p->param_count)
        return machine_refuse(m, i->site,
                              "a call with a wrong number of arguments");
    caller = VEC_LAST(&m->frames).base;
    push_frame(m, p, i->site);
    for (uint32_t k = 0; k < i->count; k++)
        *machine_reg(m, k) = m->regs.list[caller + from->args[i->first + k]];
    return RUN_ON;
}

/* Leaves the procedure; the caller goes on after its call. */
static void leave(struct machine *m, uint32_t result)
{
    struct lsl_value v = result == LSL_NONE
                             ? (struct lsl_value){.kind = LSL_UNDEFINED}
                             : *machine_reg(m, result);
    const struct frame *f = &VEC_POP(&m->frames);

    memory_leave(&m->memory, f->first_object);
    m->regs.count = f->base;
    if (m->frames.count == 0)
        return;
    f = &VEC_LAST(&m->frames);
    machine_set(m, &f->proc->insts[f->proc->blocks[f->block].first + f->at - 1],
                v);
}

/* ---- Blocks ---- */

static void take_picture(const struct machine *m, struct row *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < m->frames.count; i++) {
        const struct frame *f = &m->frames.list[i];

        VEC_PUSH(out, (uint64_t)(f->proc - m->memory.program->procs));
        VEC_PUSH(out, (uint64_t)f->block << 32 | f->at);
    }
    for (uint32_t i = 0; i < m->regs.count; i++) {
        VEC_PUSH(out,
                 (uint64_t)m->regs.list[i].base << 32 | m->regs.list[i].kind);
        VEC_PUSH(out, m->regs.list[i].bits);
    }
    VEC_PUSH(out, m->seen.count);
    memory_picture(&m->memory, out);
}

/* At a loop's header: is everything as it was at an earlier time? */
static enum outcome come_round(struct machine *m)
{
    m->rounds++;
    if (m->rounds < FIRST_PICTURE)
        return RUN_ON;
    take_picture(m, &m->now);
    if (m->now.count == m->picture.count &&
        memcmp(m->now.list, m->picture.list,
               m->now.count * sizeof(*m->now.list)) == 0)
        return RUN_BLOCKED;
    if (m->rounds >= m->next_picture) {
        struct row w = m->picture;

        m->picture = m->now;
        m->now = w;
        m->next_picture = 2 * m->rounds;
    }
    return RUN_ON;
}

/* All phis of a block at once: one may be another's operand. */
static void enter_phis(struct machine *m)
{
    struct frame *f = &VEC_LAST(&m->frames);
    const struct lsl_block *b = &f->proc->blocks[f->block];
    const struct lsl_inst *list = f->proc->insts + b->first;
    uint32_t n = 0;

    while (n < b->count && list[n].op == LSL_PHI)
        n++;
    VEC_CLEAR(&m->phis);
    for (uint32_t i = 0; i < n; i++) {
        const struct lsl_edge *edge = f->proc->edges + list[i].first, *end;

        for (end = edge + list[i].count;
             edge < end && edge->block != f->came_from;)
            edge++;
        CHECK(edge < end);
        VEC_PUSH(&m->phis, *machine_reg(m, edge->reg));
    }
    for (uint32_t i = 0; i < n; i++)
        machine_set(m, &list[i], m->phis.list[i]);
    f->at = n;
}

static enum outcome end_block(struct machine *m, const struct lsl_block *b)
{
    struct frame *f = &VEC_LAST(&m->frames);
    uint32_t next = b->then;
    bool back;

    if (b->then == LSL_NONE) {
        leave(m, b->result);
        return RUN_ON;
    }
    if (b->cond != LSL_NONE) {
        struct lsl_value v = *machine_reg(m, b->cond);

        if (v.kind == LSL_UNDEFINED)
            return machine_undefined(m, b->site,
                                     "an undefined value decides a branch");
        if (v.kind == LSL_INTEGER && v.bits == 0)
            next = b->otherwise;
    }
    back = next <= f->block;
    f->came_from = f->block;
    f->block = next;
    f->at = 0;
    enter_phis(m);
    return back ? come_round(m) : RUN_ON;
}

/* ---- The door of this file ---- */

void machine_init(struct machine *m, const struct lsl_program *p,
                  uint32_t thread_count, struct err *e)
{
    *m = (struct machine){.e = e};
    memory_init(&m->memory, p, thread_count);
}

void machine_fini(struct machine *m)
{
    memory_fini(&m->memory);
    VEC_FREE(&m->frames);
    VEC_FREE(&m->regs);
    VEC_FREE(&m->phis);
    VEC_FREE(&m->choices);
    VEC_FREE(&m->seen);
    VEC_FREE(&m->picture);
    VEC_FREE(&m->now);
}

enum outcome machine_run(struct machine *m, uint32_t proc, uint32_t thread)
{
    const struct lsl_proc *p = &m->memory.program->procs[proc];
    enum outcome r = RUN_ON;

    m->thread = thread;
    m->frames.count = m->regs.count = m->seen.count = 0;
    m->choice_next = 0;
    m->rounds = m->steps = 0;
    m->picture.count = 0;
    m->next_picture = 0;
    push_frame(m, p, 0);
    while (r == RUN_ON && m->frames.count > 0) {
        struct frame *f = &VEC_LAST(&m->frames);
        const struct lsl_block *b = &f->proc->blocks[f->block];

        if (m->steps++ >= MAX_STEPS)
            return machine_refuse(
                m, b->site, "an operation does not come to its end when alone");
        r = f->at < b->count
                ? machine_execute(m, &f->proc->insts[b->first + f->at++])
                : end_block(m, b);
    }
    return r;
}

bool machine_choose_next(struct machine *m)
{
    /* A run that ended early may not have used them all. */
    m->choices.count = m->choice_next;
    while (m->choices.count > 0) {
        struct choice *c = &VEC_LAST(&m->choices);

        if (++c->value < c->limit)
            return true;
        m->choices.count--;
    }
    return false;
}
