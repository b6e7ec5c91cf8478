/* SPDX-License-Identifier: MIT
 *
 * Reads LLVM's form of inline assembly: "lock; xaddl $0, $1" with the
 * constraints "=r,=*m,0,*m,~{memory}".  Knows what ck, liburcu and the Linux
 * kernel write for atomic operations; for all else it says no.
 */
#include "instrument/template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int cell;
    unsigned size;
} registers[] = {
    {"al", CELL_AX, 1},  {"ax", CELL_AX, 2},  {"eax", CELL_AX, 4},
    {"rax", CELL_AX, 8}, {"bl", CELL_BX, 1},  {"bx", CELL_BX, 2},
    {"ebx", CELL_BX, 4}, {"rbx", CELL_BX, 8}, {"cl", CELL_CX, 1},
    {"cx", CELL_CX, 2},  {"ecx", CELL_CX, 4}, {"rcx", CELL_CX, 8},
    {"dl", CELL_DX, 1},  {"dx", CELL_DX, 2},  {"edx", CELL_DX, 4},
    {"rdx", CELL_DX, 8}, {"esi", CELL_SI, 4}, {"rsi", CELL_SI, 8},
    {"si", CELL_SI, 2},  {"edi", CELL_DI, 4}, {"rdi", CELL_DI, 8},
    {"di", CELL_DI, 2},
};

static int register_cell(const char *name, size_t length, unsigned *size)
{
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        if (strlen(registers[i].name) == length &&
            memcmp(registers[i].name, name, length) == 0) {
            *size = registers[i].size;
            return registers[i].cell;
        }
    }
    return -1;
}

/* ---- Constraints ---- */

/* The slot a tied input ("0") belongs to, or -1. */
static int tied_to(const char *code, size_t length, int outputs)
{
    int n = 0;

    if (length == 0)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)code[i]))
            return -1;
        n = n * 10 + (code[i] - '0');
        if (n >= outputs)
            return -1;
    }
    return n;
}

static bool parse_constraint(struct template *t, const char *code,
                             size_t length, int *argument, int *result)
{
    struct slot *s = &t->slots[t->slot_count];
    unsigned size;

    if (t->slot_count == TEMPLATE_OPERANDS)
        return false;
    *s = (struct slot){.cell = -1, .argument = -1, .result = -1};
    if (length && *code == '=')
        s->output = true, code++, length--;
    while (length && (*code == '&' || *code == '%'))
        code++, length--;
    if (length && *code == '*')
        s->indirect = true, code++, length--;
    if (s->indirect || !s->output)
        s->argument = (*argument)++;
    else
        s->result = (*result)++;
    if (s->indirect) {
        t->slot_count++;
        return true;
    }

    int tied = s->output ? -1 : tied_to(code, length, t->slot_count);

    if (tied >= 0) {
        if (t->slots[tied].indirect)
            return false;
        s->cell = t->slots[tied].cell;
    } else if (length > 5 && strncmp(code, "{@cc", 4) == 0 && s->output) {
        if (length - 5 >= sizeof(s->flag))
            return false;
        memcpy(s->flag, code + 4, length - 5);
        s->cell = t->cell_count++;
    } else if (length > 2 && *code == '{') {
        s->cell = register_cell(code + 1, length - 2, &size);
        if (s->cell < 0)
            return false;
    } else {
        s->cell = t->cell_count++;
    }
    t->slot_count++;
    return true;
}

static bool parse_constraints(struct template *t, const char *text)
{
    int argument = 0, result = 0;

    t->cell_count = CELL_REGISTERS;
    while (*text) {
        size_t length = 0;
        int depth = 0;

        while (text[length] && (text[length] != ',' || depth)) {
            depth += (text[length] == '{') - (text[length] == '}');
            length++;
        }
        if (*text != '~' && *text != '!' &&
            !parse_constraint(t, text, length, &argument, &result))
            return false;
        text += length + (text[length] == ',');
    }
    return true;
}

/* ---- Operands of an instruction ---- */

static const char *skip_space(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static unsigned modifier_size(char c)
{
    return c == 'b' ? 1 : c == 'w' ? 2 : c == 'k' ? 4 : c == 'q' ? 8 : 0;
}

/* $0, ${0:b}: an operand of the template.  NULL: not one. */
static const char *parse_slot(const struct template *t, const char *s,
                              struct place *out)
{
    bool braces = s[1] == '{';
    char *end;
    long n;

    s += braces ? 2 : 1;
    if (!isdigit((unsigned char)*s))
        return NULL;
    n = strtol(s, &end, 10);
    if (n < 0 || n >= t->slot_count)
        return NULL;
    s = end;
    if (braces) {
        if (*s == ':') {
            out->size = modifier_size(s[1]);
            s += 2;
        }
        if (*s++ != '}')
            return NULL;
    }
    out->slot = (int)n;
    out->cell = t->slots[n].cell;
    out->kind = t->slots[n].indirect ? PLACE_MEMORY : PLACE_CELL;
    return s;
}

static const char *parse_register(const char *s, struct place *out)
{
    size_t length = 0;

    s++;
    while (isalnum((unsigned char)s[length]))
        length++;
    if (length == 3 && (strncmp(s, "rsp", 3) == 0 || strncmp(s, "esp", 3) == 0))
        out->kind = PLACE_STACK;
    else {
        out->kind = PLACE_CELL;
        out->cell = register_cell(s, length, &out->size);
        if (out->cell < 0)
            return NULL;
    }
    return s + length;
}

/* (%rax), ($4): memory at an address in a register.  s is at the '('. */
static const char *parse_indirect(const struct template *t, const char *s,
                                  struct place *out)
{
    struct place base = {.slot = -1};

    s = skip_space(s + 1);
    s = *s == '$'   ? parse_slot(t, s, &base)
        : *s == '%' ? parse_register(s, &base)
                    : NULL;
    if (!s || *(s = skip_space(s)) != ')')
        return NULL;
    if (base.kind == PLACE_STACK) {
        out->kind = PLACE_STACK;
    } else if (base.kind == PLACE_CELL) {
        out->kind = PLACE_MEMORY;
        out->cell = base.cell;
        out->slot = base.slot;
    } else {
        return NULL;
    }
    return s + 1;
}

static const char *parse_number(const char *s, int64_t *number)
{
    char *end;

    *number = strtoll(s, &end, 0);
    return end == s ? NULL : end;
}

static const char *parse_place(const struct template *t, const char *s,
                               struct place *out)
{
    *out = (struct place){.slot = -1, .cell = -1};
    s = skip_space(s);
    if (s[0] == '$' && s[1] == '$') {
        out->kind = PLACE_NUMBER;
        return parse_number(s + 2, &out->number);
    }
    if (*s == '%')
        return parse_register(s, out);
    if (*s == '-' || isdigit((unsigned char)*s)) {
        s = parse_number(s, &out->number);
        return s && *s == '(' ? parse_indirect(t, s, out) : NULL;
    }
    if (*s == '(')
        return parse_indirect(t, s, out);
    return *s == '$' ? parse_slot(t, s, out) : NULL;
}

/* ---- Instructions ---- */

/* Mnemonics that take a size suffix. */
static const char *const sized[] = {
    "add",  "sub",  "and",     "or",  "xor", "inc", "dec", "not", "mov",
    "xadd", "xchg", "cmpxchg", "bts", "btr", "btc", "bt",  "sbb"};

static unsigned suffix_size(char c)
{
    return c == 'b' ? 1 : c == 'w' ? 2 : c == 'l' ? 4 : c == 'q' ? 8 : 0;
}

static void split_suffix(struct step *step)
{
    size_t length = strlen(step->name);

    for (size_t i = 0; i < sizeof(sized) / sizeof(sized[0]); i++) {
        if (strlen(sized[i]) + 1 == length &&
            strncmp(step->name, sized[i], length - 1) == 0 &&
            suffix_size(step->name[length - 1])) {
            step->size = suffix_size(step->name[length - 1]);
            step->name[length - 1] = '\0';
        }
    }
}

static const char *parse_word(const char *s, char *word, size_t size)
{
    size_t n = 0;

    while (isalnum((unsigned char)*s)) {
        if (n + 1 == size)
            return NULL;
        word[n++] = *s++;
    }
    word[n] = '\0';
    return n ? s : NULL;
}

static bool is_end(char c)
{
    return c == '\0' || c == '\n' || c == ';';
}

static const char *parse_step(struct template *t, const char *s, bool *lock,
                              bool *rep)
{
    struct step step = {.a = {.slot = -1}, .b = {.slot = -1}};

    s = parse_word(s, step.name, sizeof(step.name));
    if (!s)
        return NULL;
    if (strcmp(step.name, "lock") == 0) {
        *lock = true;
        return s;
    }
    if (strcmp(step.name, "rep") == 0) {
        *rep = true;
        return s;
    }
    if (*rep && strcmp(step.name, "nop") == 0)
        strcpy(step.name, "pause");
    step.lock = *lock;
    *lock = *rep = false;
    split_suffix(&step);
    s = skip_space(s);
    if (!is_end(*s)) {
        s = parse_place(t, s, &step.b);
        if (s && *(s = skip_space(s)) == ',') {
            step.a = step.b;
            s = parse_place(t, s + 1, &step.b);
        }
    }
    if (!s || !is_end(*(s = skip_space(s))) || t->step_count == TEMPLATE_STEPS)
        return NULL;
    t->steps[t->step_count++] = step;
    return s;
}

bool template_parse(struct template *t, const char *text,
                    const char *constraints)
{
    bool lock = false, rep = false;

    memset(t, 0, sizeof(*t));
    if (!parse_constraints(t, constraints))
        return false;
    while (*text) {
        if (isspace((unsigned char)*text) || *text == ';') {
            text++;
            continue;
        }
        text = parse_step(t, text, &lock, &rep);
        if (!text)
            return false;
    }
    return !lock && !rep;
}
