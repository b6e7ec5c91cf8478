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

    bool first = true;

    for (const char *c = row->operands; *c; c++) {
        bool comma = asm_letter_takes(*c) && !first;

        s->last = !c[1];
        if ((comma && !lexer_take(in, ",")) || !asm_take_operand(s, *c, op))
            return false;
        first &= !asm_letter_takes(*c);
    }
    return at_end(in);
}

static void move_base(struct assembler *s, const struct inst *op)
{
    if (s->written_back)
        asm_add_helper(s, ALU_ADD, op->base, op->base, s->written_back);
}

/* What a load of fewer bytes makes of them: their sign, or none. */
static void widen_result(struct assembler *s, const struct asm_row *row,
                         const struct inst *op, uint8_t named)
{
    uint8_t written = row->flags & ASM_SIGNED ? named : op->size;
    int64_t bits = 64 - 8 * op->size;

    if (op->d <= REGISTER_FLAGS || op->kind == INST_SX)
        return;
    if (row->flags & ASM_SIGNED) {
        asm_add_helper(s, ALU_SHL, op->d, op->d, bits);
        asm_add_helper(s, ALU_SAR, op->d, op->d, bits);
    }
    if (row->flags & ASM_UNSIGNED ||
        (s->arch->zero_extends && written == 4 && s->column->whole[op->d]))
        asm_add_helper(s, ALU_AND, op->d, op->d, UINT32_MAX);
}

/* Tries one row; what it took is given back if it is not that. */
static bool try_row(struct assembler *s, const struct asm_row *row,
                    const struct asm_suffix *x, uint32_t line)
{
    size_t at = s->r->in.at, jumps = s->column->jumps.count;
    size_t count = s->thread->count;
    struct inst op = op_of(row, x, line);
    uint8_t named; /* the width of the register that is written */

    s->written_back = 0;
    if (!match_operands(s, row, &op)) {
        s->r->in.at = at;
        s->column->jumps.count = jumps;
        s->thread->count = count;
        return false;
    }
    named = op.size;
    finish_op(row, x, &op);
    if (row->flags & ASM_ON_EAX)
        return add_comparison(s, op);
    if (row->flags & ASM_SETS_FLAGS && op.d != REGISTER_FLAGS)
        add_flags(s, &op);
    VEC_PUSH_IN(asm_arena(s), s->thread, op);
    widen_result(s, row, &op, named);
    move_base(s, &op);
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

/* An address has no sign that could be lost. */
static void note_whole(struct assembler *s, size_t column, const char *before,
                       const char *word)
{
    struct thread *p = &s->r->test->threads[column];
    uint8_t size = 0;
    const char *name = s->arch->reg(word, asm_arena(s), &size);
    int reg;

    if (!name || !*name || size != 8 || strcmp(before, "[") == 0)
        return;
    reg = litmus_register(s->r->test, p, name);
    if (reg >= 0)
        s->columns[column].whole[reg] = true;
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

/* Of which registers all bits are used: where half of them is written the rest
 * matters.  Names of PPC do not say it. */
static void find_whole(struct assembler *s)
{
    struct tokens in = s->r->in;
    const char *before = ";";
    size_t column = 0;

    for (size_t i = 0; i < s->r->test->thread_count; i++)
        for (size_t k = 0; k < REGISTERS_MAX; k++)
            s->columns[i].whole[k] = s->r->test->threads[i].types[k].width == 8;
    for (; s->arch->narrow_names && !ends_code(&in); in.at++) {
        const struct token *t = lexer_peek(&in, 0);

        if (strcmp(t->text, ";") == 0)
            column = 0;
        else if (strcmp(t->text, "|") == 0)
            column++;
        else if (t->kind == TOKEN_WORD && column < s->r->test->thread_count)
            note_whole(s, column, before, t->text);
        before = t->text;
    }
}

bool read_asm(struct reader *r, const struct asm_arch *arch)
{
    struct assembler s = {.r = r, .arch = arch};

    if (!take_heads(&s))
        return false;
    find_whole(&s);
    while (!ends_code(&r->in))
        if (!take_row(&s))
            return false;
    for (size_t i = 0; i < r->test->thread_count; i++)
        if (!resolve_jumps(&s, i))
            return false;
    return true;
}
