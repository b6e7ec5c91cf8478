/* SPDX-License-Identifier: MIT
 *
 * Expressions of C, one function for each kind of precedence.
 */
#include <string.h>

#include "litmus/read_c_inside.h"

static bool find_parameter(struct compiler *c, const char *name,
                           struct operand *out)
{
    for (size_t i = 0; i < c->parameters.count; i++) {
        const struct parameter *p = &c->parameters.list[i];

        if (strcmp(p->name, name) != 0)
            continue;
        *out = (struct operand){
            .constant = true,
            .number = ADDRESS_OF(p->location),
            .element = c->r->test->locations.list[p->location].element,
            .atomic = p->atomic};
        return true;
    }
    return false;
}

bool c_variable(struct compiler *c, const char *name, struct operand *out)
{
    int reg;

    if (find_parameter(c, name, out))
        return true;
    reg = litmus_register(c->r->test, c->thread, name);
    *out = (struct operand){.reg = (int16_t)reg};
    return reg >= 0 || lexer_fail(c_in(c), "too many variables");
}

static bool take_primary(struct compiler *c, struct operand *out)
{
    const struct token *t = lexer_peek(c_in(c), 0);
    struct operand index;

    if (lexer_take(c_in(c), "("))
        return c_expression(c, out) && lexer_need(c_in(c), ")");
    if (t->kind == TOKEN_NUMBER) {
        *out = (struct operand){.constant = true, .number = t->number};
        c_in(c)->at++;
        return true;
    }
    if (t->kind != TOKEN_WORD)
        return lexer_fail(c_in(c), "an expression is missing");
    c_in(c)->at++;
    if (lexer_is(c_in(c), "("))
        return c_call(c, t->text, out);
    if (!c_variable(c, t->text, out))
        return false;
    if (!lexer_take(c_in(c), "["))
        return true;
    return c_expression(c, &index) && lexer_need(c_in(c), "]") &&
           c_add_up(c, ALU_ADD, *out, index, out) &&
           c_load(c, *out, c_plain_order(out), out);
}

bool c_unary(struct compiler *c, struct operand *out)
{
    struct operand zero = {.constant = true};
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(c_in(c), "an expression that is too deep");
    if (lexer_take(c_in(c), "!"))
        ok = c_unary(c, out) && c_arithmetic(c, ALU_EQ, *out, zero, out);
    else if (lexer_take(c_in(c), "-"))
        ok = c_unary(c, out) && c_arithmetic(c, ALU_SUB, zero, *out, out);
    else if (lexer_take(c_in(c), "*"))
        ok = c_unary(c, out) && c_load(c, *out, c_plain_order(out), out);
    else if (lexer_take(c_in(c),
                        "&")) /* &x of a parameter is no pointer to it */
        ok = c_unary(c, out);
    else
        ok = take_primary(c, out);
    c->depth--;
    return ok;
}

/* Operators, tightest first; those of a level go from left to right. */
static const struct {
    const char *sign;
    uint8_t level, alu;
} operators[] = {
    {"*", 0, ALU_MUL}, {"+", 1, ALU_ADD}, {"-", 1, ALU_SUB}, {"<", 2, ALU_LT},
    {"<=", 2, ALU_LE}, {">", 2, ALU_GT},  {">=", 2, ALU_GE}, {"==", 3, ALU_EQ},
    {"!=", 3, ALU_NE}, {"&", 4, ALU_AND}, {"^", 5, ALU_XOR}, {"|", 6, ALU_OR},
};

#define LEVELS 7

static int find_operator(struct compiler *c, unsigned level)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (operators[i].level == level && lexer_is(c_in(c), operators[i].sign))
            return (int)i;
    return -1;
}

static bool take_binary(struct compiler *c, unsigned level, struct operand *out)
{
    struct operand right;
    int found;

    if (level == 0 ? !c_unary(c, out) : !take_binary(c, level - 1, out))
        return false;
    while ((found = find_operator(c, level)) >= 0) {
        enum alu alu = operators[found].alu;

        c_in(c)->at++;
        if (level == 0 ? !c_unary(c, &right)
                       : !take_binary(c, level - 1, &right))
            return false;
        if (level == 1 ? !c_add_up(c, alu, *out, right, out)
                       : !c_arithmetic(c, alu, *out, right, out))
            return false;
    }
    return true;
}

/* && and ||: the right side is a branch further. */
static bool take_logic(struct compiler *c, bool both, struct operand *out)
{
    const char *sign = both ? "&&" : "||";
    struct operand zero = {.constant = true}, right;
    struct inst branch, copy;
    size_t jump;

    if (both ? !take_binary(c, LEVELS - 1, out) : !take_logic(c, true, out))
        return false;
    while (lexer_take(c_in(c), sign)) {
        if (!c_arithmetic(c, ALU_NE, *out, zero, out))
            return false;
        branch = c_new_op(c, INST_BRANCH);
        branch.alu = both ? ALU_EQ : ALU_NE;
        branch.a = out->reg;
        branch.immediate = true;
        jump = c_add_op(c, branch);
        if (both ? !take_binary(c, LEVELS - 1, &right)
                 : !take_logic(c, true, &right))
            return false;
        if (!c_arithmetic(c, ALU_NE, right, zero, &right))
            return false;
        copy = c_new_op(c, INST_ALU);
        copy.alu = ALU_ADD;
        copy.d = out->reg;
        copy.a = right.reg;
        c_add_op(c, copy);
        c_land_here(c, jump);
    }
    return true;
}

bool c_expression(struct compiler *c, struct operand *out)
{
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(c_in(c), "an expression that is too deep");
    ok = take_logic(c, false, out);
    c->depth--;
    return ok;
}
