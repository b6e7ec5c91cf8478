/* SPDX-License-Identifier: MIT
 *
 * A litmus file from its first line to its end: the architecture and the name,
 * free lines, initial values in braces, the code, the condition.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "litmus/litmus.h"
#include "litmus/reader.h"

#define LOCATIONS_MAX 256
#define ELEMENTS_MAX 256

static const struct {
    enum litmus_arch arch;
    const struct asm_arch *table; /* NULL: C */
} architectures[] = {
    {ARCH_AARCH64, &asm_aarch64}, {ARCH_RISCV, &asm_riscv},
    {ARCH_X86, &asm_x86},         {ARCH_X86, &asm_x86_64},
    {ARCH_PPC, &asm_ppc},         {ARCH_C, NULL},
};

/* ---- registers and locations ---- */

int litmus_register(struct litmus *t, struct thread *p, const char *name)
{
    for (size_t i = 0; i < p->register_count; i++)
        if (strcmp(p->registers[i], name) == 0)
            return (int)i;
    if (p->register_count == REGISTERS_MAX)
        return -1;
    p->registers[p->register_count] = arena_copy(&t->arena, name);
    return (int)p->register_count++;
}

int litmus_location(struct litmus *t, const char *name)
{
    struct location *l;

    for (size_t i = 0; i < t->locations.count; i++)
        if (strcmp(t->locations.list[i].name, name) == 0)
            return (int)i;
    l = VEC_ADD_IN(&t->arena, &t->locations);
    l->name = arena_copy(&t->arena, name);
    l->element = 4;
    VEC_PUSH_IN(&t->arena, &l->initial, 0);
    return (int)t->locations.count - 1;
}

int litmus_location_at(const struct litmus *t, int64_t address,
                       uint32_t *element)
{
    uint64_t number = (((uint64_t)address - ADDRESS_BASE) >> ADDRESS_SHIFT) - 1;
    uint32_t inside = (uint32_t)address;
    const struct location *l;

    if (number >= t->locations.count)
        return -1;
    l = &t->locations.list[number];
    *element = inside / l->element;
    return inside % l->element == 0 && *element < l->initial.count ? (int)number
                                                                   : -1;
}

int reader_register(struct reader *r, const struct asm_arch *arch,
                    struct thread *p, const char *word)
{
    uint8_t size = 0;
    const char *name = arch ? arch->reg(word, &r->test->arena, &size) : word;

    if (!name)
        return -1;
    return *name ? litmus_register(r->test, p, name) : REGISTER_ZERO;
}

bool reader_take_thread(struct reader *r, uint32_t *thread)
{
    const struct token *t = lexer_peek(&r->in, 0);
    int64_t number = -1;

    if (strcmp(lexer_peek(&r->in, 1)->text, ":") != 0)
        return false;
    if (t->kind == TOKEN_NUMBER)
        number = t->number;
    else if (t->text[0] == 'P' && isdigit((unsigned char)t->text[1]))
        number = atoi(t->text + 1);
    if (number < 0 || number >= THREADS_MAX)
        return false;
    *thread = (uint32_t)number;
    r->in.at += 2;
    return true;
}

/* ---- initial values ---- */

static void add_type(const char *word, struct number_type *type)
{
    static const struct {
        const char *name;
        struct number_type type;
    } types[] = {{"uint64_t", {8, true}},  {"int64_t", {8, false}},
                 {"uintptr_t", {8, true}}, {"intptr_t", {8, false}},
                 {"long", {8, false}},     {"uint32_t", {4, true}},
                 {"unsigned", {4, true}},  {"uint16_t", {2, true}},
                 {"int16_t", {2, false}},  {"short", {2, false}},
                 {"uint8_t", {1, true}},   {"int8_t", {1, false}},
                 {"char", {1, false}}};
    bool was_unsigned = type->is_unsigned;

    if (type->width && strcmp(word, "int") == 0) /* unsigned int, long int */
        return;
    *type = (struct number_type){4, false};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(types[i].name, word) == 0)
            *type = types[i].type;
    type->is_unsigned |= was_unsigned;
}

/* Words before the name: a type, and what belongs to it. */
static struct number_type take_type(struct reader *r)
{
    struct number_type type = {0};

    for (;;) {
        const struct token *t = lexer_peek(&r->in, 0);
        const struct token *next = lexer_peek(&r->in, 1);

        if (t->kind != TOKEN_WORD ||
            (next->kind != TOKEN_WORD && next->kind != TOKEN_NUMBER &&
             strcmp(next->text, "*") != 0))
            return type;
        add_type(t->text, &type);
        r->in.at++;
        while (lexer_take(&r->in, "*"))
            type = (struct number_type){8, false};
    }
}

/* What herd has words for, and the models here nothing to say of. */
bool reader_refuse_system(struct reader *r)
{
    static const char *const tables[] = {"PTE",  "TTD",     "PA",   "pte_",
                                         "phy_", "tag",     "TLBI", "oa",
                                         "PAR",  "physical"};
    const char *word = lexer_peek(&r->in, 0)->text;
    const char *next = lexer_peek(&r->in, 1)->text;
    bool call = strcmp(next, "(") == 0;

    if (strcmp(next, ":") == 0 &&
        (strcmp(word, "instr") == 0 || word[0] == 'P' ||
         isdigit((unsigned char)*word)))
        return lexer_fail(&r->in, "instructions as values are not modelled,");
    if (strcmp(word, "(") == 0 || strcmp(next, ":") == 0)
        return lexer_fail(&r->in, "page tables and memory tags are not "
                                  "modelled,");
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        bool prefix = strchr(tables[i], '_') != NULL;

        if (prefix ? strncmp(word, tables[i], strlen(tables[i])) == 0
                   : call && strcmp(word, tables[i]) == 0)
            return lexer_fail(&r->in, "page tables and memory tags are not "
                                      "modelled,");
    }
    return true;
}

/* A number, or the address of a location. */
static bool take_value(struct reader *r, int64_t *value)
{
    const char *name;

    if (!reader_refuse_system(r))
        return false;
    if (lexer_take_number(&r->in, value))
        return true;
    lexer_take(&r->in, "&");
    if (!lexer_need_word(&r->in, "a value", &name))
        return false;
    if (lexer_is(&r->in, "("))
        return lexer_fail(&r->in, "'%s' is no value that is known", name);
    *value = ADDRESS_OF(litmus_location(r->test, name));
    return true;
}

static bool set_element(struct reader *r, int location, int64_t element,
                        int64_t value)
{
    struct location *l = &r->test->locations.list[location];

    if (element < 0 || element >= ELEMENTS_MAX)
        return lexer_fail(&r->in, "an array of more than %d elements",
                          ELEMENTS_MAX);
    *VEC_REACH_IN(&r->test->arena, &l->initial, (size_t)element) = value;
    return true;
}

/* { 0, 1 } */
static bool take_elements(struct reader *r, int location)
{
    int64_t value;

    for (int64_t i = 0; !lexer_take(&r->in, "}"); i++) {
        if (!take_value(r, &value) || !set_element(r, location, i, value))
            return false;
        if (!lexer_take(&r->in, ",") && !lexer_is(&r->in, "}"))
            return lexer_fail(&r->in, "',' is missing");
    }
    return true;
}

/* x, [x], *x, x[2], and what it is set to. */
static bool take_location(struct reader *r, struct number_type type)
{
    uint32_t width = type.width;
    bool bracket = lexer_take(&r->in, "[");
    const char *name;
    int64_t count = 0, value = 0;
    int location;

    lexer_take(&r->in, "*");
    if (!reader_refuse_system(r) ||
        !lexer_need_word(&r->in, "a location", &name))
        return false;
    if (lexer_is(&r->in, "("))
        return lexer_fail(&r->in, "'%s' has no meaning that is known", name);
    if (bracket && !lexer_need(&r->in, "]"))
        return false;
    location = litmus_location(r->test, name);
    if (location >= LOCATIONS_MAX)
        return lexer_fail(&r->in, "more than %d locations", LOCATIONS_MAX);
    if (width) {
        r->test->locations.list[location].element = width;
        r->test->locations.list[location].type = type;
    }
    if (lexer_take(&r->in, "[")) {
        if (!lexer_take_number(&r->in, &count) || !lexer_need(&r->in, "]"))
            return lexer_fail(&r->in, "an index is missing");
        if (!set_element(r, location, width ? count - 1 : count, 0))
            return false;
    }
    if (!lexer_take(&r->in, "="))
        return true;
    if (lexer_take(&r->in, "{"))
        return take_elements(r, location);
    return take_value(r, &value) &&
           set_element(r, location, width ? 0 : count, value);
}

static bool take_initial(struct reader *r, const struct asm_arch *arch)
{
    struct number_type type = take_type(r);
    uint32_t thread;
    const char *name;
    int64_t value = 0;
    int reg;

    if (!reader_take_thread(r, &thread))
        return take_location(r, type);
    lexer_take(&r->in, "%");
    if (!lexer_need_word(&r->in, "a register", &name))
        return false;
    reg = reader_register(r, arch, &r->test->threads[thread], name);
    if (reg < 0)
        return lexer_fail(&r->in, "'%s' is no register", name);
    if (lexer_take(&r->in, "=") && !take_value(r, &value))
        return false;
    r->test->threads[thread].initial[reg] = value;
    if (type.width)
        r->test->threads[thread].types[reg] = type;
    return true;
}

bool read_initial(struct reader *r, const struct asm_arch *arch)
{
    while (!lexer_take(&r->in, "}")) {
        if (lexer_take(&r->in, ";"))
            continue;
        if (!take_initial(r, arch))
            return false;
        if (!lexer_is(&r->in, "}") && !lexer_need(&r->in, ";"))
            return false;
    }
    lexer_take(&r->in, ";");
    return true;
}

/* ---- the file ---- */

/* The word at the start names the architecture, the second one the test. */
static bool read_head(struct litmus *t, char *text, size_t *which,
                      struct err *e)
{
    size_t n = strcspn(text, " \t\r\n");
    const char *name = text + n + strspn(text + n, " \t");

    for (*which = 0; *which < sizeof(architectures) / sizeof(*architectures);
         ++*which) {
        const struct asm_arch *table = architectures[*which].table;
        static const char *const c[] = {"C", NULL};

        for (const char *const *h = table ? table->heads : c; *h; h++) {
            if (strlen(*h) != n || strncasecmp(*h, text, n) != 0)
                continue;
            t->arch = architectures[*which].arch;
            t->name = arena_copy_n(&t->arena, name, strcspn(name, " \t\r\n"));
            return true;
        }
    }
    return err_set(e,
                   "line 1: tests for '%.*s' are not read; those for AArch64, "
                   "RISCV, X86, X86_64, PPC and C are",
                   (int)(n < 20 ? n : 20), text);
}

static uint32_t lines_before(const char *text, const char *at)
{
    uint32_t lines = 1;

    for (; text < at; text++)
        lines += *text == '\n';
    return lines;
}

static void add_fixed_registers(struct litmus *t)
{
    for (size_t i = 0; i < THREADS_MAX; i++) {
        litmus_register(t, &t->threads[i], "");
        litmus_register(t, &t->threads[i], "flags");
    }
}

static bool read_text(struct litmus *t, char *text, struct err *e)
{
    struct reader r = {.test = t};
    const struct asm_arch *arch;
    const char *brace;
    size_t which;

    if (!read_head(t, text, &which, e))
        return false;
    arch = architectures[which].table;
    lexer_blank(text, !arch);
    brace = strchr(text, '{');
    if (!brace)
        return err_set(e, "there is no '{', where initial values begin");
    add_fixed_registers(t);
    VEC_PUSH_IN(&t->arena, &t->conditions, {.op = CONDITION_TRUE});
    return lexer_cut(brace + 1, lines_before(text, brace), &t->arena, &r.in,
                     e) &&
           read_initial(&r, arch) && (arch ? read_asm(&r, arch) : read_c(&r)) &&
           read_conditions(&r, arch);
}

bool litmus_read(const char *text, size_t n, struct litmus **out, struct err *e)
{
    struct litmus *t = calloc(1, sizeof(*t));
    char *copy;

    CHECK(t);
    copy = arena_copy_n(&t->arena, text, n);
    copy += strspn(copy, " \t\r\n");
    if (strlen(copy) == 0 || !read_text(t, copy, e)) {
        if (strlen(copy) == 0)
            err_set(e, "the file is empty");
        litmus_free(t);
        return false;
    }
    *out = t;
    return true;
}

void litmus_free(struct litmus *t)
{
    struct arena a;

    if (!t)
        return;
    a = t->arena;
    free(t);
    arena_free(&a);
}

const char *litmus_name(const struct litmus *t)
{
    return t->name;
}

const struct model *litmus_model(const struct litmus *t)
{
    static const struct model *const models[ARCH_COUNT] = {
        [ARCH_AARCH64] = &model_arm, [ARCH_RISCV] = &model_riscv,
        [ARCH_X86] = &model_tso,     [ARCH_PPC] = &model_power,
        [ARCH_C] = &model_c11,
    };

    return models[t->arch];
}
