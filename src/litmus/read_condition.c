/* SPDX-License-Identifier: MIT
 *
 * What follows the code: which states are shown, and the statement.
 *
 *     locations [x; 1:X0;]
 *     filter P
 *     exists P      ~exists P      forall P
 *
 * The old form of X86, `final P; with tso: ~exists; ...', means exists P.
 */
#include <string.h>

#include "litmus/reader.h"

#define DEPTH_MAX 200

struct conditions {
    struct reader *r;
    const struct asm_arch *arch;
    unsigned depth;
};

static uint32_t add(struct conditions *s, struct condition c)
{
    struct litmus *t = s->r->test;

    VEC_PUSH_IN(&t->arena, &t->conditions, c);
    return (uint32_t)t->conditions.count - 1;
}

static void show(struct conditions *s, struct shown what)
{
    struct litmus *t = s->r->test;

    for (size_t i = 0; i < t->shown.count; i++) {
        const struct shown *o = &t->shown.list[i];

        if (o->memory == what.memory && o->thread == what.thread &&
            o->place == what.place && o->whole == what.whole)
            return;
    }
    VEC_PUSH_IN(&t->arena, &t->shown, what);
}

/* x, [x], *x, x[1], [x[1]] */
static bool take_address(struct conditions *s, int64_t *address)
{
    struct tokens *in = &s->r->in;
    struct litmus *t = s->r->test;
    bool bracket = lexer_take(in, "[");
    const char *name;
    int64_t element = 0;
    int location;

    lexer_take(in, "*");
    if (!reader_refuse_system(s->r) ||
        !lexer_need_word(in, "a location", &name))
        return false;
    if (lexer_is(in, "("))
        return lexer_fail(in, "'%s' is nothing that can be compared", name);
    location = litmus_location(t, name);
    if (lexer_take(in, "[") &&
        (!lexer_take_number(in, &element) || !lexer_need(in, "]")))
        return lexer_fail(in, "an index is missing");
    if (bracket && !lexer_need(in, "]"))
        return false;
    if (element < 0 ||
        (uint64_t)element >= t->locations.list[location].initial.count)
        return lexer_fail(in, "%s has no element %lld", name,
                          (long long)element);
    *address =
        ADDRESS_OF(location) + element * t->locations.list[location].element;
    return true;
}

/* 1:X0, P1:EAX, x: what can be shown, and compared. */
static bool take_place(struct conditions *s, struct shown *what)
{
    struct tokens *in = &s->r->in;
    uint32_t thread;
    const char *name;
    int reg;

    *what = (struct shown){.memory = true};
    if (!reader_take_thread(s->r, &thread))
        return take_address(s, &what->place);
    lexer_take(in, "%");
    if (!lexer_need_word(in, "a register", &name))
        return false;
    if (thread >= s->r->test->thread_count)
        return lexer_fail(in, "there is no thread %u", thread);
    reg = reader_register(s->r, s->arch, &s->r->test->threads[thread], name);
    if (reg < 0)
        return lexer_fail(in, "'%s' is no register", name);
    if (reg == REGISTER_ZERO) /* shown as it is called here */
        s->r->test->threads[thread].registers[reg] = name;
    *what = (struct shown){.thread = (uint8_t)thread, .place = reg};
    return true;
}

static bool take_compared(struct conditions *s, int64_t *value)
{
    struct tokens *in = &s->r->in;

    if (lexer_take_number(in, value))
        return true;
    lexer_take(in, "&");
    return take_address(s, value);
}

/* v={1,2}: every element. */
static bool take_elements(struct conditions *s, struct shown what, bool differs,
                          uint32_t *out)
{
    struct condition all = {.op = CONDITION_AND};
    struct condition one = {.op = CONDITION_MEMORY};
    uint32_t element;
    int location = litmus_location_at(s->r->test, what.place, &element);
    size_t n = s->r->test->locations.list[location].initial.count;

    *out = 0;
    what.whole = n > 1;
    for (size_t i = 0; i < n; i++) {
        if ((i && !lexer_need(&s->r->in, ",")) || !take_compared(s, &one.value))
            return false;
        one.place = what.place;
        show(s, what);
        all.a = *out;
        all.b = add(s, one);
        *out = add(s, all);
        what.place += s->r->test->locations.list[location].element;
    }
    if (differs)
        *out = add(s, (struct condition){.op = CONDITION_NOT, .a = *out});
    return lexer_need(&s->r->in, "}");
}

static bool take_atom(struct conditions *s, uint32_t *out)
{
    struct tokens *in = &s->r->in;
    struct shown what;
    struct condition c = {0};

    if (lexer_take(in, "true")) {
        *out = 0;
        return true;
    }
    if (lexer_take(in, "false")) {
        *out = add(s, (struct condition){.op = CONDITION_NOT});
        return true;
    }
    if (!take_place(s, &what))
        return false;

    bool differs = lexer_take(in, "!=") || lexer_take(in, "<>");

    if (!differs && !lexer_take(in, "==") && !lexer_need(in, "="))
        return false;
    if (what.memory && lexer_take(in, "{"))
        return take_elements(s, what, differs, out);
    if (!take_compared(s, &c.value))
        return false;
    c.op = what.memory ? CONDITION_MEMORY : CONDITION_REGISTER;
    c.thread = what.thread;
    c.place = what.place;
    show(s, what);
    *out = add(s, c);
    if (differs)
        *out = add(s, (struct condition){.op = CONDITION_NOT, .a = *out});
    return true;
}

static bool take_or(struct conditions *s, uint32_t *out);

static bool take_not(struct conditions *s, uint32_t *out)
{
    struct tokens *in = &s->r->in;
    bool ok;

    if (++s->depth > DEPTH_MAX)
        return lexer_fail(in, "more than %d levels", DEPTH_MAX);
    if (lexer_take(in, "not") || lexer_take(in, "~")) {
        ok = take_not(s, out);
        *out = add(s, (struct condition){.op = CONDITION_NOT, .a = *out});
    } else if (lexer_take(in, "(")) {
        ok = take_or(s, out) && lexer_need(in, ")");
    } else {
        ok = take_atom(s, out);
    }
    s->depth--;
    return ok;
}

static bool take_and(struct conditions *s, uint32_t *out)
{
    uint32_t b;

    if (!take_not(s, out))
        return false;
    while (lexer_take(&s->r->in, "/\\")) {
        if (!take_not(s, &b))
            return false;
        *out =
            add(s, (struct condition){.op = CONDITION_AND, .a = *out, .b = b});
    }
    return true;
}

static bool take_or(struct conditions *s, uint32_t *out)
{
    uint32_t b;

    *out = 0;
    if (!take_and(s, out))
        return false;
    while (lexer_take(&s->r->in, "\\/")) {
        if (!take_and(s, &b))
            return false;
        *out =
            add(s, (struct condition){.op = CONDITION_OR, .a = *out, .b = b});
    }
    return true;
}

/* Every element of an array, or what is no array. */
static void show_all(struct conditions *s, struct shown what)
{
    struct litmus *t = s->r->test;
    uint32_t element;
    int location = litmus_location_at(t, what.place, &element);
    const struct location *l = &t->locations.list[location];

    what.whole = l->initial.count > 1;
    for (size_t i = 0; i < l->initial.count; i++) {
        show(s, what);
        what.place += l->element;
    }
}

static bool take_locations(struct conditions *s)
{
    const struct tokens *in = &s->r->in;
    struct shown what;

    if (!lexer_need(&s->r->in, "["))
        return false;
    while (!lexer_take(&s->r->in, "]")) {
        if (lexer_take(&s->r->in, ";"))
            continue;
        bool element = strcmp(lexer_peek(in, 1)->text, "[") == 0 ||
                       strcmp(lexer_peek(in, 2)->text, "[") == 0;

        if (!take_place(s, &what))
            return false;
        if (what.memory && !element)
            show_all(s, what);
        else
            show(s, what);
    }
    return true;
}

static bool take_statement(struct conditions *s)
{
    struct tokens *in = &s->r->in;
    struct litmus *t = s->r->test;

    t->quantifier = QUANTIFIER_EXISTS;
    if (lexer_peek(in, 0)->kind == TOKEN_END)
        return true;
    if (lexer_take(in, "~")) {
        t->quantifier = QUANTIFIER_NOT_EXISTS;
        if (!lexer_need(in, "exists"))
            return false;
    } else if (lexer_take(in, "forall")) {
        t->quantifier = QUANTIFIER_FORALL;
    } else if (!lexer_take(in, "final") && !lexer_take(in, "exists")) {
        return lexer_fail(in, "exists, ~exists or forall is missing");
    }
    return take_or(s, &t->condition);
}

/* Registers first, thread by thread, then memory, each in the order in which
 * the file named them. */
static int by_place(const struct shown *a, const struct shown *b)
{
    if (a->memory != b->memory)
        return a->memory - b->memory;
    if (a->whole != b->whole)
        return a->whole - b->whole;
    if (a->thread != b->thread)
        return a->thread - b->thread;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void sort_shown(struct litmus *t)
{
    for (size_t i = 1; i < t->shown.count; i++) {
        struct shown x = t->shown.list[i];
        size_t at = i;

        for (; at > 0 && by_place(&x, &t->shown.list[at - 1]) < 0; at--)
            t->shown.list[at] = t->shown.list[at - 1];
        t->shown.list[at] = x;
    }
}

bool read_conditions(struct reader *r, const struct asm_arch *arch)
{
    struct conditions s = {.r = r, .arch = arch};

    for (;;) {
        if (lexer_take(&r->in, "locations")) {
            if (!take_locations(&s))
                return false;
        } else if (lexer_take(&r->in, "filter")) {
            if (!take_or(&s, &r->test->filter))
                return false;
        } else {
            break;
        }
    }
    if (!take_statement(&s))
        return false;
    sort_shown(r->test);
    /* Old files go on: who expects what, commands for a drawing. */
    if (lexer_peek(&r->in, 0)->kind == TOKEN_END || lexer_is(&r->in, ";") ||
        lexer_is(&r->in, "with") || lexer_is(&r->in, "<"))
        return true;
    return lexer_fail(&r->in, "something follows the condition,");
}
