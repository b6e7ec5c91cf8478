/* SPDX-License-Identifier: MIT
 *
 * One procedure as it is written: registers, constants, instructions.
 *
 * Constants are registers, too, and come right after the parameters; how many
 * there are is known at the end only, so until then their numbers have a bit
 * that others do not have.
 */
#include "lower/body.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

#define IS_CONSTANT 0x80000000u

void lower_refuse(struct lower *l, const char *fmt, ...)
{
    char words[512];
    va_list args;

    if (l->refused)
        return;
    l->refused = true;
    va_start(args, fmt);
    vsnprintf(words, sizeof(words), fmt, args);
    va_end(args);
    err_set(l->e, "%s", words);
    if (!l->at)
        return;

    uint32_t site = site_new(&l->p, l->at, EV_NONE, 0, "");
    const struct site *s = &VEC_AT(&l->p.sites, site);

    if (*s->file)
        err_in(l->e, "%s:%u", s->file, s->line);
}

uint32_t body_register(struct body *b)
{
    return b->reg_count++;
}

struct lsl_inst *body_add(struct body *b, enum lsl_op op)
{
    VEC_PUSH_IN(b->l->arena, &b->insts,
                {.op = (uint8_t)op,
                 .dst = LSL_NONE,
                 .a = LSL_NONE,
                 .b = LSL_NONE,
                 .c = LSL_NONE,
                 .proc = LSL_NONE});
    return &VEC_LAST(&b->insts);
}

uint32_t body_constant(struct body *b, struct lsl_value value)
{
    uint32_t i = 0;

    while (i < b->constants.count && !lsl_equal(b->constants.list[i], value))
        i++;
    if (i == b->constants.count)
        VEC_PUSH_IN(b->l->arena, &b->constants, value);
    CHECK(!(i & IS_CONSTANT));
    return i | IS_CONSTANT;
}

uint32_t body_number(struct body *b, uint64_t number)
{
    return body_constant(b, LSL_INT(number));
}

uint32_t body_undefined(struct body *b)
{
    return body_constant(b, (struct lsl_value){LSL_UNDEFINED, 0, 0});
}

uint32_t body_place(struct body *b)
{
    LLVMValueRef at = b->l->at;
    LLVMMetadataRef place = at ? LLVMInstructionGetDebugLoc(at) : NULL;

    if (!place)
        return 0;
    if (place != b->place) {
        b->place = place;
        b->place_site = site_new(&b->l->p, at, EV_NONE, 0, "");
    }
    return b->place_site;
}

void body_fail(struct body *b, enum failure_kind kind, const char *text,
               uint32_t site)
{
    struct lsl_inst *i = body_add(b, LSL_FAIL);

    i->failure = (uint8_t)kind;
    i->site = site;
    i->text = text;
}

uint32_t body_stack(struct body *b, uint64_t bytes)
{
    uint32_t site = body_place(b), dst = body_register(b);
    struct lsl_inst *i = body_add(b, LSL_STACK);

    i->width = 64;
    i->dst = dst;
    i->bytes = bytes;
    i->site = site;
    return dst;
}

uint32_t body_pure(struct body *b, enum lsl_pure op, unsigned width,
                   unsigned in_width, uint32_t x, uint32_t y)
{
    uint32_t site = body_place(b), dst = body_register(b);
    struct lsl_inst *i = body_add(b, LSL_PURE);

    CHECK((width > 0 && width <= 64 && in_width <= 64) || b->l->refused);

    i->pure = (uint8_t)op;
    i->width = (uint8_t)width;
    i->in_width = (uint8_t)in_width;
    i->dst = dst;
    i->a = x;
    i->b = y;
    i->site = site;
    return dst;
}

uint32_t body_offset(struct body *b, uint32_t x, uint64_t offset)
{
    if (!offset)
        return x;
    if (x & IS_CONSTANT) {
        struct lsl_value v = VEC_AT(&b->constants, x & ~IS_CONSTANT);

        v.bits += v.kind == LSL_UNDEFINED ? 0 : offset;
        return body_constant(b, v);
    }
    return body_pure(b, PURE_ADD, 64, 64, x, body_number(b, offset));
}

/* ---- Values ---- */

void body_define(struct body *b, LLVMValueRef v, const uint32_t *regs,
                 uint32_t count)
{
    uint64_t *at = map_put_pointer(&b->values, v);

    CHECK(*at == 0 || b->l->refused); /* defined once */
    CHECK(count == type_leaf_count(LLVMTypeOf(v)) || b->l->refused);
    *at = b->regs.count + 1;
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH_IN(b->l->arena, &b->regs, regs[i]);
}

void body_define_one(struct body *b, LLVMValueRef v, uint32_t reg)
{
    body_define(b, v, &reg, 1);
}

/* Of 128 bits: two words. */
static void wide_leaves(struct body *b, LLVMValueRef v, uint32_t *regs,
                        uint32_t *count)
{
    struct lsl_value half[2] = {{LSL_UNDEFINED, 0, 0}, {LSL_UNDEFINED, 0, 0}};

    if (LLVMIsAConstantInt(v))
        wide_constant(v, half);
    else if (!LLVMIsUndef(v))
        lower_refuse(b->l, "a constant of 128 bits of this kind is not "
                           "supported");
    for (int i = 0; i < 2; i++)
        regs[(*count)++] = body_constant(b, half[i]);
}

/* A constant with several leaves: undefined, zero, or written out. */
static void constant_leaves(struct body *b, LLVMValueRef v, uint32_t *regs,
                            uint32_t *count)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    uint32_t parts = 0;

    if (kind == LLVMStructTypeKind)
        parts = LLVMCountStructElementTypes(LLVMTypeOf(v));
    else if (kind == LLVMArrayTypeKind)
        parts = (uint32_t)LLVMGetArrayLength2(LLVMTypeOf(v));
    else if (type_is_wide(LLVMTypeOf(v)))
        wide_leaves(b, v, regs, count);
    else
        regs[(*count)++] = body_constant(b, object_constant(b->l, v));
    for (uint32_t i = 0; i < parts; i++)
        constant_leaves(b, LLVMGetAggregateElement(v, i), regs, count);
}

const uint32_t *body_operands(struct body *b, LLVMValueRef v, uint32_t *count)
{
    uint64_t *at = map_get_pointer(&b->values, v);

    *count = type_leaf_count(LLVMTypeOf(v));
    if (at && !b->l->refused)
        return &VEC_AT(&b->regs, *at - 1);

    uint32_t *regs = arena_array(b->l->arena, *count + 1ull, sizeof(*regs));
    uint32_t n = 0;

    if (LLVMIsConstant(v) && !b->l->refused) {
        constant_leaves(b, v, regs, &n);
        return regs;
    }
    CHECK(b->l->refused); /* it was never defined */
    for (; n < *count; n++)
        regs[n] = body_undefined(b);
    return regs;
}

uint32_t body_operand(struct body *b, LLVMValueRef v)
{
    uint32_t count;
    const uint32_t *regs = body_operands(b, v, &count);

    if (count == 1)
        return regs[0];
    type_width(b->l, LLVMTypeOf(v)); /* refuses it by name */
    return body_undefined(b);
}

/* ---- The end ---- */

static void renumber(const struct body *b, uint32_t *reg)
{
    if (*reg == LSL_NONE)
        return;
    CHECK((*reg & ~IS_CONSTANT) <
          (*reg & IS_CONSTANT ? b->constants.count : b->reg_count));
    if (*reg & IS_CONSTANT)
        *reg = (*reg & ~IS_CONSTANT) + b->param_count;
    else if (*reg >= b->param_count)
        *reg += (uint32_t)b->constants.count;
}

void body_finish(struct body *b)
{
    struct lsl_proc *p = &VEC_AT(&b->l->procs, b->proc);

    for (uint32_t i = 0; i < b->insts.count; i++) {
        renumber(b, &b->insts.list[i].dst);
        renumber(b, &b->insts.list[i].a);
        renumber(b, &b->insts.list[i].b);
        renumber(b, &b->insts.list[i].c);
    }
    for (uint32_t i = 0; i < b->args.count; i++)
        renumber(b, &b->args.list[i]);
    for (uint32_t i = 0; i < b->edges.count; i++)
        renumber(b, &b->edges.list[i].reg);
    for (uint32_t i = 0; i < b->block_count; i++) {
        renumber(b, &b->blocks[i].cond);
        renumber(b, &b->blocks[i].result);
    }
    p->param_count = b->param_count;
    p->reg_count = b->reg_count + (uint32_t)b->constants.count;
    p->constant_count = (uint32_t)b->constants.count;
    p->constants = b->constants.list;
    p->insts = b->insts.list;
    p->blocks = b->blocks;
    p->block_count = b->block_count;
    p->loops = b->loops.list;
    p->loop_count = (uint32_t)b->loops.count;
    p->args = b->args.list;
    p->edges = b->edges.list;
}
