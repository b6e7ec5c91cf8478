/* SPDX-License-Identifier: MIT
 *
 * The code of assembly tests: a table whose columns are the threads.  Each cell
 * is an instruction, found among the rows of its architecture by its name and
 * by what its operands look like.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "litmus/read_asm_inside.h"

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

static struct inst op_of(const struct asm_row *row, const struct asm_suffix *x,
                         uint32_t line)
{
    return (struct inst){
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
                      struct inst *op)
{
    bool rmw = op->kind == INST_RMW || op->kind == INST_CAS;

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
    if (row->flags & ASM_ONE) {
        op->immediate = true;
        op->imm = 1;
    }
    if (rmw && op->d == REGISTER_ZERO && !(row->flags & ASM_ON_EAX))
        op->no_result = true;
}

/* cmpxchg: eax is compared with memory, and gets what was there; the flags say
 * whether they were equal. */
static bool add_comparison(struct assembler *s, struct inst op)
{
    struct inst flags = {.kind = INST_ALU,
                         .alu = ALU_XOR,
                         .size = 4,
                         .immediate = true,
                         .imm = 1,
                         .d = REGISTER_FLAGS,
                         .a = REGISTER_FLAGS,
                         .line = op.line};
    uint8_t size = op.size;
    int eax = litmus_register(s->r->test, s->thread,
                              s->arch->reg("eax", asm_arena(s), &size));

    if (eax < 0)
        return false;
    op.d = (int16_t)eax;
    op.boolean = true;
    op.d2 = REGISTER_FLAGS;
    VEC_PUSH_IN(asm_arena(s), s->thread, op);
    VEC_PUSH_IN(asm_arena(s), s->thread, flags);
    return true;
}

/* subs and its like: a register, and the flags. */
static void add_flags(struct assembler *s, const struct inst *op)
{
    struct inst flags = *op;

    flags.d = REGISTER_FLAGS;
    VEC_PUSH_IN(asm_arena(s), s->thread, flags);
}

static bool at_end(const struct tokens *in)
{
    return lexer_is(in, "|") || lexer_is(in, ";") ||
           lexer_peek(in, 0)->kind == TOKEN_END;
}

static bool match_operands(struct assembler *s, const struct asm_row *row,
                           struct inst *op)
{
    struct tokens *in = &s->r->in;

    for (const char *c = row->operands; *c; c++) {
        if (!asm_take_operand(s, *c, op) || (c[1] && !lexer_take(in, ",")))
            return false;
    }
    return at_end(in);
}

/* Tries one row; what it took is given back if it is not that. */
static bool try_row(struct assembler *s, const struct asm_row *row,
                    const struct asm_suffix *x, uint32_t line)
{
    size_t at = s->r->in.at, jumps = s->column->jumps.count;
    struct inst op = op_of(row, x, line);

    if (!match_operands(s, row, &op)) {
        s->r->in.at = at;
        s->column->jumps.count = jumps;
        return false;
    }
    finish_op(row, x, &op);
    if (row->flags & ASM_ON_EAX)
        return add_comparison(s, op);
    if (row->flags & ASM_SETS_FLAGS && op.d != REGISTER_FLAGS)
        add_flags(s, &op);
    VEC_PUSH_IN(asm_arena(s), s->thread, op);
    return true;
}

/* lock is a prefix of x86: what follows is atomic by its row. */
static bool take_instruction(struct assembler *s)
{
    struct tokens *in = &s->r->in;
    const struct token *t;
    bool known = false;
    bool locked = lexer_take(in, "lock") || lexer_take(in, "LOCK");

    t = lexer_peek(in, 0);
    if (t->kind != TOKEN_WORD)
        return lexer_fail(in, "an instruction is missing");
    in->at++;
    for (const struct asm_row *row = s->arch->rows; row->name; row++) {
        const struct asm_suffix *x = suffix_of(s, row, t->text);

        if (!x)
            continue;
        known = true;
        if (row->flags & ASM_LOCKED && !locked)
            continue;
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
        VEC_PUSH_IN(asm_arena(s), &s->column->labels,
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
        struct inst *op =
            &s->r->test->threads[thread].list[c->jumps.list[i].at];

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
