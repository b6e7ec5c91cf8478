/* SPDX-License-Identifier: MIT
 *
 * Random programs of the load-store language: nested ifs and loops, early
 * returns, breaks, calls, registers that are used after the loop that defines
 * them, private and shared memory.  All registers have 64 bits.
 */
#ifndef LSL_RANDOM_H
#define LSL_RANDOM_H

#include <string.h>

#include "lsl/lsl.h"

#define RANDOM_PROCS 3
#define RANDOM_OBJECTS 3 /* of 16 bytes: two cells */

struct lsl_random {
    uint64_t state;
    struct arena *arena;
    struct lsl_proc *proc; /* being made */
    uint32_t number, insts, edges, args;
    uint32_t loop; /* innermost open one */
    uint32_t known[2000];
    uint32_t known_count;
    uint32_t stack; /* register: a private array of two cells */
};

enum { CONST_FIRST = 2 /* parameters */, CONST_COUNT = 8 };

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 20) % n;
}

static inline uint32_t pick(struct lsl_random *r, uint32_t n)
{
    return random_below(&r->state, n);
}

static inline uint32_t pick_known(struct lsl_random *r)
{
    /* New ones more often than old ones. */
    uint32_t back = pick(r, pick(r, 2) ? 4 : r->known_count);

    return back < r->known_count ? r->known[r->known_count - 1 - back]
                                 : r->known[0];
}

/* One that is computed, if there is one, for what a branch asks. */
static inline uint32_t pick_condition(struct lsl_random *r)
{
    for (int tries = 0; tries < 10; tries++) {
        uint32_t reg = pick_known(r);

        if (reg >= CONST_FIRST + CONST_COUNT)
            return reg;
    }
    return pick_known(r);
}

static inline struct lsl_inst *add_inst(struct lsl_random *r, enum lsl_op op)
{
    struct lsl_proc *p = r->proc;
    struct lsl_inst *i = &p->insts[r->insts++];

    CHECK(r->insts < 4000);
    *i = (struct lsl_inst){.op = (uint8_t)op,
                           .width = 64,
                           .in_width = 64,
                           .size = 8,
                           .dst = LSL_NONE,
                           .a = LSL_NONE,
                           .b = LSL_NONE,
                           .c = LSL_NONE,
                           .proc = LSL_NONE,
                           .text = ""};
    p->blocks[p->block_count - 1].count++;
    return i;
}

static inline uint32_t new_reg(struct lsl_random *r, struct lsl_inst *i)
{
    i->dst = r->proc->reg_count++;
    CHECK(r->known_count < 2000);
    r->known[r->known_count++] = i->dst;
    return i->dst;
}

static inline uint32_t start_block(struct lsl_random *r)
{
    struct lsl_proc *p = r->proc;

    CHECK(p->block_count < 1000);
    p->blocks[p->block_count] = (struct lsl_block){
        r->insts, 0, LSL_NONE, LSL_NONE, LSL_NONE, LSL_NONE, r->loop, 0, false};
    return p->block_count++;
}

static inline uint32_t this_block(const struct lsl_random *r)
{
    return r->proc->block_count - 1;
}

/* A PHI with room for that many operands, to be filled in order. */
static inline struct lsl_inst *add_phi(struct lsl_random *r, uint32_t room)
{
    struct lsl_inst *i = add_inst(r, LSL_PHI);

    i->first = r->edges;
    r->edges += room;
    CHECK(r->edges < 2000);
    new_reg(r, i);
    return i;
}

static inline void fill_phi(struct lsl_random *r, struct lsl_inst *phi,
                            uint32_t block, uint32_t reg)
{
    r->proc->edges[phi->first + phi->count++] = (struct lsl_edge){block, reg};
}

static inline void make_pure(struct lsl_random *r)
{
    static const enum lsl_pure ops[] = {
        PURE_ADD, PURE_SUB, PURE_MUL, PURE_AND, PURE_OR,   PURE_XOR,
        PURE_EQ,  PURE_EQ,  PURE_EQ,  PURE_NE,  PURE_NE,   PURE_ULT,
        PURE_ULE, PURE_SLT, PURE_SLE, PURE_SHL, PURE_UDIV, PURE_SREM};
    uint32_t a = pick_known(r), b = pick_known(r);
    struct lsl_inst *i = add_inst(r, LSL_PURE);

    /* The last three may fail or be undefined. */
    i->pure = (uint8_t)
        ops[pick(r, sizeof(ops) / sizeof(*ops) - (pick(r, 8) ? 3 : 0))];
    i->a = a;
    i->b = b;
    if (i->pure >= PURE_EQ) {
        uint32_t bit = new_reg(r, i);

        i->width = 1;
        r->known_count--;
        i = add_inst(r, LSL_PURE);
        i->pure = PURE_ZEXT;
        i->in_width = 1;
        i->a = bit;
    }
    new_reg(r, i);
}

/* One of two places, by a register or not. */
static inline uint32_t make_address(struct lsl_random *r)
{
    uint32_t first = CONST_FIRST + 4 + pick(r, 4);
    struct lsl_inst *i;
    uint32_t reg;

    if (pick(r, 3))
        return first;
    i = add_inst(r, LSL_SELECT);
    i->a = pick_known(r);
    i->b = first;
    i->c = CONST_FIRST + 4 + pick(r, 4);
    reg = new_reg(r, i);
    r->known_count--;
    return reg;
}

static inline void make_access(struct lsl_random *r)
{
    uint32_t a = make_address(r), b = pick_known(r), c = pick_known(r);
    static const enum lsl_op ops[] = {LSL_LOAD,  LSL_LOAD, LSL_STORE,
                                      LSL_STORE, LSL_RMW,  LSL_CAS};
    struct lsl_inst *i = add_inst(r, ops[pick(r, 6)]);

    i->a = a;
    if (i->op == LSL_RMW)
        i->pure = (uint8_t)pick(r, RMW_UMIN + 1);
    if (i->op != LSL_LOAD)
        i->b = b;
    if (i->op == LSL_CAS)
        i->c = c;
    if (i->op != LSL_STORE)
        new_reg(r, i);
}

/* The private array, at a constant or at a computed index. */
static inline void make_private(struct lsl_random *r)
{
    uint32_t value = pick_known(r), index = pick_known(r), at;
    bool constant = pick(r, 3) != 0;
    struct lsl_inst *i;

    if (!constant) {
        i = add_inst(r, LSL_PURE);
        i->pure = PURE_AND;
        i->a = index;
        i->b = CONST_FIRST + 1;
        index = new_reg(r, i);
        r->known_count--;
    }
    i = add_inst(r, LSL_PURE);
    i->pure = PURE_MUL;
    i->a = constant ? CONST_FIRST + pick(r, 2) : index;
    i->b = CONST_FIRST + 3;
    at = new_reg(r, i);
    i = add_inst(r, LSL_PURE);
    i->pure = PURE_ADD;
    i->a = r->stack;
    i->b = at;
    at = new_reg(r, i);
    r->known_count -= 2;
    i = add_inst(r, pick(r, 2) ? LSL_LOAD : LSL_STORE);
    i->flags = LSL_PRIVATE;
    i->a = at;
    if (i->op == LSL_LOAD)
        new_reg(r, i);
    else
        i->b = value;
}

static inline void make_other(struct lsl_random *r)
{
    static const enum lsl_op ops[] = {LSL_SELECT,  LSL_SELECT, LSL_CHOOSE,
                                      LSL_OBSERVE, LSL_ASSUME, LSL_ASSERT};
    uint32_t a = pick_known(r), b = pick_known(r), c = pick_known(r);
    enum lsl_op op = ops[pick(r, pick(r, 4) ? 4 : 6)];
    struct lsl_inst *i = add_inst(r, op);

    i->a = op == LSL_CHOOSE ? CONST_FIRST + 2 : a;
    if (op == LSL_SELECT) {
        i->b = b;
        i->c = c;
    }
    if (op == LSL_SELECT || op == LSL_CHOOSE)
        new_reg(r, i);
}

static inline void make_call(struct lsl_random *r)
{
    uint32_t a = pick_known(r), b = pick_known(r);
    struct lsl_inst *i = add_inst(r, LSL_CALL);

    i->proc = pick(r, r->number);
    i->first = r->args;
    i->count = 2;
    r->proc->args[r->args++] = a;
    r->proc->args[r->args++] = b;
    CHECK(r->args < 1000);
    new_reg(r, i);
}

static inline void make_code(struct lsl_random *r, int depth);

static inline void make_if(struct lsl_random *r, int depth)
{
    struct lsl_block *blocks = r->proc->blocks;
    uint32_t branch = this_block(r), mark = r->known_count, ends[2], regs[2];
    bool returns = pick(r, 5) == 0;
    struct lsl_inst *phi;

    blocks[branch].cond = pick_condition(r);
    for (int side = 0; side < 2; side++) {
        uint32_t first = start_block(r);

        *(side ? &blocks[branch].otherwise : &blocks[branch].then) = first;
        make_code(r, depth + 1);
        ends[side] = this_block(r);
        regs[side] = pick_known(r);
        r->known_count = mark;
        if (!side && returns)
            blocks[ends[0]].result = regs[0];
    }
    start_block(r);
    phi = add_phi(r, 2);
    for (int side = returns; side < 2; side++) {
        blocks[ends[side]].then = this_block(r);
        fill_phi(r, phi, ends[side], regs[side]);
    }
}

/* header: phis, code; if cond goto body else exit
 * body:   code; perhaps: if cond goto exit else latch
 * latch:  goto header
 * exit:   phi of what header and break bring */
static inline void make_loop(struct lsl_random *r, int depth)
{
    struct lsl_proc *p = r->proc;
    uint32_t before = this_block(r), start = pick_known(r), outer = r->loop;
    uint32_t loop = p->loop_count++, header, mark, left = LSL_NONE, value = 0;
    uint32_t step = CONST_FIRST + pick(r, 4) / 3, out, body, latch, exit_block;
    struct lsl_inst *counter, *carried, *i;

    CHECK(p->loop_count < 100);
    r->loop = loop;
    header = start_block(r);
    p->blocks[before].then = header;
    p->loops[loop] = (struct lsl_loop){header, outer, 0, 0};
    counter = add_phi(r, 2);
    carried = add_phi(r, 2);
    fill_phi(r, counter, before, CONST_FIRST);
    fill_phi(r, carried, before, start);
    if (pick(r, 3) == 0) { /* a constant number of rounds, mostly */
        i = add_inst(r, LSL_PURE);
        i->pure = PURE_ULT;
        i->width = 1;
        i->a = counter->dst;
        i->b = CONST_FIRST + 2;
        p->blocks[header].cond = new_reg(r, i);
        r->known_count--;
        step = CONST_FIRST + 1;
    } else {
        for (uint32_t n = pick(r, 3); n > 0; n--)
            make_access(r);
        i = add_inst(r, LSL_LOAD);
        i->a = CONST_FIRST + 4;
        p->blocks[header].cond = new_reg(r, i);
    }
    out = pick_known(r);
    mark = r->known_count;
    body = start_block(r);
    p->blocks[header].then = body;
    make_code(r, depth + 1);
    if (pick(r, 2)) {
        left = this_block(r);
        value = pick_known(r);
        p->blocks[left].cond = pick_condition(r);
        p->blocks[left].otherwise = start_block(r);
    }
    i = add_inst(r, LSL_PURE);
    i->pure = PURE_ADD;
    i->a = counter->dst;
    i->b = step;
    new_reg(r, i);
    latch = this_block(r);
    p->blocks[latch].then = header;
    fill_phi(r, counter, latch, i->dst);
    fill_phi(r, carried, latch, pick(r, 3) ? carried->dst : pick_known(r));
    p->loops[loop].last = latch;
    r->known_count = mark;
    r->loop = outer;
    exit_block = start_block(r);
    p->blocks[header].otherwise = exit_block;
    i = add_phi(r, 2);
    fill_phi(r, i, header, out);
    if (left != LSL_NONE) {
        p->blocks[left].then = exit_block;
        fill_phi(r, i, left, value);
    }
}

static inline void make_code(struct lsl_random *r, int depth)
{
    for (uint32_t n = 1 + pick(r, 4); n > 0; n--) {
        uint32_t what = pick(r, 14);

        if (what < 3)
            make_pure(r);
        else if (what < 7)
            make_access(r);
        else if (what < 9)
            make_private(r);
        else if (what < 10)
            make_other(r);
        else if (what < 11 && r->number)
            make_call(r);
        else if (what < 13 && depth < 3)
            make_if(r, depth);
        else if (depth < 2)
            make_loop(r, depth);
    }
}

static inline void clear_private(struct lsl_random *r)
{
    for (uint32_t k = 0; k < 2; k++) {
        struct lsl_inst *i = add_inst(r, LSL_PURE);
        uint32_t at;

        i->pure = PURE_ADD;
        i->a = r->stack;
        i->b = CONST_FIRST + 3 * k;
        at = new_reg(r, i);
        r->known_count--;
        i = add_inst(r, LSL_STORE);
        i->flags = LSL_PRIVATE;
        i->a = at;
        i->b = CONST_FIRST + k;
    }
}

static inline void make_proc(struct lsl_random *r, struct lsl_proc *p)
{
    struct arena *a = r->arena;
    struct lsl_inst *i;

    *p = (struct lsl_proc){.name = "p", .param_count = 2, .defined = true};
    p->constant_count = CONST_COUNT;
    p->reg_count = CONST_FIRST + CONST_COUNT;
    p->constants = arena_array(a, CONST_COUNT, sizeof(*p->constants));
    p->insts = arena_array(a, 4000, sizeof(*p->insts));
    p->blocks = arena_array(a, 1000, sizeof(*p->blocks));
    p->loops = arena_array(a, 100, sizeof(*p->loops));
    p->args = arena_array(a, 1000, sizeof(*p->args));
    p->edges = arena_array(a, 2000, sizeof(*p->edges));
    for (uint32_t k = 0; k < 4; k++)
        p->constants[k] = LSL_INT(k < 3 ? k : 8);
    for (uint32_t k = 4; k < CONST_COUNT; k++)
        p->constants[k] = (struct lsl_value){LSL_POINTER, 1 + k % 3, k % 2 * 8};
    r->proc = p;
    r->insts = r->edges = r->args = 0;
    r->loop = LSL_NONE;
    r->known_count = 0;
    /* Nobody says what main's parameters are. */
    for (uint32_t k = r->number + 1 < RANDOM_PROCS ? 0 : CONST_FIRST;
         k < CONST_FIRST + 3; k++)
        r->known[r->known_count++] = k;
    start_block(r);
    i = add_inst(r, LSL_STACK);
    i->bytes = 16;
    r->stack = new_reg(r, i);
    r->known_count--;
    if (pick(r, 8))
        clear_private(r);
    for (int n = 0; n < 4; n++)
        make_access(r);
    make_code(r, 0);
    p->blocks[this_block(r)].result = pick_known(r);
}

/* The last procedure calls the others. */
static inline void random_program(uint64_t seed, struct arena *a,
                                  struct lsl_program *out)
{
    struct lsl_random *r = arena_alloc(a, sizeof(*r));

    *r = (struct lsl_random){.state = seed * 0x9e3779b97f4a7c15ull | 1,
                             .arena = a};
    *out = (struct lsl_program){.proc_count = RANDOM_PROCS,
                                .object_count = RANDOM_OBJECTS + 1,
                                .site_count = 1,
                                .init = LSL_NONE,
                                .main = RANDOM_PROCS - 1,
                                .source = "random"};
    out->procs = arena_array(a, RANDOM_PROCS, sizeof(*out->procs));
    out->objects = arena_array(a, RANDOM_OBJECTS + 1, sizeof(*out->objects));
    out->sites = arena_array(a, 1, sizeof(*out->sites));
    for (uint32_t o = 1; o <= RANDOM_OBJECTS; o++)
        out->objects[o] =
            (struct lsl_object){.name = "x", .size = 16, .proc = LSL_NONE};
    for (r->number = 0; r->number < RANDOM_PROCS; r->number++)
        make_proc(r, &out->procs[r->number]);
}

#endif
