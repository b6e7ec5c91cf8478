/* SPDX-License-Identifier: MIT
 *
 * The code of assembly tests: a table whose columns are the threads.  Each cell
 * is an instruction, found among the rows of its architecture by its name and
 * by what its operands look like.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "litmus/reader.h"
#include "model/relation.h"

struct label {
    const char *name;
    uint32_t at;
};

/* A thread on its way. */
struct column {
    VEC(struct label) labels;
    VEC(struct label) jumps; /* `at' jumps to that name */
};

struct assembler {
    struct reader *r;
    const struct asm_arch *arch;
    struct thread *thread;
    struct column *column;
    struct column columns[THREADS_MAX];
};

static struct arena *arena_of(struct assembler *s)
{
    return &s->r->test->arena;
}

/* ---- operands ---- */

/* The register that comes next, or -1.  %eax is eax. */
static int take_register(struct assembler *s, uint8_t *size)
{
    struct tokens *in = &s->r->in;
    size_t at = in->at;
    const struct token *t;
    const char *name = NULL;

    lexer_take(in, "%");
    t = lexer_peek(in, 0);
    if (t->kind == TOKEN_WORD)
        name = s->arch->reg(t->text, arena_of(s), size);
    if (!name) {
        in->at = at;
        return -1;
    }
    in->at++;
    return *name ? litmus_register(s->r->test, s->thread, name) : REGISTER_ZERO;
}

/* , SXTW or , LSL #0: how the register is widened; a shift by more is refused.
 */
static bool skip_extension(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    const char *next = lexer_peek(in, 1)->text;
    int64_t n = 0;

    if (!lexer_is(in, ",") ||
        (strcasecmp(next, "SXTW") != 0 && strcasecmp(next, "UXTW") != 0 &&
         strcasecmp(next, "SXTX") != 0 && strcasecmp(next, "LSL") != 0))
        return true;
    in->at += 2;
    return !lexer_take_number(in, &n) || n == 0;
}

static bool take_base(struct assembler *s, struct op *op)
{
    struct tokens *in = &s->r->in;
    uint8_t size = 0;
    int reg = take_register(s, &size);

    if (reg >= 0) {
        op->base = (int16_t)reg;
        return true;
    }
    if (lexer_peek(in, 0)->kind != TOKEN_WORD)
        return false;
    op->base = REGISTER_ZERO;
    op->offset +=
        ADDRESS_OF(litmus_location(s->r->test, lexer_peek(in, 0)->text));
    in->at++;
    return true;
}

/* [x], [X1], [X1,#4], [X1,W2,SXTW] */
static bool take_bracketed(struct assembler *s, struct op *op)
{
    struct tokens *in = &s->r->in;
    uint8_t size = 0;
    int64_t n;
    int reg;

    if (!lexer_take(in, "[") || !take_base(s, op))
        return false;
    if (lexer_take(in, ",")) {
        if (lexer_take_number(in, &n)) {
            op->offset += n;
        } else {
            reg = take_register(s, &size);
            if (reg < 0 || !skip_extension(s))
                return false;
            op->index = (int16_t)reg;
        }
    }
    return lexer_take(in, "]");
}

/* 0(x5), (x5), (x), (%rax) */
static bool take_displaced(struct assembler *s, struct op *op)
{
    struct tokens *in = &s->r->in;
    int64_t n = 0;

    lexer_take_number(in, &n);
    op->offset += n;
    return lexer_take(in, "(") && take_base(s, op) && lexer_take(in, ")");
}

static bool take_memory(struct assembler *s, struct op *op)
{
    return lexer_is(&s->r->in, "[") ? take_bracketed(s, op)
                                    : take_displaced(s, op);
}

static bool take_label(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    const struct token *t = lexer_peek(in, 0);

    if (t->kind != TOKEN_WORD)
        return false;
    in->at++;
    VEC_PUSH_IN(arena_of(s), &s->column->jumps,
                {t->text, (uint32_t)s->thread->count});
    return true;
}

static bool find_word(const struct asm_word *words, const char *text,
                      uint32_t *means)
{
    for (; words && words->text; words++) {
        if (strcasecmp(words->text, text) == 0) {
            *means = words->means;
            return true;
        }
    }
    return false;
}

static bool take_barrier(struct assembler *s, struct op *op)
{
    const struct token *t = lexer_peek(&s->r->in, 0);

    if (t->kind != TOKEN_WORD ||
        !find_word(s->arch->barriers, t->text, &op->read))
        return false;
    s->r->in.at++;
    return true;
}

static bool take_condition(struct assembler *s, struct op *op)
{
    const struct token *t = lexer_peek(&s->r->in, 0);
    uint32_t means;

    if (t->kind != TOKEN_WORD ||
        !find_word(s->arch->conditions, t->text, &means))
        return false;
    op->alu = (uint8_t)means;
    op->c = REGISTER_FLAGS;
    s->r->in.at++;
    return true;
}

/* rw,w: what is before and what is after; i and o are for devices. */
static bool take_sides(struct assembler *s, struct op *op)
{
    struct tokens *in = &s->r->in;
    const char *side[2];
    bool r[2], w[2];

    for (int i = 0; i < 2; i++) {
        if (lexer_peek(in, 0)->kind != TOKEN_WORD)
            return false;
        side[i] = lexer_peek(in, 0)->text;
        if (strspn(side[i], "iorwIORW") != strlen(side[i]))
            return false;
        r[i] = strpbrk(side[i], "rR") != NULL;
        w[i] = strpbrk(side[i], "wW") != NULL;
        in->at++;
        if (i == 0 && !lexer_take(in, ","))
            return false;
    }
    op->read = (r[0] && r[1] ? MARK_RR : 0u) | (r[0] && w[1] ? MARK_RW : 0u) |
               (w[0] && r[1] ? MARK_WR : 0u) | (w[0] && w[1] ? MARK_WW : 0u);
    return true;
}

static bool take_source(struct assembler *s, int16_t *to, struct op *op)
{
    int reg = take_register(s, &op->size);

    *to = (int16_t)reg;
    return reg >= 0;
}

/* That of a store exclusive says nothing of the width. */
static bool take_result(struct assembler *s, struct op *op)
{
    uint8_t size = op->size;

    if (!take_source(s, &op->d, op))
        return false;
    if (op->kind == OP_SX)
        op->size = size;
    return true;
}

static bool take_name(struct assembler *s, struct op *op)
{
    uint8_t size;
    const struct token *t = lexer_peek(&s->r->in, 0);

    return t->kind == TOKEN_WORD &&
           !s->arch->reg(t->text, arena_of(s), &size) && take_base(s, op);
}

static bool take_operand(struct assembler *s, char letter, struct op *op)
{
    switch (letter) {
    case 'd':
        return take_result(s, op);
    case 'a':
        return take_source(s, &op->a, op);
    case 'b':
        return take_source(s, &op->b, op);
    case 'c':
        return take_source(s, &op->c, op);
    case 'u':
        return take_source(s, &op->a, op) && (op->d = op->a, true);
    case 'i':
        op->immediate = true;
        return lexer_take_number(&s->r->in, &op->imm);
    case 'o':
        op->immediate = lexer_take_number(&s->r->in, &op->imm);
        return op->immediate ||
               (take_source(s, &op->b, op) && skip_extension(s));
    case 'm':
        return take_memory(s, op);
    case '*':
        return take_name(s, op);
    case 'p':
        return take_source(s, &op->base, op);
    case 'q':
        return take_source(s, &op->index, op);
    case 'l':
        return take_label(s);
    case 'f':
        return take_barrier(s, op);
    case 'g':
        if (!take_barrier(s, op))
            return false;
        op->read |= op->read & MARK_WW ? (uint32_t)MARK_WR : 0u;
        return true;
    case 'v':
        return take_sides(s, op);
    default:
        return letter == 'k' && take_condition(s, op);
    }
}

/* ---- instructions ---- */

/* The suffix that makes `name' of the row's name, or NULL. */
static const struct asm_suffix *suffix_of(const struct assembler *s,
                                          const struct asm_row *row,
                                          const char *name)
{
    static const struct asm_suffix none = {"", 0, 0, 0};
    size_t n = strlen(row->name);

    if (strncasecmp(row->name, name, n) != 0)
        return NULL;
    if (name[n] == '\0')
        return &none;
    if (!(row->flags & ASM_ORDERS))
        return NULL;
    for (const struct asm_suffix *x = s->arch->suffixes; x->text; x++)
        if (strcasecmp(x->text, name + n) == 0)
            return x;
    return NULL;
}

static struct op op_of(const struct asm_row *row, const struct asm_suffix *x,
                       uint32_t line)
{
    return (struct op){
        .kind = row->kind,
        .alu = row->alu,
        .d = REGISTER_ZERO,
        .base = REGISTER_ZERO,
        .index = NO_REGISTER,
        .c = REGISTER_FLAGS,
        .read = row->read | x->read,
        .write = row->write | x->write,
        .no_result = row->flags & ASM_NO_RESULT,
        .line = line,
    };
}

/* The width is the row's, the suffix's, or the register's; an RMW without a
 * result never acquires. */
static void finish_op(const struct asm_row *row, const struct asm_suffix *x,
                      struct op *op)
{
    bool rmw = op->kind == OP_RMW || op->kind == OP_CAS;

    if (x->size || row->size)
        op->size = x->size ? x->size : row->size;
    if (op->size == 0)
        op->size = 4;
    if (row->flags & ASM_SETS_FLAGS && op->d == REGISTER_ZERO)
        op->d = REGISTER_FLAGS;
    if (row->flags & ASM_ON_FLAGS) {
        op->a = REGISTER_FLAGS;
        op->immediate = true;
        op->imm = 0;
    }
    if (rmw && op->d == REGISTER_ZERO)
        op->no_result = true;
}

/* subs and its like: a register, and the flags. */
static void add_flags(struct assembler *s, const struct op *op)
{
    struct op flags = *op;

    flags.d = REGISTER_FLAGS;
    VEC_PUSH_IN(arena_of(s), s->thread, flags);
}

static bool at_end(const struct tokens *in)
{
    return lexer_is(in, "|") || lexer_is(in, ";") ||
           lexer_peek(in, 0)->kind == TOKEN_END;
}

static bool match_operands(struct assembler *s, const struct asm_row *row,
                           struct op *op)
{
    struct tokens *in = &s->r->in;

    for (const char *c = row->operands; *c; c++) {
        if (!take_operand(s, *c, op) || (c[1] && !lexer_take(in, ",")))
            return false;
    }
    return at_end(in);
}

/* Tries one row; what it took is given back if it is not that. */
static bool try_row(struct assembler *s, const struct asm_row *row,
                    const struct asm_suffix *x, uint32_t line)
{
    size_t at = s->r->in.at, jumps = s->column->jumps.count;
    struct op op = op_of(row, x, line);

    if (!match_operands(s, row, &op)) {
        s->r->in.at = at;
        s->column->jumps.count = jumps;
        return false;
    }
    finish_op(row, x, &op);
    if (row->flags & ASM_SETS_FLAGS && op.d != REGISTER_FLAGS)
        add_flags(s, &op);
    VEC_PUSH_IN(arena_of(s), s->thread, op);
    return true;
}

/* lock is a prefix of x86: what follows is atomic by its row. */
static bool take_instruction(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    const struct token *t;
    bool known = false;

    if (!lexer_take(in, "lock"))
        lexer_take(in, "LOCK");
    t = lexer_peek(in, 0);
    if (t->kind != TOKEN_WORD)
        return lexer_fail(in, "an instruction is missing");
    in->at++;
    for (const struct asm_row *row = s->arch->rows; row->name; row++) {
        const struct asm_suffix *x = suffix_of(s, row, t->text);

        if (!x)
            continue;
        known = true;
        if (try_row(s, row, x, t->line))
            return true;
    }
    return err_set(in->err, "line %u: %s '%.40s'", t->line,
                   known ? "operands that are not understood, of"
                         : "an instruction that is not known,",
                   t->text);
}

static bool take_cell(struct assembler *s)
{
    struct tokens *in = &s->r->in;

    while (lexer_peek(in, 0)->kind == TOKEN_WORD &&
           strcmp(lexer_peek(in, 1)->text, ":") == 0) {
        VEC_PUSH_IN(arena_of(s), &s->column->labels,
                    {lexer_peek(in, 0)->text, (uint32_t)s->thread->count});
        in->at += 2;
    }
    return at_end(in) || take_instruction(s);
}

/* ---- the table ---- */

static bool take_row(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    size_t column = 0;

    do {
        if (column == s->r->test->thread_count)
            return lexer_fail(in, "more columns than threads");
        s->thread = &s->r->test->threads[column];
        s->column = &s->columns[column++];
        if (!take_cell(s))
            return false;
    } while (lexer_take(in, "|"));
    return lexer_need(in, ";");
}

static bool take_heads(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    struct litmus *t = s->r->test;
    char want[16];

    do {
        snprintf(want, sizeof(want), "P%zu", t->thread_count);
        if (t->thread_count == THREADS_MAX)
            return lexer_fail(in, "more than %d threads", THREADS_MAX);
        if (!lexer_need(in, want))
            return false;
        t->thread_count++;
    } while (lexer_take(in, "|"));
    return lexer_need(in, ";");
}

static bool ends_code(const struct tokens *in)
{
    static const char *const words[] = {"exists", "forall",  "locations",
                                        "filter", "final",   "observed",
                                        "~",      "~exists", "with"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (lexer_is(in, words[i]))
            return true;
    return lexer_peek(in, 0)->kind == TOKEN_END;
}

static bool find_label(const struct column *c, const char *name, uint32_t *at)
{
    for (size_t i = 0; i < c->labels.count; i++) {
        if (strcmp(c->labels.list[i].name, name) == 0) {
            *at = c->labels.list[i].at;
            return true;
        }
    }
    return false;
}

static bool resolve_jumps(struct assembler *s, size_t thread)
{
    const struct column *c = &s->columns[thread];

    for (size_t i = 0; i < c->jumps.count; i++) {
        struct op *op = &s->r->test->threads[thread].list[c->jumps.list[i].at];

        if (!find_label(c, c->jumps.list[i].name, &op->target))
            return err_set(s->r->in.err, "line %u: there is no label '%s'",
                           op->line, c->jumps.list[i].name);
    }
    return true;
}

bool read_asm(struct reader *r, const struct asm_arch *arch)
{
    struct assembler s = {.r = r, .arch = arch};

    if (!take_heads(&s))
        return false;
    while (!ends_code(&r->in))
        if (!take_row(&s))
            return false;
    for (size_t i = 0; i < r->test->thread_count; i++)
        if (!resolve_jumps(&s, i))
            return false;
    return true;
}
