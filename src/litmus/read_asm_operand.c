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

bool asm_add_helper(struct assembler *s, enum alu alu, int16_t d, int16_t a,
                    int64_t n)
{
    VEC_PUSH_IN(asm_arena(s), s->thread,
                {.kind = INST_ALU,
                 .alu = (uint8_t)alu,
                 .size = 8,
                 .immediate = true,
                 .imm = n,
                 .d = d,
                 .a = a,
                 .b = NO_REGISTER,
                 .c = NO_REGISTER,
                 .base = NO_REGISTER,
                 .index = NO_REGISTER,
                 .line = lexer_peek(&s->r->in, 0)->line});
    return d >= 0;
}

int asm_scratch(struct assembler *s)
{
    return litmus_register(s->r->test, s->thread, "scratch");
}

/* The register becomes another one, with what is computed from it. */
static bool derive(struct assembler *s, enum alu alu, int16_t *reg, int64_t n)
{
    int16_t from = *reg;

    *reg = (int16_t)asm_scratch(s);
    return asm_add_helper(s, alu, *reg, from, n);
}

static bool is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && strcasecmp(t->text, word) == 0;
}

/* , SXTW #2 or , LSL #3: how a register is widened and shifted.  W registers
 * are kept with their sign, unless 64 bits of them were declared. */
static bool take_extension(struct assembler *s, int16_t *reg)
{
    static const struct {
        const char *word;
        enum alu shift;
    } words[] = {{"SXTW", ALU_SHL}, {"SXTX", ALU_SHL}, {"UXTX", ALU_SHL},
                 {"UXTW", ALU_SHL}, {"LSL", ALU_SHL},  {"LSR", ALU_SHR},
                 {"ASR", ALU_SAR}};
    struct tokens *in = &s->r->in;
    size_t i = 0;
    int64_t n = 0;

    if (!lexer_is(in, ","))
        return true;
    while (i < sizeof(words) / sizeof(*words) &&
           !is_word(lexer_peek(in, 1), words[i].word))
        i++;
    if (i == sizeof(words) / sizeof(*words))
        return true;
    if (is_word(lexer_peek(in, 1), "UXTW") &&
        !derive(s, ALU_AND, reg, UINT32_MAX))
        return false;
    if (is_word(lexer_peek(in, 1), "SXTW") && *reg > REGISTER_ZERO &&
        s->column->whole[*reg] &&
        !(derive(s, ALU_SHL, reg, 32) &&
          asm_add_helper(s, ALU_SAR, *reg, *reg, 32)))
        return false;
    in->at += 2;
    if (!lexer_take_number(in, &n) || n == 0)
        return true;
    return n > 0 && n < 64 && derive(s, words[i].shift, reg, n);
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

/* [X1,#4]!, or [X1],#4 where nothing else may follow: the base register moves,
 * before the access or after it. */
static bool take_written_back(struct assembler *s, struct inst *op)
{
    struct tokens *in = &s->r->in;
    bool before = lexer_take(in, "!");

    if (before) {
        s->written_back = op->offset;
    } else if (s->last && lexer_take(in, ",") &&
               !lexer_take_number(in, &s->written_back)) {
        return false;
    }
    return !s->written_back || op->base > REGISTER_ZERO;
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
            op->index = (int16_t)reg;
            if (reg < 0 || !take_extension(s, &op->index))
                return false;
        }
    }
    return lexer_take(in, "]") && take_written_back(s, op);
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

/* What lui takes. */
static bool take_upper(struct assembler *s, struct inst *op)
{
    op->immediate = true;
    if (!lexer_take_number(&s->r->in, &op->imm))
        return false;
    op->imm = (int32_t)((uint32_t)op->imm << 12);
    return true;
}

/* #1, LSL #16 */
static bool take_shifted(struct assembler *s, struct inst *op, int64_t *shift)
{
    struct tokens *in = &s->r->in;

    op->immediate = true;
    *shift = 0;
    if (!lexer_take_number(in, &op->imm))
        return false;
    if (!lexer_is(in, ",") || !is_word(lexer_peek(in, 1), "LSL"))
        return true;
    in->at += 2;
    if (!lexer_take_number(in, shift) || *shift < 0 || *shift > 63)
        return false;
    op->imm = (int64_t)((uint64_t)op->imm << *shift);
    return true;
}

static bool take_part(struct assembler *s, struct inst *op)
{
    int64_t shift;

    if (!take_shifted(s, op, &shift))
        return false;
    op->a = op->d;
    return derive(s, ALU_CLEAR, &op->a,
                  (int64_t)((uint64_t)UINT16_MAX << shift));
}

static bool take_bit(struct assembler *s, struct inst *op)
{
    int64_t n;

    op->immediate = true;
    return lexer_take_number(&s->r->in, &n) && n >= 0 && n < 64 &&
           derive(s, ALU_AND, &op->a, (int64_t)((uint64_t)1 << n));
}

bool asm_letter_takes(char letter)
{
    return strchr("12+-^>zZ~", letter) == NULL;
}

/* What an instruction does besides its row's operation. */
static bool put_together(struct assembler *s, char letter, struct inst *op)
{
    switch (letter) {
    case '1':
        return derive(s, ALU_OR, &op->a, 1);
    case '2':
        return derive(s, ALU_OR, &op->a, -1);
    case '+':
        return derive(s, ALU_ADD, &op->b, 1);
    case '-':
        return derive(s, ALU_XOR, &op->b, -1) &&
               asm_add_helper(s, ALU_ADD, op->b, op->b, 1);
    case '^':
        return derive(s, ALU_XOR, &op->b, -1);
    case '>':
        op->a = op->b;
        return derive(s, ALU_ADD, &op->a, 1);
    case 'Z':
        return op->size != 4 || derive(s, ALU_AND, &op->a, UINT32_MAX);
    case 'z':
        return derive(s, ALU_AND, &op->a, UINT32_MAX);
    default:
        op->immediate = true;
        op->imm = -1;
        return letter == '~';
    }
}

bool asm_take_operand(struct assembler *s, char letter, struct inst *op)
{
    int64_t shift;

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
        if (take_shifted(s, op, &shift))
            return true;
        op->immediate = false;
        return take_source(s, &op->b, op) && take_extension(s, &op->b);
    case 'w':
        return take_shifted(s, op, &shift);
    case 'x':
        return take_part(s, op);
    case 'h':
        return take_upper(s, op);
    case 't':
        return take_bit(s, op);
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
    case 'k':
        return take_condition(s, op);
    default:
        return put_together(s, letter, op);
    }
}
