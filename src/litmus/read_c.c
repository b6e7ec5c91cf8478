/* SPDX-License-Identifier: MIT
 *
 * The code of tests in C: functions P0, P1, ... whose parameters are pointers
 * to the shared variables.  Expressions become instructions on registers; a
 * local variable is a register of its name.
 */
#include <stdio.h>
#include <string.h>

#include "litmus/read_c_inside.h"

/* ---- statements ---- */

static bool statement(struct compiler *c);

static bool is_type(const char *word)
{
    static const char *const types[] = {
        "int",        "unsigned", "long",    "short",    "char",
        "atomic_int", "volatile", "const",   "_Atomic",  "uint32_t",
        "uint64_t",   "int32_t",  "int64_t", "intptr_t", "atomic_uint",
        "bool",       "_Bool"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(types[i], word) == 0)
            return true;
    return false;
}

static bool assign(struct compiler *c, int16_t reg)
{
    struct operand value;
    struct inst op = c_new_op(c, INST_ALU);

    if (!c_expression(c, &value))
        return false;
    op.alu = ALU_OR;
    op.size = 8;
    op.d = reg;
    op.a = REGISTER_ZERO;
    c_put_last(&op, &op.b, &value);
    c_add_op(c, op);
    return true;
}

/* int r0 = e, r1; */
static bool declaration(struct compiler *c)
{
    while (is_type(lexer_peek(c_in(c), 0)->text))
        c_in(c)->at++;
    do {
        const char *name;
        int reg;

        while (lexer_take(c_in(c), "*"))
            ;
        if (!lexer_need_word(c_in(c), "a variable", &name))
            return false;
        reg = litmus_register(c->r->test, c->thread, name);
        if (reg < 0)
            return lexer_fail(c_in(c), "too many variables");
        if (lexer_take(c_in(c), "=") && !assign(c, (int16_t)reg))
            return false;
    } while (lexer_take(c_in(c), ","));
    return lexer_need(c_in(c), ";");
}

/* *x = e, x[i] = e */
static bool assign_memory(struct compiler *c)
{
    struct operand pointer, index = {.constant = true}, value;
    const char *name;

    if (lexer_take(c_in(c), "*")) {
        if (!c_unary(c, &pointer))
            return false;
    } else if (!lexer_need_word(c_in(c), "a variable", &name) ||
               !c_variable(c, name, &pointer) || !lexer_need(c_in(c), "[") ||
               !c_expression(c, &index) || !lexer_need(c_in(c), "]") ||
               !c_add_up(c, ALU_ADD, pointer, index, &pointer)) {
        return false;
    }
    return lexer_need(c_in(c), "=") && c_expression(c, &value) &&
           c_store(c, pointer, value, c_plain_order(&pointer));
}

static bool simple(struct compiler *c)
{
    const struct token *t = lexer_peek(c_in(c), 0);
    const char *next = lexer_peek(c_in(c), 1)->text;
    struct operand value;
    int reg;

    if (t->kind == TOKEN_WORD && strcmp(next, "=") == 0) {
        reg = litmus_register(c->r->test, c->thread, t->text);
        c_in(c)->at += 2;
        if (reg < 0)
            return lexer_fail(c_in(c), "too many variables");
        return assign(c, (int16_t)reg);
    }
    if (lexer_is(c_in(c), "*") || strcmp(next, "[") == 0)
        return assign_memory(c);
    return c_expression(c, &value);
}

/* A branch past what follows, unless the condition holds. */
static bool condition(struct compiler *c, size_t *jump)
{
    struct inst branch;
    struct operand value;

    if (!lexer_need(c_in(c), "(") || !c_expression(c, &value) ||
        !lexer_need(c_in(c), ")") || !c_in_register(c, &value))
        return false;
    branch = c_new_op(c, INST_BRANCH);
    branch.alu = ALU_EQ;
    branch.a = value.reg;
    branch.immediate = true;
    *jump = c_add_op(c, branch);
    return true;
}

static bool if_else(struct compiler *c)
{
    size_t no, over;

    if (!condition(c, &no) || !statement(c))
        return false;
    if (!lexer_take(c_in(c), "else")) {
        c_land_here(c, no);
        return true;
    }
    over = c_add_op(c, c_new_op(c, INST_JUMP));
    c_land_here(c, no);
    if (!statement(c))
        return false;
    c_land_here(c, over);
    return true;
}

static bool loop(struct compiler *c)
{
    size_t first = c->thread->count, no;
    struct inst back = c_new_op(c, INST_JUMP);

    if (!condition(c, &no) || !statement(c))
        return false;
    back.target = (uint32_t)first;
    c_add_op(c, back);
    c_land_here(c, no);
    return true;
}

static bool loop_first(struct compiler *c)
{
    size_t first = c->thread->count, no;
    struct inst back = c_new_op(c, INST_JUMP);

    if (!statement(c) || !lexer_need(c_in(c), "while") || !condition(c, &no))
        return false;
    back.target = (uint32_t)first;
    c_add_op(c, back);
    c_land_here(c, no);
    return lexer_need(c_in(c), ";");
}

static bool block(struct compiler *c)
{
    while (!lexer_take(c_in(c), "}"))
        if (!statement(c))
            return false;
    return true;
}

static bool statement_inside(struct compiler *c)
{
    if (lexer_take(c_in(c), ";"))
        return true;
    if (lexer_take(c_in(c), "{"))
        return block(c);
    if (lexer_take(c_in(c), "if"))
        return if_else(c);
    if (lexer_take(c_in(c), "while"))
        return loop(c);
    if (lexer_take(c_in(c), "do"))
        return loop_first(c);
    if (lexer_take(c_in(c), "return")) {
        c_add_op(c, c_new_op(c, INST_STOP));
        return lexer_need(c_in(c), ";");
    }
    if (is_type(lexer_peek(c_in(c), 0)->text))
        return declaration(c);
    return simple(c) && lexer_need(c_in(c), ";");
}

static bool statement(struct compiler *c)
{
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(c_in(c), "a statement that is too deep");
    c->temporaries = 0;
    ok = statement_inside(c);
    c->depth--;
    return ok;
}

/* ---- threads ---- */

/* atomic_int* x, volatile int* y */
static bool take_parameters(struct compiler *c)
{
    if (!lexer_need(c_in(c), "("))
        return false;
    while (!lexer_take(c_in(c), ")")) {
        bool atomic = false;
        const char *name;

        while (is_type(lexer_peek(c_in(c), 0)->text) ||
               lexer_is(c_in(c), "*")) {
            atomic |= strstr(lexer_peek(c_in(c), 0)->text, "tomic") != NULL;
            c_in(c)->at++;
        }
        if (lexer_take(c_in(c), ","))
            continue;
        if (!lexer_need_word(c_in(c), "a parameter", &name))
            return false;
        VEC_PUSH_IN(c_arena(c), &c->parameters,
                    {name, litmus_location(c->r->test, name), atomic});
        lexer_take(c_in(c), ",");
    }
    return true;
}

static bool take_thread(struct reader *r)
{
    struct litmus *t = r->test;
    struct compiler c = {.r = r};

    if (t->thread_count == THREADS_MAX)
        return lexer_fail(&r->in, "more than %d threads", THREADS_MAX);
    c.thread = &t->threads[t->thread_count++];
    return take_parameters(&c) && lexer_need(&r->in, "{") && block(&c);
}

bool read_c(struct reader *r)
{
    char want[16];

    do {
        snprintf(want, sizeof(want), "P%zu", r->test->thread_count);
        if (!lexer_need(&r->in, want) || !take_thread(r))
            return false;
        snprintf(want, sizeof(want), "P%zu", r->test->thread_count);
    } while (lexer_is(&r->in, want));
    return true;
}
