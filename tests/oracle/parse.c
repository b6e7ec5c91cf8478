/* SPDX-License-Identifier: MIT
 *
 * A recursive-descent reader for the restricted C of the litmus tests.  What
 * it does not know is an error, never skipped: a statement the oracle did not
 * see would make it agree with anything.
 */
#include "parse.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    int line;
    char token[64]; /* the current one; empty at the end */
    bool is_name, is_number;
    uint64_t number;
    jmp_buf failed;
    char *error;
    size_t error_size;
    /* Everything in the file; a program takes the part it uses. */
    struct program all;
    struct thread *threads;
    size_t thread_count;
    struct programs *out;
    const char *file_name;
};

_Noreturn static void fail(struct parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

_Noreturn static void fail(struct parser *p, const char *format, ...)
{
    int used = snprintf(p->error, p->error_size, "line %d: ", p->line);
    va_list args;

    va_start(args, format);
    vsnprintf(p->error + used, p->error_size - (size_t)used, format, args);
    va_end(args);
    longjmp(p->failed, 1);
}

/* ---- tokens ---- */

static void skip_to(struct parser *p, const char *end)
{
    while (*p->at && strncmp(p->at, end, strlen(end)))
        p->line += *p->at++ == '\n';
    p->at += *p->at ? strlen(end) : 0;
}

static void skip_space(struct parser *p)
{
    for (;;) {
        while (isspace((unsigned char)*p->at))
            p->line += *p->at++ == '\n';
        if (!strncmp(p->at, "/*", 2)) {
            skip_to(p, "*/");
        } else if (!strncmp(p->at, "//", 2) || *p->at == '#') {
            skip_to(p, "\n");
            p->line++;
        } else {
            return;
        }
    }
}

static void next(struct parser *p)
{
    static const char *const pairs[] = {"==", "!=", "&&", "||"};
    size_t length = 0;

    skip_space(p);
    p->is_name = isalpha((unsigned char)*p->at) || *p->at == '_';
    p->is_number = isdigit((unsigned char)*p->at);
    if (p->is_name || p->is_number)
        while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
            length++;
    else if (*p->at)
        length = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strncmp(p->at, pairs[i], 2))
            length = 2;
    if (length >= sizeof p->token)
        fail(p, "a word of %zu letters", length);
    memcpy(p->token, p->at, length);
    p->token[length] = 0;
    if (p->is_number)
        p->number = strtoull(p->token, NULL, 0);
    p->at += length;
}

static bool is(const struct parser *p, const char *text)
{
    return !strcmp(p->token, text);
}

static bool accept(struct parser *p, const char *text)
{
    if (!is(p, text))
        return false;
    next(p);
    return true;
}

static void expect(struct parser *p, const char *text)
{
    if (!accept(p, text))
        fail(p, "'%s' expected, not '%s'", text, p->token);
}

static void take_name(struct parser *p, char name[MAX_NAME])
{
    if (!p->is_name || strlen(p->token) >= MAX_NAME)
        fail(p, "a name expected, not '%s'", p->token);
    strcpy(name, p->token);
    next(p);
}

static uint64_t take_number(struct parser *p)
{
    uint64_t value = p->number;

    if (!p->is_number)
        fail(p, "a number expected, not '%s'", p->token);
    next(p);
    return value;
}

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
    fail(p, "no thread '%s'", name);
}

static int8_t take_reg(struct parser *p)
{
    int reg = find_reg(p, p->token);

    if (reg < 0)
        fail(p, "'%s' is no register", p->token);
    next(p);
    return (int8_t)reg;
}

/* x, or a part of a union cell: x.half[1]. */
static struct place take_place(struct parser *p, char *label)
{
    static const struct {
        const char *name;
        uint8_t size;
    } parts[] = {{"word", 4}, {"half", 2}, {"byte", 1}};
    int var = find_var(p, p->token);
    struct place place = {0, 0, 4};

    if (var < 0)
        fail(p, "'%s' is no variable", p->token);
    place.var = (uint8_t)var;
    if (label)
        strcpy(label, p->token);
    next(p);
    if (p->all.vars[var].kind != VAR_CELL)
        return place;
    expect(p, ".");
    if (accept(p, "whole")) {
        place.size = 8;
        if (label)
            strcat(label, ".whole");
        return place;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!accept(p, parts[i].name))
            continue;
        expect(p, "[");
        place.size = parts[i].size;
        place.offset = (uint8_t)(take_number(p) * place.size);
        expect(p, "]");
        if (place.offset >= VAR_BYTES)
            fail(p, "index beyond the cell");
        if (label)
            sprintf(label + strlen(label), ".%s[%d]", parts[i].name,
                    place.offset / place.size);
        return place;
    }
    fail(p, "'%s' is no part of a cell", p->token);
}

/* 1, r0, r0 + 1 */
static struct operand take_operand(struct parser *p)
{
    struct operand o = {-1, 0};

    if (p->is_number) {
        o.constant = take_number(p);
        return o;
    }
    o.reg = take_reg(p);
    if (accept(p, "+"))
        o.constant = take_number(p);
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
        if (accept(p, names[i].c11) || accept(p, names[i].gnu))
            return (enum order)i;
    fail(p, "'%s' is no memory order", p->token);
}

/* ---- statements ---- */

/* CALL(name, op, arguments, order or bits)
 * Arguments: p place, v value, e expected value, o order, f failure order,
 * m mutex, t thread, s order of a signal fence (ignored). */
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
    {"SPAWN", OP_SPAWN, "t", 0},
    {"JOIN", OP_JOIN, "t", 0},
};

static struct op *add_op(struct parser *p, struct thread *t)
{
    struct op *op = &t->ops[t->op_count++];

    if (t->op_count > MAX_OPS)
        fail(p, "thread '%s' is too long", t->name);
    memset(op, 0, sizeof *op);
    op->dest = op->dep = -1;
    op->value.reg = op->expected.reg = -1;
    return op;
}

/* &x, or dep(&x, r0): the same place, the address made to depend on r0. */
static void take_address(struct parser *p, struct op *op)
{
    bool depends = accept(p, "dep");

    if (depends)
        expect(p, "(");
    expect(p, "&");
    op->place = take_place(p, NULL);
    if (depends) {
        expect(p, ",");
        op->dep = take_reg(p);
        expect(p, ")");
    }
}

static void take_argument(struct parser *p, struct op *op, char kind)
{
    switch (kind) {
    case 'p':
        take_address(p, op);
        break;
    case 'm':
        expect(p, "&");
        op->place = take_place(p, NULL);
        if (p->all.vars[op->place.var].kind != VAR_MUTEX)
            fail(p, "a mutex expected");
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
        op->target = (uint8_t)find_thread(p, p->token);
        next(p);
        break;
    }
}

static void take_call(struct parser *p, struct op *op)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const struct call *c = &calls[i];

        if (!accept(p, c->name))
            continue;
        op->kind = (uint8_t)c->kind;
        if (c->kind == OP_FENCE)
            op->bits = (uint8_t)c->extra;
        else
            op->order = (uint8_t)c->extra;
        if (c->kind == OP_CAS)
            op->fail_order = (uint8_t)c->extra;
        expect(p, "(");
        for (const char *a = c->arguments; *a; a++) {
            take_argument(p, op, *a);
            if (a[1])
                expect(p, ",");
        }
        expect(p, ")");
        return;
    }
    fail(p, "'%s' is not known here", p->token);
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
    expect(p, "=");
    if (accept(p, "*")) {
        op->kind = OP_LOAD;
        take_address(p, op);
    } else if (find_var(p, p->token) >= 0) {
        op->kind = OP_LOAD;
        op->place = take_place(p, NULL);
    } else {
        take_call(p, op);
        if (!op_loads(op) && op->kind != OP_TRYLOCK)
            fail(p, "this has no value");
        return;
    }
    op->order = order_of_plain(p, op->place);
}

static void take_block(struct parser *p, struct thread *t);

static void take_if(struct parser *p, struct thread *t)
{
    struct op *op = add_op(p, t);
    size_t at = t->op_count;

    expect(p, "(");
    op->kind = OP_IF;
    op->dest = take_reg(p);
    expect(p, "==");
    op->value.constant = take_number(p);
    expect(p, ")");
    take_block(p, t);
    op->skip = (uint8_t)(t->op_count - at);
}

static void take_statement(struct parser *p, struct thread *t)
{
    struct op *op;

    if (accept(p, "if")) {
        take_if(p, t);
        return;
    }
    op = add_op(p, t);
    if (find_reg(p, p->token) >= 0) {
        take_assignment_to_reg(p, op);
    } else if (find_var(p, p->token) >= 0) {
        op->kind = OP_STORE;
        op->place = take_place(p, NULL);
        op->order = order_of_plain(p, op->place);
        expect(p, "=");
        op->value = take_operand(p);
    } else {
        take_call(p, op);
    }
    expect(p, ";");
}

static void take_block(struct parser *p, struct thread *t)
{
    expect(p, "{");
    while (!accept(p, "}"))
        take_statement(p, t);
}

static void take_thread(struct parser *p)
{
    struct thread *t;

    p->threads = realloc(p->threads, (p->thread_count + 1) * sizeof *t);
    REQUIRE(p->threads, "out of memory");
    t = &p->threads[p->thread_count];
    memset(t, 0, sizeof *t);
    expect(p, "(");
    take_name(p, t->name);
    expect(p, ")");
    take_block(p, t);
    p->thread_count++;
}

/* ---- declarations ---- */

static void take_registers(struct parser *p)
{
    expect(p, "long");
    do {
        if (p->all.reg_count == MAX_REGS)
            fail(p, "too many registers");
        take_name(p, p->all.regs[p->all.reg_count++]);
    } while (accept(p, ","));
    expect(p, ";");
}

static void take_variables(struct parser *p, enum var_kind kind)
{
    do {
        struct var *v = &p->all.vars[p->all.var_count];

        if (p->all.var_count == MAX_VARS)
            fail(p, "too many variables");
        memset(v, 0, sizeof *v);
        v->kind = kind;
        take_name(p, v->name);
        p->all.var_count++;
        if (!accept(p, "="))
            continue;
        if (kind == VAR_MUTEX)
            expect(p, "PTHREAD_MUTEX_INITIALIZER");
        else if (kind == VAR_CELL)
            fail(p, "a cell begins as zero");
        else
            v->initial = take_number(p);
    } while (accept(p, ","));
    expect(p, ";");
}

/* ---- conditions, into postfix ---- */

static void add_term(struct parser *p, struct program *q, enum term_kind kind,
                     uint64_t value)
{
    if (q->term_count == MAX_TERMS)
        fail(p, "condition too long");
    q->terms[q->term_count++] = (struct term){kind, value};
}

static bool take_observed(struct parser *p, struct observed *o)
{
    int reg = find_reg(p, p->token);

    memset(o, 0, sizeof *o);
    o->reg = (int8_t)reg;
    if (reg >= 0)
        take_name(p, o->label);
    else if (find_var(p, p->token) >= 0)
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

    if (accept(p, "(")) {
        take_condition(p, q);
        expect(p, ")");
        return;
    }
    if (!take_observed(p, &o))
        fail(p, "'%s' is not observed", p->token);
    while (i < q->observed_count && strcmp(q->observed[i].label, o.label))
        i++;
    if (i == q->observed_count)
        fail(p, "'%s' is not observed", o.label);
    add_term(p, q, TERM_OBSERVED, i);
    equal = accept(p, "==");
    if (!equal)
        expect(p, "!=");
    add_term(p, q, TERM_CONSTANT, take_number(p));
    add_term(p, q, equal ? TERM_EQ : TERM_NE, 0);
}

static void take_conjunction(struct parser *p, struct program *q)
{
    take_comparison(p, q);
    while (accept(p, "&&")) {
        take_comparison(p, q);
        add_term(p, q, TERM_AND, 0);
    }
}

static void take_condition(struct parser *p, struct program *q)
{
    take_conjunction(p, q);
    while (accept(p, "||")) {
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
        fail(p, "too many threads");
    q->threads[q->thread_count++] = p->threads[from];
    return at;
}

/* So do the threads that those start; they stand behind them.  Each must be
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
        fail(p, "a thread is started and not waited for");
}

static void take_program(struct parser *p, bool is_litmus)
{
    struct program *q;

    p->out->list = realloc(p->out->list, (p->out->count + 1) * sizeof *q);
    REQUIRE(p->out->list, "out of memory");
    q = &p->out->list[p->out->count];
    *q = p->all;
    expect(p, "(");
    if (is_litmus) {
        snprintf(q->name, MAX_NAME, "%s", p->file_name);
    } else {
        take_name(p, q->name);
        expect(p, ",");
    }
    do {
        q->threads[adopt(p, q, find_thread(p, p->token))].started = true;
        next(p);
    } while (accept(p, ","));
    adopt_spawned(p, q);
    expect(p, ")");
    expect(p, "{");
    while (!accept(p, "}")) {
        bool observe = accept(p, "OBSERVE");

        if (!observe)
            expect(p, "EXISTS");
        expect(p, "(");
        if (!observe)
            take_condition(p, q);
        else if (q->observed_count == MAX_OBSERVED ||
                 !take_observed(p, &q->observed[q->observed_count++]))
            fail(p, "cannot observe '%s'", p->token);
        expect(p, ")");
        expect(p, ";");
    }
    p->out->count++;
}

static void take_batch(struct parser *p)
{
    expect(p, "(");
    for (size_t i = 0; i < p->out->count; i++) {
        if (i)
            expect(p, ",");
        expect(p, p->out->list[i].name);
    }
    expect(p, ")");
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
            fail(p, "verdict of %s not understood", model_names[m]);
    }
}

static void take_item(struct parser *p)
{
    if (accept(p, "THREAD")) {
        take_thread(p);
    } else if (accept(p, "LITMUS")) {
        take_program(p, true);
    } else if (accept(p, "PROGRAM")) {
        take_program(p, false);
    } else if (accept(p, "BATCH")) {
        take_batch(p);
    } else if (accept(p, "fencer_ghost")) {
        take_registers(p);
    } else if (accept(p, "int")) {
        take_variables(p, VAR_INT);
    } else if (accept(p, "_Atomic")) {
        expect(p, "int");
        take_variables(p, VAR_ATOMIC);
    } else if (accept(p, "union")) {
        expect(p, "cell");
        take_variables(p, VAR_CELL);
    } else if (accept(p, "pthread_mutex_t")) {
        take_variables(p, VAR_MUTEX);
    } else {
        fail(p, "'%s' is not known here", p->token);
    }
}

bool parse_text(const char *text, const char *name, struct programs *out,
                char *error, size_t error_size)
{
    struct parser *p = calloc(1, sizeof *p);
    bool ok = false;

    REQUIRE(p, "out of memory");
    memset(out, 0, sizeof *out);
    p->at = text;
    p->line = 1;
    p->error = error;
    p->error_size = error_size;
    p->out = out;
    p->file_name = name;
    if (!setjmp(p->failed)) {
        take_verdicts(p, text);
        next(p);
        while (p->token[0])
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
