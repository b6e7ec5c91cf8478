/* SPDX-License-Identifier: MIT
 *
 * What C becomes: instructions on registers, and values on their way there.
 */
#include <stdio.h>

#include "litmus/read_c_inside.h"

struct inst c_new_op(struct compiler *c, enum inst_kind kind)
{
    return (struct inst){.kind = (uint8_t)kind,
                         .size = 4,
                         .index = NO_REGISTER,
                         .line = lexer_peek(c_in(c), 0)->line};
}

size_t c_add_op(struct compiler *c, struct inst op)
{
    VEC_PUSH_IN(c_arena(c), c->thread, op);
    return c->thread->count - 1;
}

void c_land_here(struct compiler *c, size_t jump)
{
    c->thread->list[jump].target = (uint32_t)c->thread->count;
}

bool c_temporary(struct compiler *c, int16_t *reg)
{
    char name[16];
    int number;

    snprintf(name, sizeof(name), "%%%u", c->temporaries++);
    number = litmus_register(c->r->test, c->thread, name);
    *reg = (int16_t)number;
    return number >= 0 || lexer_fail(c_in(c), "an expression that is too long");
}

/* The operand in a register. */
bool c_in_register(struct compiler *c, struct operand *o)
{
    struct inst op = c_new_op(c, INST_SET);

    if (!o->constant)
        return true;
    if (!c_temporary(c, &op.d))
        return false;
    op.imm = o->number;
    c_add_op(c, op);
    o->constant = false;
    o->reg = op.d;
    return true;
}

void c_put_last(struct inst *op, int16_t *field, const struct operand *o)
{
    op->immediate = o->constant;
    op->imm = o->number;
    *field = o->constant ? (int16_t)REGISTER_ZERO : o->reg;
}

void c_put_address(struct inst *op, const struct operand *o)
{
    op->base = o->constant ? (int16_t)REGISTER_ZERO : o->reg;
    op->offset = o->constant ? o->number : 0;
    op->size = o->element < 4 ? 4 : (uint8_t)o->element;
}

bool c_arithmetic(struct compiler *c, enum alu alu, struct operand a,
                  struct operand b, struct operand *out)
{
    struct inst op = c_new_op(c, INST_ALU);

    op.alu = (uint8_t)alu;
    if (a.element || b.element)
        op.size = 8;
    if (!c_in_register(c, &a) || !c_temporary(c, &op.d))
        return false;
    op.a = a.reg;
    c_put_last(&op, &op.b, &b);
    c_add_op(c, op);
    *out =
        (struct operand){.reg = op.d, .element = a.element, .atomic = a.atomic};
    return true;
}

/* Pointers count in elements. */
bool c_add_up(struct compiler *c, enum alu alu, struct operand a,
              struct operand b, struct operand *out)
{
    struct operand width = {.constant = true, .number = a.element};

    if (a.element && b.constant)
        b.number *= a.element;
    else if (a.element && !c_arithmetic(c, ALU_MUL, b, width, &b))
        return false;
    if (a.element && a.constant && b.constant) {
        *out = a;
        out->number += alu == ALU_ADD ? b.number : -b.number;
        return true;
    }
    return c_arithmetic(c, alu, a, b, out);
}

bool c_load(struct compiler *c, struct operand pointer, uint8_t order,
            struct operand *out)
{
    struct inst op = c_new_op(c, INST_LOAD);

    if (!pointer.element)
        return lexer_fail(c_in(c), "what is no pointer is dereferenced");
    c_put_address(&op, &pointer);
    op.order = order;
    if (!c_temporary(c, &op.d))
        return false;
    c_add_op(c, op);
    *out = (struct operand){.reg = op.d};
    return true;
}

bool c_store(struct compiler *c, struct operand pointer, struct operand value,
             uint8_t order)
{
    struct inst op = c_new_op(c, INST_STORE);

    if (!pointer.element)
        return lexer_fail(c_in(c), "a store to what is no pointer");
    c_put_address(&op, &pointer);
    c_put_last(&op, &op.a, &value);
    op.order = order;
    c_add_op(c, op);
    return true;
}

/* What a plain * of C does: of an atomic type it is seq_cst. */
uint8_t c_plain_order(const struct operand *pointer)
{
    return pointer->atomic ? LITMUS_SC : LITMUS_NA;
}
