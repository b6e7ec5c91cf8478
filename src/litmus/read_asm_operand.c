/* SPDX-License-Identifier: MIT
 *
 * Operands of assembly, by the letters of a row.
 */
#include <string.h>
#include <strings.h>

#include "litmus/read_asm_inside.h"
#include "model/relation.h"

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
        name = s->arch->reg(t->text, asm_arena(s), size);
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

static bool take_base(struct assembler *s, struct inst *op)
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
static bool take_bracketed(struct assembler *s, struct inst *op)
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
static bool take_displaced(struct assembler *s, struct inst *op)
{
    struct tokens *in = &s->r->in;
    int64_t n = 0;

    lexer_take_number(in, &n);
    op->offset += n;
    return lexer_take(in, "(") && take_base(s, op) && lexer_take(in, ")");
}

static bool take_memory(struct assembler *s, struct inst *op)
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
    VEC_PUSH_IN(asm_arena(s), &s->column->jumps,
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

static bool take_barrier(struct assembler *s, struct inst *op)
{
    const struct token *t = lexer_peek(&s->r->in, 0);

    if (t->kind != TOKEN_WORD ||
        !find_word(s->arch->barriers, t->text, &op->read))
        return false;
    s->r->in.at++;
    return true;
}

static bool take_condition(struct assembler *s, struct inst *op)
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
static bool take_sides(struct assembler *s, struct inst *op)
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

static bool take_source(struct assembler *s, int16_t *to, struct inst *op)
{
    int reg = take_register(s, &op->size);

    *to = (int16_t)reg;
    return reg >= 0;
}

/* That of a store exclusive says nothing of the width. */
static bool take_result(struct assembler *s, struct inst *op)
{
    uint8_t size = op->size;

    if (!take_source(s, &op->d, op))
        return false;
    if (op->kind == INST_SX)
        op->size = size;
    return true;
}

static bool take_name(struct assembler *s, struct inst *op)
{
    uint8_t size;
    const struct token *t = lexer_peek(&s->r->in, 0);

    return t->kind == TOKEN_WORD &&
           !s->arch->reg(t->text, asm_arena(s), &size) && take_base(s, op);
}

bool asm_take_operand(struct assembler *s, char letter, struct inst *op)
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
