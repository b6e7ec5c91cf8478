/* SPDX-License-Identifier: MIT
 *
 * The parts of the reader of C: instructions, calls, expressions; statements
 * are in read_c.c.
 */
#ifndef LITMUS_READ_C_INSIDE_H
#define LITMUS_READ_C_INSIDE_H

#include "litmus/reader.h"

#define NESTING_MAX 100

/* A value on its way: a number, or a register. */
struct operand {
    bool constant;
    int64_t number;
    int16_t reg;
    uint32_t element; /* of a pointer: what it points to, in bytes; else 0 */
    bool atomic;      /* and that is an atomic type */
};

struct parameter {
    const char *name;
    int location;
    bool atomic;
};

struct compiler {
    struct reader *r;
    struct thread *thread;
    VEC(struct parameter) parameters;
    unsigned temporaries; /* in use, in this statement */
    unsigned depth;
};

static inline struct tokens *c_in(struct compiler *c)
{
    return &c->r->in;
}

static inline struct arena *c_arena(struct compiler *c)
{
    return &c->r->test->arena;
}

/* ---- read_c_emit.c ---- */

struct inst c_new_op(struct compiler *c, enum inst_kind kind);
size_t c_add_op(struct compiler *c, struct inst op); /* returns its number */
/* That jump goes to what comes next. */
void c_land_here(struct compiler *c, size_t jump);

/* A register until the end of the statement. */
bool c_temporary(struct compiler *c, int16_t *reg);
bool c_in_register(struct compiler *c, struct operand *o);

/* The operand as an instruction's last source, or as its address. */
void c_put_last(struct inst *op, int16_t *field, const struct operand *o);
void c_put_address(struct inst *op, const struct operand *o);

bool c_arithmetic(struct compiler *c, enum alu alu, struct operand a,
                  struct operand b, struct operand *out);
bool c_add_up(struct compiler *c, enum alu alu, struct operand a,
              struct operand b, struct operand *out);
bool c_load(struct compiler *c, struct operand pointer, uint8_t order,
            struct operand *out);
bool c_store(struct compiler *c, struct operand pointer, struct operand value,
             uint8_t order);
uint8_t c_plain_order(const struct operand *pointer);

/* ---- read_c_call.c ---- */

/* What follows the name of a function. */
bool c_call(struct compiler *c, const char *name, struct operand *out);

/* ---- read_c_expression.c ---- */

bool c_expression(struct compiler *c, struct operand *out);
bool c_unary(struct compiler *c, struct operand *out);
bool c_variable(struct compiler *c, const char *name, struct operand *out);

#endif
