/* SPDX-License-Identifier: MIT
 *
 * The code of tests in C: functions P0, P1, ... whose parameters are pointers
 * to the shared variables.  Expressions become instructions on registers; a
 * local variable is a register of its name.
 */
#include <stdio.h>
#include <string.h>

#include "litmus/reader.h"
#include "model/axioms.h"

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

static struct tokens *in(struct compiler *c)
{
    return &c->r->in;
}

static struct arena *arena_of(struct compiler *c)
{
    return &c->r->test->arena;
}

static uint32_t line_of(struct compiler *c)
{
    return lexer_peek(in(c), 0)->line;
}

/* ---- instructions ---- */

static struct op new_op(struct compiler *c, enum op_kind kind)
{
    return (struct op){.kind = (uint8_t)kind,
                       .size = 4,
                       .index = NO_REGISTER,
                       .line = line_of(c)};
}

static size_t add_op(struct compiler *c, struct op op)
{
    VEC_PUSH_IN(arena_of(c), c->thread, op);
    return c->thread->count - 1;
}

static void land_here(struct compiler *c, size_t jump)
{
    c->thread->list[jump].target = (uint32_t)c->thread->count;
}

static bool temporary(struct compiler *c, int16_t *reg)
{
    char name[16];
    int number;

    snprintf(name, sizeof(name), "%%%u", c->temporaries++);
    number = litmus_register(c->r->test, c->thread, name);
    *reg = (int16_t)number;
    return number >= 0 || lexer_fail(in(c), "an expression that is too long");
}

/* The operand in a register. */
static bool in_register(struct compiler *c, struct operand *o)
{
    struct op op = new_op(c, OP_SET);

    if (!o->constant)
        return true;
    if (!temporary(c, &op.d))
        return false;
    op.imm = o->number;
    add_op(c, op);
    o->constant = false;
    o->reg = op.d;
    return true;
}

static void put_last(struct op *op, int16_t *field, const struct operand *o)
{
    op->immediate = o->constant;
    op->imm = o->number;
    *field = o->constant ? (int16_t)REGISTER_ZERO : o->reg;
}

static void put_address(struct op *op, const struct operand *o)
{
    op->base = o->constant ? (int16_t)REGISTER_ZERO : o->reg;
    op->offset = o->constant ? o->number : 0;
    op->size = o->element < 4 ? 4 : (uint8_t)o->element;
}

static bool arithmetic(struct compiler *c, enum alu alu, struct operand a,
                       struct operand b, struct operand *out)
{
    struct op op = new_op(c, OP_ALU);

    op.alu = (uint8_t)alu;
    if (a.element || b.element)
        op.size = 8;
    if (!in_register(c, &a) || !temporary(c, &op.d))
        return false;
    op.a = a.reg;
    put_last(&op, &op.b, &b);
    add_op(c, op);
    *out =
        (struct operand){.reg = op.d, .element = a.element, .atomic = a.atomic};
    return true;
}

/* Pointers count in elements. */
static bool add_up(struct compiler *c, enum alu alu, struct operand a,
                   struct operand b, struct operand *out)
{
    struct operand width = {.constant = true, .number = a.element};

    if (a.element && b.constant)
        b.number *= a.element;
    else if (a.element && !arithmetic(c, ALU_MUL, b, width, &b))
        return false;
    if (a.element && a.constant && b.constant) {
        *out = a;
        out->number += alu == ALU_ADD ? b.number : -b.number;
        return true;
    }
    return arithmetic(c, alu, a, b, out);
}

static bool load(struct compiler *c, struct operand pointer, uint8_t order,
                 struct operand *out)
{
    struct op op = new_op(c, OP_LOAD);

    if (!pointer.element)
        return lexer_fail(in(c), "what is no pointer is dereferenced");
    put_address(&op, &pointer);
    op.order = order;
    if (!temporary(c, &op.d))
        return false;
    add_op(c, op);
    *out = (struct operand){.reg = op.d};
    return true;
}

static bool store(struct compiler *c, struct operand pointer,
                  struct operand value, uint8_t order)
{
    struct op op = new_op(c, OP_STORE);

    if (!pointer.element)
        return lexer_fail(in(c), "a store to what is no pointer");
    put_address(&op, &pointer);
    put_last(&op, &op.a, &value);
    op.order = order;
    add_op(c, op);
    return true;
}

/* What a plain * of C does: of an atomic type it is seq_cst. */
static uint8_t plain_order(const struct operand *pointer)
{
    return pointer->atomic ? LITMUS_SC : LITMUS_NA;
}

/* ---- calls ---- */

static bool expression(struct compiler *c, struct operand *out);

struct function {
    const char *name;
    uint8_t kind, alu; /* enum op_kind, enum alu */
    uint8_t operands;  /* without orders */
    uint8_t fence;     /* one of Fencer's */
};

static const struct function functions[] = {
    {"atomic_load", OP_LOAD, 0, 1, 0},
    {"atomic_store", OP_STORE, 0, 2, 0},
    {"atomic_init", OP_STORE, 0, 2, 0},
    {"atomic_exchange", OP_RMW, ALU_SWAP, 2, 0},
    {"atomic_fetch_add", OP_RMW, ALU_ADD, 2, 0},
    {"atomic_fetch_sub", OP_RMW, ALU_SUB, 2, 0},
    {"atomic_fetch_or", OP_RMW, ALU_OR, 2, 0},
    {"atomic_fetch_and", OP_RMW, ALU_AND, 2, 0},
    {"atomic_fetch_xor", OP_RMW, ALU_XOR, 2, 0},
    {"atomic_compare_exchange_strong", OP_CAS, 0, 3, 0},
    {"atomic_compare_exchange_weak", OP_CAS, 1, 3, 0},
    {"atomic_thread_fence", OP_FENCE, 0, 0, 0},
    {"fencer_fence_ss", OP_FENCE, 0, 0, MAPPED_FENCE_SS},
    {"fencer_fence_ll", OP_FENCE, 0, 0, MAPPED_FENCE_LL},
    {"fencer_fence_sl", OP_FENCE, 0, 0, MAPPED_FENCE_SL},
    {"fencer_fence_ls", OP_FENCE, 0, 0, MAPPED_FENCE_LS},
    {"fencer_fence_full", OP_FENCE, 0, 0, MAPPED_FENCE_FULL},
};

/* The row of that name; *orders: how many follow its operands. */
static const struct function *find_function(const char *name, size_t *orders)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        const struct function *f = &functions[i];
        size_t n = strlen(f->name);
        size_t wanted = f->kind == OP_CAS ? 2 : 1;

        if (strncmp(f->name, name, n) != 0)
            continue;
        *orders = strcmp(name + n, "_explicit") == 0 ? wanted : 0;
        if (f->kind == OP_FENCE && !f->fence)
            *orders = 1;
        if (name[n] == '\0' || *orders == wanted)
            return f;
    }
    return NULL;
}

static bool take_order(struct compiler *c, uint8_t *order)
{
    static const struct {
        const char *name;
        uint8_t order;
    } orders[] = {{"relaxed", LITMUS_RLX},     {"consume", LITMUS_ACQ},
                  {"acquire", LITMUS_ACQ},     {"release", LITMUS_REL},
                  {"acq_rel", LITMUS_ACQ_REL}, {"seq_cst", LITMUS_SC}};
    const char *word;

    if (!lexer_need_word(in(c), "a memory order", &word))
        return false;
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        if (strncmp(word, "memory_order_", 13) == 0 &&
            strcmp(word + 13, orders[i].name) == 0) {
            *order = orders[i].order;
            return true;
        }
    }
    return lexer_fail(in(c), "'%s' is no memory order", word);
}

struct call {
    const struct function *f;
    struct operand operands[3];
    uint8_t orders[2];
    int16_t local; /* what a CAS compares with: a variable's register, or -1 */
};

/* &r of a local variable; false: it is something else. */
static bool take_local_address(struct compiler *c, struct call *call)
{
    const struct token *name = lexer_peek(in(c), 1);
    int reg;

    if (!lexer_is(in(c), "&") || name->kind != TOKEN_WORD)
        return false;
    for (size_t i = 0; i < c->parameters.count; i++)
        if (strcmp(c->parameters.list[i].name, name->text) == 0)
            return false;
    reg = litmus_register(c->r->test, c->thread, name->text);
    in(c)->at += 2;
    call->local = (int16_t)reg;
    return reg >= 0;
}

static bool take_arguments(struct compiler *c, struct call *call, size_t orders)
{
    size_t n = call->f->operands + orders;

    if (!lexer_need(in(c), "("))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i && !lexer_need(in(c), ","))
            return false;
        if (i >= call->f->operands) {
            if (!take_order(c, &call->orders[i - call->f->operands]))
                return false;
        } else if (!(call->f->kind == OP_CAS && i == 1 &&
                     take_local_address(c, call)) &&
                   !expression(c, &call->operands[i])) {
            return false;
        }
    }
    return lexer_need(in(c), ")");
}

static bool call_rmw(struct compiler *c, const struct call *call,
                     struct operand *out)
{
    struct op op = new_op(c, OP_RMW);

    put_address(&op, &call->operands[0]);
    put_last(&op, &op.a, &call->operands[1]);
    op.alu = call->f->alu;
    op.order = call->orders[0];
    if (!temporary(c, &op.d))
        return false;
    add_op(c, op);
    *out = (struct operand){.reg = op.d};
    return true;
}

/* What it is compared with lies in memory, or in a local variable; there it
 * also puts what it read, if it fails. */
static bool call_cas(struct compiler *c, const struct call *call,
                     struct operand *out)
{
    struct op op = new_op(c, OP_CAS), branch = new_op(c, OP_BRANCH);
    struct operand expected = {.reg = call->local}, desired = call->operands[2];
    size_t jump;

    if (call->local < 0 && !load(c, call->operands[1], LITMUS_NA, &expected))
        return false;
    put_address(&op, &call->operands[0]);
    put_last(&op, &op.a, &desired);
    op.d = expected.reg;
    op.boolean = true;
    op.weak = call->f->alu;
    op.order = call->orders[0];
    op.failed = call->orders[1];
    if (!temporary(c, &op.d2))
        return false;
    add_op(c, op);
    *out = (struct operand){.reg = op.d2};
    if (call->local >= 0)
        return true;
    branch.alu = ALU_NE;
    branch.a = op.d2;
    branch.immediate = true;
    jump = add_op(c, branch);
    if (!store(c, call->operands[1], expected, LITMUS_NA))
        return false;
    land_here(c, jump);
    return true;
}

static bool call_fence(struct compiler *c, const struct call *call,
                       struct operand *out)
{
    struct op op = new_op(c, OP_FENCE);

    op.order = call->orders[0];
    op.fence = call->f->fence;
    if (op.fence || op.order > LITMUS_RLX)
        add_op(c, op);
    *out = (struct operand){.constant = true};
    return true;
}

/* An operation of an atomic type without an order is seq_cst. */
static bool take_call(struct compiler *c, const char *name, struct operand *out)
{
    struct call call = {.orders = {LITMUS_SC, LITMUS_SC}, .local = -1};
    size_t orders = 0;

    call.f = find_function(name, &orders);
    if (!call.f)
        return lexer_fail(in(c), "'%s' is a function that is not known", name);
    if (!take_arguments(c, &call, orders))
        return false;
    if (call.f->operands && !call.operands[0].element)
        return lexer_fail(in(c), "%s of what is no pointer", name);
    *out = (struct operand){.constant = true};
    switch (call.f->kind) {
    case OP_LOAD:
        return load(c, call.operands[0], call.orders[0], out);
    case OP_STORE:
        return store(c, call.operands[0], call.operands[1],
                     strcmp(call.f->name, "atomic_init") == 0 ? LITMUS_NA
                                                              : call.orders[0]);
    case OP_RMW:
        return call_rmw(c, &call, out);
    case OP_CAS:
        return call_cas(c, &call, out);
    default:
        return call_fence(c, &call, out);
    }
}

/* ---- expressions ---- */

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

static bool take_variable(struct compiler *c, const char *name,
                          struct operand *out)
{
    int reg;

    if (find_parameter(c, name, out))
        return true;
    reg = litmus_register(c->r->test, c->thread, name);
    *out = (struct operand){.reg = (int16_t)reg};
    return reg >= 0 || lexer_fail(in(c), "too many variables");
}

static bool take_primary(struct compiler *c, struct operand *out)
{
    const struct token *t = lexer_peek(in(c), 0);
    struct operand index;

    if (lexer_take(in(c), "("))
        return expression(c, out) && lexer_need(in(c), ")");
    if (t->kind == TOKEN_NUMBER) {
        *out = (struct operand){.constant = true, .number = t->number};
        in(c)->at++;
        return true;
    }
    if (t->kind != TOKEN_WORD)
        return lexer_fail(in(c), "an expression is missing");
    in(c)->at++;
    if (lexer_is(in(c), "("))
        return take_call(c, t->text, out);
    if (!take_variable(c, t->text, out))
        return false;
    if (!lexer_take(in(c), "["))
        return true;
    return expression(c, &index) && lexer_need(in(c), "]") &&
           add_up(c, ALU_ADD, *out, index, out) &&
           load(c, *out, plain_order(out), out);
}

static bool take_unary(struct compiler *c, struct operand *out)
{
    struct operand zero = {.constant = true};
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(in(c), "an expression that is too deep");
    if (lexer_take(in(c), "!"))
        ok = take_unary(c, out) && arithmetic(c, ALU_EQ, *out, zero, out);
    else if (lexer_take(in(c), "-"))
        ok = take_unary(c, out) && arithmetic(c, ALU_SUB, zero, *out, out);
    else if (lexer_take(in(c), "*"))
        ok = take_unary(c, out) && load(c, *out, plain_order(out), out);
    else if (lexer_take(in(c), "&")) /* &x of a parameter is no pointer to it */
        ok = take_unary(c, out);
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
        if (operators[i].level == level && lexer_is(in(c), operators[i].sign))
            return (int)i;
    return -1;
}

static bool take_binary(struct compiler *c, unsigned level, struct operand *out)
{
    struct operand right;
    int found;

    if (level == 0 ? !take_unary(c, out) : !take_binary(c, level - 1, out))
        return false;
    while ((found = find_operator(c, level)) >= 0) {
        enum alu alu = operators[found].alu;

        in(c)->at++;
        if (level == 0 ? !take_unary(c, &right)
                       : !take_binary(c, level - 1, &right))
            return false;
        if (level == 1 ? !add_up(c, alu, *out, right, out)
                       : !arithmetic(c, alu, *out, right, out))
            return false;
    }
    return true;
}

/* && and ||: the right side is a branch further. */
static bool take_logic(struct compiler *c, bool both, struct operand *out)
{
    const char *sign = both ? "&&" : "||";
    struct operand zero = {.constant = true}, right;
    struct op branch, copy;
    size_t jump;

    if (both ? !take_binary(c, LEVELS - 1, out) : !take_logic(c, true, out))
        return false;
    while (lexer_take(in(c), sign)) {
        if (!arithmetic(c, ALU_NE, *out, zero, out))
            return false;
        branch = new_op(c, OP_BRANCH);
        branch.alu = both ? ALU_EQ : ALU_NE;
        branch.a = out->reg;
        branch.immediate = true;
        jump = add_op(c, branch);
        if (both ? !take_binary(c, LEVELS - 1, &right)
                 : !take_logic(c, true, &right))
            return false;
        if (!arithmetic(c, ALU_NE, right, zero, &right))
            return false;
        copy = new_op(c, OP_ALU);
        copy.alu = ALU_ADD;
        copy.d = out->reg;
        copy.a = right.reg;
        add_op(c, copy);
        land_here(c, jump);
    }
    return true;
}

static bool expression(struct compiler *c, struct operand *out)
{
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(in(c), "an expression that is too deep");
    ok = take_logic(c, false, out);
    c->depth--;
    return ok;
}

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
    struct op op = new_op(c, OP_ALU);

    if (!expression(c, &value))
        return false;
    op.alu = ALU_OR;
    op.size = 8;
    op.d = reg;
    op.a = REGISTER_ZERO;
    put_last(&op, &op.b, &value);
    add_op(c, op);
    return true;
}

/* int r0 = e, r1; */
static bool declaration(struct compiler *c)
{
    while (is_type(lexer_peek(in(c), 0)->text))
        in(c)->at++;
    do {
        const char *name;
        int reg;

        while (lexer_take(in(c), "*"))
            ;
        if (!lexer_need_word(in(c), "a variable", &name))
            return false;
        reg = litmus_register(c->r->test, c->thread, name);
        if (reg < 0)
            return lexer_fail(in(c), "too many variables");
        if (lexer_take(in(c), "=") && !assign(c, (int16_t)reg))
            return false;
    } while (lexer_take(in(c), ","));
    return lexer_need(in(c), ";");
}

/* *x = e, x[i] = e */
static bool assign_memory(struct compiler *c)
{
    struct operand pointer, index = {.constant = true}, value;
    const char *name;

    if (lexer_take(in(c), "*")) {
        if (!take_unary(c, &pointer))
            return false;
    } else if (!lexer_need_word(in(c), "a variable", &name) ||
               !take_variable(c, name, &pointer) || !lexer_need(in(c), "[") ||
               !expression(c, &index) || !lexer_need(in(c), "]") ||
               !add_up(c, ALU_ADD, pointer, index, &pointer)) {
        return false;
    }
    return lexer_need(in(c), "=") && expression(c, &value) &&
           store(c, pointer, value, plain_order(&pointer));
}

static bool simple(struct compiler *c)
{
    const struct token *t = lexer_peek(in(c), 0);
    const char *next = lexer_peek(in(c), 1)->text;
    struct operand value;
    int reg;

    if (t->kind == TOKEN_WORD && strcmp(next, "=") == 0) {
        reg = litmus_register(c->r->test, c->thread, t->text);
        in(c)->at += 2;
        if (reg < 0)
            return lexer_fail(in(c), "too many variables");
        return assign(c, (int16_t)reg);
    }
    if (lexer_is(in(c), "*") || strcmp(next, "[") == 0)
        return assign_memory(c);
    return expression(c, &value);
}

/* A branch past what follows, unless the condition holds. */
static bool condition(struct compiler *c, size_t *jump)
{
    struct op branch;
    struct operand value;

    if (!lexer_need(in(c), "(") || !expression(c, &value) ||
        !lexer_need(in(c), ")") || !in_register(c, &value))
        return false;
    branch = new_op(c, OP_BRANCH);
    branch.alu = ALU_EQ;
    branch.a = value.reg;
    branch.immediate = true;
    *jump = add_op(c, branch);
    return true;
}

static bool if_else(struct compiler *c)
{
    size_t no, over;

    if (!condition(c, &no) || !statement(c))
        return false;
    if (!lexer_take(in(c), "else")) {
        land_here(c, no);
        return true;
    }
    over = add_op(c, new_op(c, OP_JUMP));
    land_here(c, no);
    if (!statement(c))
        return false;
    land_here(c, over);
    return true;
}

static bool loop(struct compiler *c)
{
    size_t first = c->thread->count, no;
    struct op back = new_op(c, OP_JUMP);

    if (!condition(c, &no) || !statement(c))
        return false;
    back.target = (uint32_t)first;
    add_op(c, back);
    land_here(c, no);
    return true;
}

static bool loop_first(struct compiler *c)
{
    size_t first = c->thread->count, no;
    struct op back = new_op(c, OP_JUMP);

    if (!statement(c) || !lexer_need(in(c), "while") || !condition(c, &no))
        return false;
    back.target = (uint32_t)first;
    add_op(c, back);
    land_here(c, no);
    return lexer_need(in(c), ";");
}

static bool block(struct compiler *c)
{
    while (!lexer_take(in(c), "}"))
        if (!statement(c))
            return false;
    return true;
}

static bool statement_inside(struct compiler *c)
{
    if (lexer_take(in(c), ";"))
        return true;
    if (lexer_take(in(c), "{"))
        return block(c);
    if (lexer_take(in(c), "if"))
        return if_else(c);
    if (lexer_take(in(c), "while"))
        return loop(c);
    if (lexer_take(in(c), "do"))
        return loop_first(c);
    if (lexer_take(in(c), "return")) {
        add_op(c, new_op(c, OP_STOP));
        return lexer_need(in(c), ";");
    }
    if (is_type(lexer_peek(in(c), 0)->text))
        return declaration(c);
    return simple(c) && lexer_need(in(c), ";");
}

static bool statement(struct compiler *c)
{
    bool ok;

    if (++c->depth > NESTING_MAX)
        return lexer_fail(in(c), "a statement that is too deep");
    c->temporaries = 0;
    ok = statement_inside(c);
    c->depth--;
    return ok;
}

/* ---- threads ---- */

/* atomic_int* x, volatile int* y */
static bool take_parameters(struct compiler *c)
{
    if (!lexer_need(in(c), "("))
        return false;
    while (!lexer_take(in(c), ")")) {
        bool atomic = false;
        const char *name;

        while (is_type(lexer_peek(in(c), 0)->text) || lexer_is(in(c), "*")) {
            atomic |= strstr(lexer_peek(in(c), 0)->text, "tomic") != NULL;
            in(c)->at++;
        }
        if (lexer_take(in(c), ","))
            continue;
        if (!lexer_need_word(in(c), "a parameter", &name))
            return false;
        VEC_PUSH_IN(arena_of(c), &c->parameters,
                    {name, litmus_location(c->r->test, name), atomic});
        lexer_take(in(c), ",");
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
