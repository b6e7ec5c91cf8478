/* SPDX-License-Identifier: MIT
 *
 * A recursive-descent reader for the restricted C of the litmus tests.  What
 * it does not know is an error, never skipped: a statement the oracle did not
 * see would make it agree with anything.
 */
#include "parse.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lex.h"
#include "outcomes.h"

struct parser {
    struct lexer lex;
    /* Everything in the file; a program takes the part it uses. */
    struct program all;
    struct thread *threads;
    size_t thread_count;
    struct programs *out;
    const char *file_name;
};

/* ---- names ---- */

static int find_reg(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < p->all.reg_count; i++)
        if (!strcmp(p->all.regs[i], name))
            return (int)i;
    return -1;
}

static int find_var(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < p->all.var_count; i++)
        if (!strcmp(p->all.vars[i].name, name))
            return (int)i;
    return -1;
}

static size_t find_thread(struct parser *p, const char *name)
{
    for (size_t i = 0; i < p->thread_count; i++)
        if (!strcmp(p->threads[i].name, name))
            return i;
    lex_fail(&p->lex, "no thread '%s'", name);
}

static int8_t take_reg(struct parser *p)
{
    int reg = find_reg(p, p->lex.token);

    if (reg < 0)
        lex_fail(&p->lex, "'%s' is no register", p->lex.token);
    lex_next(&p->lex);
    return (int8_t)reg;
}

/* x, or a part of a union cell: x.half[1]. */
static struct place take_place(struct parser *p, char *label)
{
    static const struct {
        const char *name;
        uint8_t size;
    } parts[] = {{"word", 4}, {"half", 2}, {"byte", 1}};
    int var = find_var(p, p->lex.token);
    struct place place = {0, 0, 4};

    if (var < 0)
        lex_fail(&p->lex, "'%s' is no variable", p->lex.token);
    place.var = (uint8_t)var;
    if (label)
        strcpy(label, p->lex.token);
    lex_next(&p->lex);
    if (p->all.vars[var].kind != VAR_CELL)
        return place;
    lex_expect(&p->lex, ".");
    if (lex_accept(&p->lex, "whole")) {
        place.size = 8;
        if (label)
            strcat(label, ".whole");
        return place;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!lex_accept(&p->lex, parts[i].name))
            continue;
        lex_expect(&p->lex, "[");
        place.size = parts[i].size;
        place.offset = (uint8_t)(lex_number(&p->lex) * place.size);
        lex_expect(&p->lex, "]");
        if (place.offset >= VAR_BYTES)
            lex_fail(&p->lex, "index beyond the cell");
        if (label)
            sprintf(label + strlen(label), ".%s[%d]", parts[i].name,
                    place.offset / place.size);
        return place;
    }
    lex_fail(&p->lex, "'%s' is no part of a cell", p->lex.token);
}

/* 1, r0, r0 + 1 */
static struct operand take_operand(struct parser *p)
{
    struct operand o = {-1, 0};

    if (p->lex.is_number) {
        o.constant = lex_number(&p->lex);
        return o;
    }
    o.reg = take_reg(p);
    if (lex_accept(&p->lex, "+"))
        o.constant = lex_number(&p->lex);
    return o;
}

static enum order take_order(struct parser *p)
{
    static const struct {
        const char *c11, *gnu;
    } names[ORDER_COUNT] = {
        [RELAXED] = {"memory_order_relaxed", "__ATOMIC_RELAXED"},
        [CONSUME] = {"memory_order_consume", "__ATOMIC_CONSUME"},
        [ACQUIRE] = {"memory_order_acquire", "__ATOMIC_ACQUIRE"},
        [RELEASE] = {"memory_order_release", "__ATOMIC_RELEASE"},
        [ACQ_REL] = {"memory_order_acq_rel", "__ATOMIC_ACQ_REL"},
        [SEQ_CST] = {"memory_order_seq_cst", "__ATOMIC_SEQ_CST"},
    };

    for (int i = RELAXED; i < ORDER_COUNT; i++)
        if (lex_accept(&p->lex, names[i].c11) ||
            lex_accept(&p->lex, names[i].gnu))
            return (enum order)i;
    lex_fail(&p->lex, "'%s' is no memory order", p->lex.token);
}

/* ---- statements ---- */

/* CALL(name, op, arguments, order or bits)
 * Arguments: p place, v value, e expected value, o order, f failure order,
 * m mutex, w semaphore, t thread, s order of a signal fence (ignored). */
static const struct call {
    const char *name;
    enum op_kind kind;
    const char *arguments;
    int extra; /* order where none is written; fence bits */
} calls[] = {
    {"__atomic_load_n", OP_LOAD, "po", 0},
    {"__atomic_store_n", OP_STORE, "pvo", 0},
    {"__atomic_exchange_n", OP_XCHG, "pvo", 0},
    {"__atomic_fetch_add", OP_ADD, "pvo", 0},
    {"cas", OP_CAS, "pevof", 0},
    {"atomic_load_explicit", OP_LOAD, "po", 0},
    {"atomic_store_explicit", OP_STORE, "pvo", 0},
    {"atomic_exchange_explicit", OP_XCHG, "pvo", 0},
    {"atomic_fetch_add_explicit", OP_ADD, "pvo", 0},
    {"atomic_load", OP_LOAD, "p", SEQ_CST},
    {"atomic_store", OP_STORE, "pv", SEQ_CST},
    {"atomic_exchange", OP_XCHG, "pv", SEQ_CST},
    {"atomic_fetch_add", OP_ADD, "pv", SEQ_CST},
    {"__sync_fetch_and_add", OP_ADD, "pv", SEQ_CST},
    {"__sync_lock_test_and_set", OP_XCHG, "pv", SEQ_CST},
    {"__sync_val_compare_and_swap", OP_CAS, "pev", SEQ_CST},
    {"__sync_lock_release", OP_STORE, "p", RELEASE},
    {"__sync_synchronize", OP_C11_FENCE, "", SEQ_CST},
    {"__atomic_thread_fence", OP_C11_FENCE, "o", 0},
    {"atomic_thread_fence", OP_C11_FENCE, "o", 0},
    {"__atomic_signal_fence", OP_NOTHING, "s", 0},
    {"atomic_signal_fence", OP_NOTHING, "s", 0},
    {"compiler_barrier", OP_NOTHING, "", 0},
    {"mfence", OP_C11_FENCE, "", SEQ_CST},
    {"fencer_fence_ss", OP_FENCE, "", SS},
    {"fencer_fence_sl", OP_FENCE, "", SL},
    {"fencer_fence_ll", OP_FENCE, "", LL},
    {"fencer_fence_ls", OP_FENCE, "", LS},
    {"fencer_fence_full", OP_FENCE, "", FULL},
    {"pthread_mutex_lock", OP_LOCK, "m", 0},
    {"pthread_mutex_trylock", OP_TRYLOCK, "m", 0},
    {"pthread_mutex_unlock", OP_UNLOCK, "m", 0},
    {"sem_post", OP_POST, "w", 0},
    {"sem_wait", OP_WAIT, "w", 0},
    {"trywait", OP_TRYWAIT, "w", 0},
    {"SPAWN", OP_SPAWN, "t", 0},
    {"JOIN", OP_JOIN, "t", 0},
    {"fencer_choose", OP_CHOOSE, "v", 0},
};

static struct op *add_op(struct parser *p, struct thread *t)
{
    struct op *op = &t->ops[t->op_count++];

    if (t->op_count > MAX_OPS)
        lex_fail(&p->lex, "thread '%s' is too long", t->name);
    memset(op, 0, sizeof *op);
    op->dest = op->dep = -1;
    op->value.reg = op->expected.reg = -1;
    op->line = (uint16_t)p->lex.line;
    return op;
}

/* &x, or dep(&x, r0): the same place, the address made to depend on r0. */
static void take_address(struct parser *p, struct op *op)
{
    bool depends = lex_accept(&p->lex, "dep");

    if (depends)
        lex_expect(&p->lex, "(");
    lex_expect(&p->lex, "&");
    op->place = take_place(p, NULL);
    if (depends) {
        lex_expect(&p->lex, ",");
        op->dep = take_reg(p);
        lex_expect(&p->lex, ")");
    }
}

static void take_object(struct parser *p, struct op *op, enum var_kind kind,
                        const char *words)
{
    lex_expect(&p->lex, "&");
    op->place = take_place(p, NULL);
    if (p->all.vars[op->place.var].kind != kind)
        lex_fail(&p->lex, "%s", words);
}

static void take_argument(struct parser *p, struct op *op, char kind)
{
    switch (kind) {
    case 'p':
        take_address(p, op);
        break;
    case 'm':
        take_object(p, op, VAR_MUTEX, "a mutex expected");
        break;
    case 'w':
        take_object(p, op, VAR_SEM, "a semaphore expected");
        break;
    case 'v':
        op->value = take_operand(p);
        break;
    case 'e':
        op->expected = take_operand(p);
        break;
    case 'o':
        op->order = (uint8_t)take_order(p);
        break;
    case 'f':
        op->fail_order = (uint8_t)take_order(p);
        break;
    case 's':
        take_order(p);
        break;
    case 't':
        op->target = (uint8_t)find_thread(p, p->lex.token);
        lex_next(&p->lex);
        break;
    }
}

static void take_call(struct parser *p, struct op *op)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const struct call *c = &calls[i];

        if (!lex_accept(&p->lex, c->name))
            continue;
        op->kind = (uint8_t)c->kind;
        if (c->kind == OP_FENCE)
            op->bits = (uint8_t)c->extra;
        else
            op->order = (uint8_t)c->extra;
        if (c->kind == OP_CAS)
            op->fail_order = (uint8_t)c->extra;
        lex_expect(&p->lex, "(");
        for (const char *a = c->arguments; *a; a++) {
            take_argument(p, op, *a);
            if (a[1])
                lex_expect(&p->lex, ",");
        }
        lex_expect(&p->lex, ")");
        return;
    }
    lex_fail(&p->lex, "'%s' is not known here", p->lex.token);
}

/* The order of `x = 1` or `r0 = x`. */
static uint8_t order_of_plain(const struct parser *p, struct place place)
{
    return p->all.vars[place.var].kind == VAR_ATOMIC ? SEQ_CST : PLAIN;
}

/* r0 = x; r0 = *dep(&x, r1); r0 = call(...); */
static void take_assignment_to_reg(struct parser *p, struct op *op)
{
    op->dest = take_reg(p);
    lex_expect(&p->lex, "=");
    if (lex_accept(&p->lex, "*")) {
        op->kind = OP_LOAD;
        take_address(p, op);
    } else if (find_var(p, p->lex.token) >= 0) {
        op->kind = OP_LOAD;
        op->place = take_place(p, NULL);
    } else {
        take_call(p, op);
        if (!op_loads(op) && op->kind != OP_TRYLOCK && op->kind != OP_TRYWAIT &&
            op->kind != OP_CHOOSE)
            lex_fail(&p->lex, "this has no value");
        return;
    }
    op->order = order_of_plain(p, op->place);
}

static void take_block(struct parser *p, struct thread *t);

static void take_if(struct parser *p, struct thread *t)
{
    struct op *op = add_op(p, t);
    size_t at = t->op_count;

    lex_expect(&p->lex, "(");
    op->kind = OP_IF;
    op->dest = take_reg(p);
    lex_expect(&p->lex, "==");
    op->value.constant = lex_number(&p->lex);
    lex_expect(&p->lex, ")");
    take_block(p, t);
    op->skip = (uint8_t)(t->op_count - at);
}

static void take_atomic(struct parser *p, struct thread *t)
{
    struct op *op = add_op(p, t);
    size_t at = t->op_count;

    op->kind = OP_ATOMIC;
    take_block(p, t);
    op->skip = (uint8_t)(t->op_count - at);
    for (size_t i = at; i < t->op_count; i++)
        if ((t->ops[i].kind != OP_LOAD && t->ops[i].kind != OP_STORE) ||
            t->ops[i].order != PLAIN)
            lex_fail(&p->lex, "only plain accesses in fencer_atomic");
}

/* while (x == 0); without a body: an await. */
static void take_await(struct parser *p, struct op *op)
{
    op->kind = OP_AWAIT;
    lex_expect(&p->lex, "(");
    op->place = take_place(p, NULL);
    op->order = order_of_plain(p, op->place);
    op->bits = lex_accept(&p->lex, "==");
    if (!op->bits)
        lex_expect(&p->lex, "!=");
    op->value.constant = lex_number(&p->lex);
    lex_expect(&p->lex, ")");
}

static void take_statement(struct parser *p, struct thread *t)
{
    struct op *op;

    if (lex_accept(&p->lex, "if")) {
        take_if(p, t);
        return;
    }
    if (lex_accept(&p->lex, "fencer_atomic")) {
        take_atomic(p, t);
        return;
    }
    op = add_op(p, t);
    if (lex_accept(&p->lex, "while")) {
        take_await(p, op);
    } else if (find_reg(p, p->lex.token) >= 0) {
        take_assignment_to_reg(p, op);
    } else if (find_var(p, p->lex.token) >= 0) {
        op->kind = OP_STORE;
        op->place = take_place(p, NULL);
        op->order = order_of_plain(p, op->place);
        lex_expect(&p->lex, "=");
        op->value = take_operand(p);
    } else {
        take_call(p, op);
    }
    op->last_line = (uint16_t)p->lex.line;
    lex_expect(&p->lex, ";");
}

static void take_block(struct parser *p, struct thread *t)
{
    lex_expect(&p->lex, "{");
    while (!lex_accept(&p->lex, "}"))
        take_statement(p, t);
}

static void take_thread(struct parser *p)
{
    struct thread *t;

    p->threads = realloc(p->threads, (p->thread_count + 1) * sizeof *t);
    REQUIRE(p->threads, "out of memory");
    t = &p->threads[p->thread_count];
    memset(t, 0, sizeof *t);
    lex_expect(&p->lex, "(");
    lex_name(&p->lex, t->name);
    lex_expect(&p->lex, ")");
    take_block(p, t);
    p->thread_count++;
}

/* ---- declarations ---- */

static void take_registers(struct parser *p)
{
    lex_expect(&p->lex, "long");
    do {
        if (p->all.reg_count == MAX_REGS)
            lex_fail(&p->lex, "too many registers");
        lex_name(&p->lex, p->all.regs[p->all.reg_count++]);
    } while (lex_accept(&p->lex, ","));
    lex_expect(&p->lex, ";");
}

static void take_variables(struct parser *p, enum var_kind kind)
{
    do {
        struct var *v = &p->all.vars[p->all.var_count];

        if (p->all.var_count == MAX_VARS)
            lex_fail(&p->lex, "too many variables");
        memset(v, 0, sizeof *v);
        v->kind = kind;
        lex_name(&p->lex, v->name);
        p->all.var_count++;
        if (!lex_accept(&p->lex, "="))
            continue;
        if (kind == VAR_MUTEX)
            lex_expect(&p->lex, "PTHREAD_MUTEX_INITIALIZER");
        else if (kind == VAR_CELL || kind == VAR_SEM)
            lex_fail(&p->lex, "it begins as zero");
        else
            v->initial = lex_number(&p->lex);
    } while (lex_accept(&p->lex, ","));
    lex_expect(&p->lex, ";");
}

/* ---- conditions, into postfix ---- */

static void add_term(struct parser *p, struct program *q, enum term_kind kind,
                     uint64_t value)
{
    if (q->term_count == MAX_TERMS)
        lex_fail(&p->lex, "condition too long");
    q->terms[q->term_count++] = (struct term){kind, value};
}

static bool take_observed(struct parser *p, struct observed *o)
{
    int reg = find_reg(p, p->lex.token);

    memset(o, 0, sizeof *o);
    o->reg = (int8_t)reg;
    if (reg >= 0)
        lex_name(&p->lex, o->label);
    else if (find_var(p, p->lex.token) >= 0)
        o->place = take_place(p, o->label);
    else
        return false;
    return true;
}

static void take_condition(struct parser *p, struct program *q);

static void take_comparison(struct parser *p, struct program *q)
{
    struct observed o;
    size_t i = 0;
    bool equal;

    if (lex_accept(&p->lex, "(")) {
        take_condition(p, q);
        lex_expect(&p->lex, ")");
        return;
    }
    if (!take_observed(p, &o))
        lex_fail(&p->lex, "'%s' is not observed", p->lex.token);
    while (i < q->observed_count && strcmp(q->observed[i].label, o.label))
        i++;
    if (i == q->observed_count)
        lex_fail(&p->lex, "'%s' is not observed", o.label);
    add_term(p, q, TERM_OBSERVED, i);
    equal = lex_accept(&p->lex, "==");
    if (!equal)
        lex_expect(&p->lex, "!=");
    add_term(p, q, TERM_CONSTANT, lex_number(&p->lex));
    add_term(p, q, equal ? TERM_EQ : TERM_NE, 0);
}

static void take_conjunction(struct parser *p, struct program *q)
{
    take_comparison(p, q);
    while (lex_accept(&p->lex, "&&")) {
        take_comparison(p, q);
        add_term(p, q, TERM_AND, 0);
    }
}

static void take_condition(struct parser *p, struct program *q)
{
    take_conjunction(p, q);
    while (lex_accept(&p->lex, "||")) {
        take_conjunction(p, q);
        add_term(p, q, TERM_OR, 0);
    }
}

/* ---- programs ---- */

/* Thread `from` of the file becomes one of q's. */
static size_t adopt(struct parser *p, struct program *q, size_t from)
{
    size_t at;

    for (at = 0; at < q->thread_count; at++)
        if (!strcmp(q->threads[at].name, p->threads[from].name))
            return at;
    if (q->thread_count == MAX_THREADS)
        lex_fail(&p->lex, "too many threads");
    q->threads[q->thread_count++] = p->threads[from];
    return at;
}

/* So do the threads that those start; they stand after them.  Each must be
 * waited for, else the program could look before it has ended. */
static void adopt_spawned(struct parser *p, struct program *q)
{
    int waits = 0;

    for (size_t t = 0; t < q->thread_count; t++)
        for (size_t i = 0; i < q->threads[t].op_count; i++) {
            struct op *op = &q->threads[t].ops[i];

            if (op->kind != OP_SPAWN && op->kind != OP_JOIN)
                continue;
            op->target = (uint8_t)adopt(p, q, op->target);
            waits += op->kind == OP_JOIN ? 1 : -1;
        }
    if (waits)
        lex_fail(&p->lex, "a thread is started and not waited for");
}

static void take_program(struct parser *p, bool is_litmus)
{
    struct program *q;

    p->out->list = realloc(p->out->list, (p->out->count + 1) * sizeof *q);
    REQUIRE(p->out->list, "out of memory");
    q = &p->out->list[p->out->count];
    *q = p->all;
    lex_expect(&p->lex, "(");
    if (is_litmus) {
        snprintf(q->name, MAX_NAME, "%s", p->file_name);
    } else {
        lex_name(&p->lex, q->name);
        lex_expect(&p->lex, ",");
    }
    do {
        q->threads[adopt(p, q, find_thread(p, p->lex.token))].started = true;
        lex_next(&p->lex);
    } while (lex_accept(&p->lex, ","));
    adopt_spawned(p, q);
    lex_expect(&p->lex, ")");
    lex_expect(&p->lex, "{");
    while (!lex_accept(&p->lex, "}")) {
        bool observe = lex_accept(&p->lex, "OBSERVE");

        if (!observe)
            lex_expect(&p->lex, "EXISTS");
        lex_expect(&p->lex, "(");
        if (!observe)
            take_condition(p, q);
        else if (q->observed_count == MAX_OBSERVED ||
                 !take_observed(p, &q->observed[q->observed_count++]))
            lex_fail(&p->lex, "cannot observe '%s'", p->lex.token);
        lex_expect(&p->lex, ")");
        lex_expect(&p->lex, ";");
    }
    p->out->count++;
}

static void take_batch(struct parser *p)
{
    lex_expect(&p->lex, "(");
    for (size_t i = 0; i < p->out->count; i++) {
        if (i)
            lex_expect(&p->lex, ",");
        lex_expect(&p->lex, p->out->list[i].name);
    }
    lex_expect(&p->lex, ")");
}

/* "sc: never" and so on in the head comment. */
static void take_verdicts(struct parser *p, const char *text)
{
    const char *end = strstr(text, "*/");

    for (int m = 0; m < MODEL_COUNT; m++) {
        char key[16];
        const char *at;

        snprintf(key, sizeof key, "\n * %s:", model_names[m]);
        at = strstr(text, key);
        if (!at || !end || at > end)
            continue;
        at += strlen(key);
        at += strspn(at, " ");
        p->all.verdict[m] = !strncmp(at, "never\n", 6)        ? NEVER
                            : !strncmp(at, "sometimes\n", 10) ? SOMETIMES
                            : !strncmp(at, "always\n", 7)     ? ALWAYS
                                                              : VERDICT_NONE;
        if (!p->all.verdict[m])
            lex_fail(&p->lex, "verdict of %s not understood", model_names[m]);
    }
}

/* "c11: never", or with ", race". */
static void take_language(struct parser *p, const char *text)
{
    static const char key[] = "\n * c11: ";
    const char *end = strstr(text, "*/"), *at = strstr(text, key);
    size_t n;

    if (!at || !end || at > end)
        return;
    at += strlen(key);
    for (int v = NEVER; v <= ALWAYS; v++) {
        n = strlen(verdict_names[v]);
        if (strncmp(at, verdict_names[v], n))
            continue;
        p->all.language = (enum verdict)v;
        p->all.language_races = !strncmp(at + n, ", race\n", 7);
        if (at[n] == '\n' || p->all.language_races)
            return;
    }
    lex_fail(&p->lex, "verdict of c11 not understood");
}

static void take_item(struct parser *p)
{
    if (lex_accept(&p->lex, "THREAD")) {
        take_thread(p);
    } else if (lex_accept(&p->lex, "LITMUS")) {
        take_program(p, true);
    } else if (lex_accept(&p->lex, "PROGRAM")) {
        take_program(p, false);
    } else if (lex_accept(&p->lex, "BATCH")) {
        take_batch(p);
    } else if (lex_accept(&p->lex, "fencer_ghost")) {
        take_registers(p);
    } else if (lex_accept(&p->lex, "int")) {
        take_variables(p, VAR_INT);
    } else if (lex_accept(&p->lex, "_Atomic")) {
        lex_expect(&p->lex, "int");
        take_variables(p, VAR_ATOMIC);
    } else if (lex_accept(&p->lex, "union")) {
        lex_expect(&p->lex, "cell");
        take_variables(p, VAR_CELL);
    } else if (lex_accept(&p->lex, "pthread_mutex_t")) {
        take_variables(p, VAR_MUTEX);
    } else if (lex_accept(&p->lex, "sem_t")) {
        take_variables(p, VAR_SEM);
    } else {
        lex_fail(&p->lex, "'%s' is not known here", p->lex.token);
    }
}

bool parse_text(const char *text, const char *name, struct programs *out,
                char *error, size_t error_size)
{
    struct parser *p = calloc(1, sizeof *p);
    bool ok = false;

    REQUIRE(p, "out of memory");
    memset(out, 0, sizeof *out);
    p->lex.at = text;
    p->lex.line = 1;
    p->lex.error = error;
    p->lex.error_size = error_size;
    p->out = out;
    p->file_name = name;
    if (!setjmp(p->lex.failed)) {
        take_verdicts(p, text);
        take_language(p, text);
        lex_next(&p->lex);
        while (p->lex.token[0])
            take_item(p);
        ok = true;
    } else {
        programs_free(out);
    }
    free(p->threads);
    free(p);
    return ok;
}

static char *read_whole(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!f)
        return NULL;
    if (getdelim(&text, &size, 0, f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

bool parse_file(const char *path, struct programs *out, char *error,
                size_t error_size)
{
    const char *slash = strrchr(path, '/');
    char *text = read_whole(path), name[256];
    bool ok;

    if (!text) {
        snprintf(error, error_size, "cannot read it");
        return false;
    }
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    if (strlen(name) > 2 && !strcmp(name + strlen(name) - 2, ".c"))
        name[strlen(name) - 2] = 0;
    ok = parse_text(text, name, out, error, error_size);
    free(text);
    return ok;
}

void programs_free(struct programs *p)
{
    free(p->list);
    memset(p, 0, sizeof *p);
}
