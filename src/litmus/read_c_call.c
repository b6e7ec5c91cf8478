/* SPDX-License-Identifier: MIT
 *
 * Calls of C: a row for each function of stdatomic.h that is known, and for
 * Fencer's fences.
 */
#include <string.h>

#include "litmus/read_c_inside.h"
#include "model/axioms.h"

struct function {
    const char *name;
    uint8_t kind, alu; /* enum inst_kind, enum alu */
    uint8_t operands;  /* without orders */
    uint8_t fence;     /* one of Fencer's */
};

static const struct function functions[] = {
    {"atomic_load", INST_LOAD, 0, 1, 0},
    {"atomic_store", INST_STORE, 0, 2, 0},
    {"atomic_init", INST_STORE, 0, 2, 0},
    {"atomic_exchange", INST_RMW, ALU_SWAP, 2, 0},
    {"atomic_fetch_add", INST_RMW, ALU_ADD, 2, 0},
    {"atomic_fetch_sub", INST_RMW, ALU_SUB, 2, 0},
    {"atomic_fetch_or", INST_RMW, ALU_OR, 2, 0},
    {"atomic_fetch_and", INST_RMW, ALU_AND, 2, 0},
    {"atomic_fetch_xor", INST_RMW, ALU_XOR, 2, 0},
    {"atomic_compare_exchange_strong", INST_CAS, 0, 3, 0},
    {"atomic_compare_exchange_weak", INST_CAS, 1, 3, 0},
    {"atomic_thread_fence", INST_FENCE, 0, 0, 0},
    {"fencer_fence_ss", INST_FENCE, 0, 0, MAPPED_FENCE_SS},
    {"fencer_fence_ll", INST_FENCE, 0, 0, MAPPED_FENCE_LL},
    {"fencer_fence_sl", INST_FENCE, 0, 0, MAPPED_FENCE_SL},
    {"fencer_fence_ls", INST_FENCE, 0, 0, MAPPED_FENCE_LS},
    {"fencer_fence_full", INST_FENCE, 0, 0, MAPPED_FENCE_FULL},
};

/* The row of that name; *orders: how many follow its operands. */
static const struct function *find_function(const char *name, size_t *orders)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        const struct function *f = &functions[i];
        size_t n = strlen(f->name);
        size_t wanted = f->kind == INST_CAS ? 2 : 1;

        if (strncmp(f->name, name, n) != 0)
            continue;
        *orders = strcmp(name + n, "_explicit") == 0 ? wanted : 0;
        if (f->kind == INST_FENCE && !f->fence)
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

    if (!lexer_need_word(c_in(c), "a memory order", &word))
        return false;
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        if (strncmp(word, "memory_order_", 13) == 0 &&
            strcmp(word + 13, orders[i].name) == 0) {
            *order = orders[i].order;
            return true;
        }
    }
    return lexer_fail(c_in(c), "'%s' is no memory order", word);
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
    const struct token *name = lexer_peek(c_in(c), 1);
    int reg;

    if (!lexer_is(c_in(c), "&") || name->kind != TOKEN_WORD)
        return false;
    for (size_t i = 0; i < c->parameters.count; i++)
        if (strcmp(c->parameters.list[i].name, name->text) == 0)
            return false;
    reg = litmus_register(c->r->test, c->thread, name->text);
    c_in(c)->at += 2;
    call->local = (int16_t)reg;
    return reg >= 0;
}

static bool take_arguments(struct compiler *c, struct call *call, size_t orders)
{
    size_t n = call->f->operands + orders;

    if (!lexer_need(c_in(c), "("))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i && !lexer_need(c_in(c), ","))
            return false;
        if (i >= call->f->operands) {
            if (!take_order(c, &call->orders[i - call->f->operands]))
                return false;
        } else if (!(call->f->kind == INST_CAS && i == 1 &&
                     take_local_address(c, call)) &&
                   !c_expression(c, &call->operands[i])) {
            return false;
        }
    }
    return lexer_need(c_in(c), ")");
}

static bool call_rmw(struct compiler *c, const struct call *call,
                     struct operand *out)
{
    struct inst op = c_new_op(c, INST_RMW);

    c_put_address(&op, &call->operands[0]);
    c_put_last(&op, &op.a, &call->operands[1]);
    op.alu = call->f->alu;
    op.order = call->orders[0];
    if (!c_temporary(c, &op.d))
        return false;
    c_add_op(c, op);
    *out = (struct operand){.reg = op.d};
    return true;
}

/* What it is compared with lies in memory, or in a local variable; there it
 * also puts what it read, if it fails. */
static bool call_cas(struct compiler *c, const struct call *call,
                     struct operand *out)
{
    struct inst op = c_new_op(c, INST_CAS), branch = c_new_op(c, INST_BRANCH);
    struct operand expected = {.reg = call->local}, desired = call->operands[2];
    size_t jump;

    if (call->local < 0 && !c_load(c, call->operands[1], LITMUS_NA, &expected))
        return false;
    c_put_address(&op, &call->operands[0]);
    c_put_last(&op, &op.a, &desired);
    op.d = expected.reg;
    op.boolean = true;
    op.weak = call->f->alu;
    op.order = call->orders[0];
    op.failed = call->orders[1];
    if (!c_temporary(c, &op.d2))
        return false;
    c_add_op(c, op);
    *out = (struct operand){.reg = op.d2};
    if (call->local >= 0)
        return true;
    branch.alu = ALU_NE;
    branch.a = op.d2;
    branch.immediate = true;
    jump = c_add_op(c, branch);
    if (!c_store(c, call->operands[1], expected, LITMUS_NA))
        return false;
    c_land_here(c, jump);
    return true;
}

static bool call_fence(struct compiler *c, const struct call *call,
                       struct operand *out)
{
    struct inst op = c_new_op(c, INST_FENCE);

    op.order = call->orders[0];
    op.fence = call->f->fence;
    if (op.fence || op.order > LITMUS_RLX)
        c_add_op(c, op);
    *out = (struct operand){.constant = true};
    return true;
}

static bool is_of_linux(const char *name)
{
    static const char *const words[] = {
        "READ_ONCE",   "WRITE_ONCE",     "smp_",
        "spin_",       "rcu_",           "srcu_",
        "xchg",        "cmpxchg",        "synchronize_rcu",
        "atomic_read", "atomic_set",     "atomic_add",
        "atomic_sub",  "atomic_inc",     "atomic_dec",
        "atomic_xchg", "atomic_cmpxchg", "atomic_test",
        "atomic_or",   "atomic_and",     "__atomic_",
        "atomic_long_"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* An operation of an atomic type without an order is seq_cst. */
bool c_call(struct compiler *c, const char *name, struct operand *out)
{
    struct call call = {.orders = {LITMUS_SC, LITMUS_SC}, .local = -1};
    size_t orders = 0;

    call.f = find_function(name, &orders);
    if (!call.f && is_of_linux(name))
        return lexer_fail(c_in(c),
                          "'%s' has a meaning in the Linux kernel's memory "
                          "model, which is not modelled,",
                          name);
    if (!call.f)
        return lexer_fail(c_in(c), "'%s' is a function that is not known",
                          name);
    if (!take_arguments(c, &call, orders))
        return false;
    if (call.f->operands && !call.operands[0].element)
        return lexer_fail(c_in(c), "%s of what is no pointer", name);
    *out = (struct operand){.constant = true};
    switch (call.f->kind) {
    case INST_LOAD:
        return c_load(c, call.operands[0], call.orders[0], out);
    case INST_STORE:
        return c_store(c, call.operands[0], call.operands[1],
                       strcmp(call.f->name, "atomic_init") == 0
                           ? LITMUS_NA
                           : call.orders[0]);
    case INST_RMW:
        return call_rmw(c, &call, out);
    case INST_CAS:
        return call_cas(c, &call, out);
    default:
        return call_fence(c, &call, out);
    }
}
