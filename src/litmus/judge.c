/* SPDX-License-Identifier: MIT
 *
 * Judges a test: all executions that the model allows, by the states they end
 * in, and whether the statement holds of them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/alu.h"
#include "litmus/brute.h"
#include "litmus/compile.h"
#include "litmus/execute.h"
#include "litmus/formula.h"
#include "litmus/graphs.h"
#include "litmus/litmus.h"
#include "litmus/reader.h"
#include "litmus/taint.h"

#define SHOWN_MAX 64

struct end {
    int64_t *values; /* of what is shown */
    uint64_t executions;
    bool satisfies, passes; /* the condition, the filter */
};

struct judge {
    const struct litmus *test;
    struct unfold unfold;
    struct litmus_answer *answer;
    VEC(struct end) ends;
};

/* ---- states ---- */

/* A cell narrower than what its location was declared to be has its number
 * without a sign. */
static int64_t in_cell(const struct cell *c, const struct location *l,
                       int64_t value)
{
    bool narrow = c->size < l->type.width;
    struct number_type type = {c->size, true};

    return narrow ? alu_typed(value, type) : value;
}

static int64_t memory_at(const struct judge *j, const struct litmus_outcome *o,
                         int64_t address)
{
    uint32_t element;
    int location = litmus_location_at(j->test, address, &element);
    const struct location *l;

    if (location < 0)
        return 0;
    l = &j->test->locations.list[location];
    for (size_t i = 0; i < j->unfold.cells.count; i++)
        if (j->unfold.cells.list[i].address == address)
            return in_cell(&j->unfold.cells.list[i], l, o->memory[i]);
    return l->initial.list[element];
}

static struct number_type type_of(const struct judge *j, const struct shown *s)
{
    uint32_t element;

    if (!s->memory)
        return j->test->threads[s->thread].types[s->place];
    return j->test->locations
        .list[litmus_location_at(j->test, s->place, &element)]
        .type;
}

static int64_t value_of(const struct judge *j, const struct litmus_outcome *o,
                        const struct shown *s)
{
    int64_t v = s->memory ? memory_at(j, o, s->place)
                          : o->registers[s->thread][s->place];

    /* A number of 32 bits has a sign, unless something else was declared. */
    if (type_of(j, s).width == 0 && v >= 0 && v <= UINT32_MAX)
        return (int32_t)v;
    return alu_typed(v, type_of(j, s));
}

/* 32 bits with or without their sign are the same number. */
static bool same_value(int64_t a, int64_t b)
{
    bool small =
        a >= INT32_MIN && a <= UINT32_MAX && b >= INT32_MIN && b <= UINT32_MAX;

    return a == b || (small && (uint32_t)a == (uint32_t)b);
}

/* What the condition compares is the number that the type has. */
static bool is_equal(const struct judge *j, const int64_t *values,
                     const struct condition *c)
{
    for (size_t i = 0; i < j->test->shown.count; i++) {
        const struct shown *s = &j->test->shown.list[i];

        if (s->memory == (c->op == CONDITION_MEMORY) &&
            s->thread == c->thread && s->place == c->place)
            return type_of(j, s).width
                       ? values[i] == alu_typed(c->value, type_of(j, s))
                       : same_value(values[i], c->value);
    }
    CHECK(false); /* what a condition names is shown */
    return false;
}

static bool satisfies(const struct judge *j, const int64_t *values, uint32_t at)
{
    const struct condition *c = &j->test->conditions.list[at];

    switch ((enum condition_op)c->op) {
    case CONDITION_TRUE:
        return true;
    case CONDITION_AND:
        return satisfies(j, values, c->a) && satisfies(j, values, c->b);
    case CONDITION_OR:
        return satisfies(j, values, c->a) || satisfies(j, values, c->b);
    case CONDITION_NOT:
        return !satisfies(j, values, c->a);
    case CONDITION_REGISTER:
    case CONDITION_MEMORY:
        break;
    }
    return is_equal(j, values, c);
}

static struct end *find_end(struct judge *j, const int64_t *values)
{
    size_t n = j->test->shown.count;
    struct end e = {0};

    for (size_t i = j->ends.count; i-- > 0;)
        if (memcmp(j->ends.list[i].values, values, n * sizeof(*values)) == 0)
            return &j->ends.list[i];
    e.values = arena_array(&j->answer->arena, n + 1, sizeof(*values));
    memcpy(e.values, values, n * sizeof(*values));
    e.passes = satisfies(j, values, j->test->filter);
    e.satisfies = satisfies(j, values, j->test->condition);
    VEC_PUSH_IN(&j->answer->arena, &j->ends, e);
    return &VEC_LAST(&j->ends);
}

static void count_execution(void *arg, const struct litmus_outcome *o)
{
    struct judge *j = arg;
    int64_t values[SHOWN_MAX];
    struct end *e;

    for (size_t i = 0; i < j->test->shown.count; i++)
        values[i] = value_of(j, o, &j->test->shown.list[i]);
    e = find_end(j, values);
    e->executions++;
    j->answer->race |= o->race;
}

/* ---- texts ---- */

static void put_value(const struct judge *j, int64_t v, bool is_unsigned,
                      struct buf *out)
{
    uint64_t number = (((uint64_t)v - ADDRESS_BASE) >> ADDRESS_SHIFT) - 1;
    uint32_t element;
    int location = litmus_location_at(j->test, v, &element);

    if (location < 0 && number < j->test->locations.count)
        buf_printf(out, "%s+%" PRIu32, j->test->locations.list[number].name,
                   (uint32_t)v);
    else if (location < 0)
        buf_printf(out, is_unsigned ? "%" PRIu64 : "%" PRId64, v);
    else if (element)
        buf_printf(out, "%s[%u]", j->test->locations.list[location].name,
                   element);
    else
        buf_puts(out, j->test->locations.list[location].name);
}

static void put_place(const struct judge *j, const struct shown *s,
                      struct buf *out)
{
    const struct location *l;
    uint32_t element;
    int location;

    if (!s->memory) {
        buf_printf(out, "%u:%s", s->thread,
                   j->test->threads[s->thread].registers[s->place]);
        return;
    }
    location = litmus_location_at(j->test, s->place, &element);
    l = &j->test->locations.list[location];
    if (l->initial.count == 1)
        buf_printf(out, "[%s]", l->name);
    else if (s->whole)
        buf_puts(out, l->name);
    else
        buf_printf(out, "%s[%u]", l->name, element);
}

/* One value, or those of a whole array; returns how many. */
static size_t put_shown(const struct judge *j, const struct end *e, size_t at,
                        struct buf *out)
{
    const struct shown *s = &j->test->shown.list[at];
    bool is_unsigned = type_of(j, s).is_unsigned;
    uint32_t element;
    size_t n = 1;

    if (!s->whole) {
        put_value(j, e->values[at], is_unsigned, out);
        return 1;
    }
    n = j->test->locations.list[litmus_location_at(j->test, s->place, &element)]
            .initial.count;
    for (size_t i = 0; i < n; i++) {
        buf_putc(out, i ? ',' : '{');
        put_value(j, e->values[at + i], is_unsigned, out);
    }
    buf_putc(out, '}');
    return n;
}

static const char *text_of_end(const struct judge *j, const struct end *e)
{
    struct buf out = {0};
    const char *text;

    for (size_t i = 0; i < j->test->shown.count;) {
        if (i)
            buf_putc(&out, ' ');
        put_place(j, &j->test->shown.list[i], &out);
        buf_putc(&out, '=');
        i += put_shown(j, e, i, &out);
        buf_putc(&out, ';');
    }
    text = arena_copy(&j->answer->arena, out.count ? out.bytes : "");
    buf_free(&out);
    return text;
}

/* `above': the operator around it; \/ inside of /\ needs its parentheses. */
static void put_condition(const struct judge *j, uint32_t at,
                          enum condition_op above, struct buf *out)
{
    const struct condition *c = &j->test->conditions.list[at];
    bool inside = c->op == CONDITION_OR && above == CONDITION_AND;

    switch ((enum condition_op)c->op) {
    case CONDITION_TRUE:
        buf_puts(out, "true");
        break;
    case CONDITION_NOT:
        buf_puts(out, "not (");
        put_condition(j, c->a, CONDITION_NOT, out);
        buf_putc(out, ')');
        break;
    case CONDITION_AND:
    case CONDITION_OR:
        buf_puts(out, inside ? "(" : "");
        put_condition(j, c->a, c->op, out);
        buf_puts(out, c->op == CONDITION_AND ? " /\\ " : " \\/ ");
        put_condition(j, c->b, c->op, out);
        buf_puts(out, inside ? ")" : "");
        break;
    case CONDITION_REGISTER:
    case CONDITION_MEMORY:
        put_place(j,
                  &(struct shown){.memory = c->op == CONDITION_MEMORY,
                                  .thread = c->thread,
                                  .place = c->place},
                  out);
        buf_putc(out, '=');
        put_value(j, c->value, false, out);
        break;
    }
}

static int by_text(const void *a, const void *b)
{
    const struct litmus_state *x = a, *y = b;

    return strcmp(x->text, y->text);
}

static void tell_states(struct judge *j)
{
    struct litmus_answer *a = j->answer;

    for (size_t i = 0; i < j->ends.count; i++) {
        const struct end *e = &j->ends.list[i];

        if (!e->passes)
            continue;
        VEC_PUSH_IN(&a->arena, &a->states, {text_of_end(j, e), e->executions});
        if (e->satisfies)
            a->positive += e->executions;
        else
            a->negative += e->executions;
    }
    if (a->states.count)
        qsort(a->states.list, a->states.count, sizeof(a->states.list[0]),
              by_text);
}

static void tell_statement(struct judge *j)
{
    static const char *const words[] = {"exists", "~exists", "forall"};
    struct litmus_answer *a = j->answer;
    struct buf out = {0};

    a->quantifier = words[j->test->quantifier];
    buf_putc(&out, '(');
    put_condition(j, j->test->condition, CONDITION_TRUE, &out);
    buf_putc(&out, ')');
    a->condition = arena_copy(&a->arena, out.bytes);
    buf_free(&out);
}

/* A loop that was cut leaves executions out: an example still counts, its
 * absence does not. */
static void decide(struct judge *j)
{
    struct litmus_answer *a = j->answer;
    enum quantifier q = j->test->quantifier;
    bool example = q == QUANTIFIER_FORALL ? a->negative > 0 : a->positive > 0;

    a->holds = (q == QUANTIFIER_EXISTS) == example;
    a->judged = !j->unfold.why && (example || !j->unfold.cut);
    if (!a->judged)
        a->why =
            j->unfold.why ? j->unfold.why : "a loop was cut after 4 rounds";
}

/* ---- the whole ---- */

static bool speaks_of_picks(const struct model_axioms *x)
{
    for (const char *const *term = x->ppo; *term; term++)
        if (strstr(*term, "pick"))
            return true;
    return false;
}

static void judge_by_axioms(struct judge *j, const struct litmus_options *o,
                            const struct axioms *x, const char *mapping)
{
    (void)o;
    (void)mapping; /* the threads are compiled by it */
    if (unfold_threads(&j->unfold))
        execute_all(&j->unfold, x, count_execution, j);
}

static bool some_thread(const struct judge *j,
                        bool (*is)(const struct thread *))
{
    for (size_t i = 0; i < j->test->thread_count; i++)
        if (is(&j->test->threads[i]))
            return true;
    return false;
}

/* To the engines, all RMWs of a test are the same: of one instruction, or of
 * two.  And a CAS that succeeds has one execution, where ARM has two. */
static bool is_for_engines(struct judge *j)
{
    if (some_thread(j, taint_has_rmw) && some_thread(j, taint_has_pair))
        j->unfold.why = "RMWs of one instruction beside pairs of exclusives";
    if (j->unfold.picks && some_thread(j, taint_mixes_cas))
        j->unfold.why = "a CAS that compares with what was loaded, and whose "
                        "result is used";
    return !j->unfold.why;
}

static void judge_by_graphs(struct judge *j, const struct litmus_options *o,
                            const struct axioms *x, const char *mapping)
{
    (void)x;
    j->unfold.threads = j->test->threads;
    if (is_for_engines(j))
        graphs_all(&j->unfold, o->model, mapping, count_execution, j);
}

static void judge_by_formula(struct judge *j, const struct litmus_options *o,
                             const struct axioms *x, const char *mapping)
{
    (void)x;
    if (j->unfold.picks && some_thread(j, taint_selects_through_memory))
        j->unfold.why = "a selection that goes through memory to an isb";
    if (is_for_engines(j))
        formula_all(&j->unfold, o->model, mapping, count_execution, j);
}

static void judge_by_force(struct judge *j, const struct litmus_options *o,
                           const struct axioms *x, const char *mapping)
{
    (void)x;
    (void)mapping;
    if (unfold_threads(&j->unfold))
        brute_all(&j->unfold, o->model, count_execution, j);
}

typedef void judges(struct judge *j, const struct litmus_options *o,
                    const struct axioms *x, const char *mapping);

static judges *const judge_by[LITMUS_ENGINE_COUNT] = {
    [LITMUS_AXIOMS] = judge_by_axioms,
    [LITMUS_VERIFY] = judge_by_graphs,
    [LITMUS_CHECK] = judge_by_formula,
    [LITMUS_ORACLE] = judge_by_force,
};

/* The executions of one mapping are added to those of others. */
static void judge_mapping(struct judge *j, const struct litmus_options *o,
                          const struct axioms *x, const char *mapping)
{
    struct arena scratch = ARENA_INIT;
    struct unfold *u = &j->unfold;
    bool cut = u->cut;

    *u = (struct unfold){
        .test = j->test,
        .arena = &scratch,
        .until = o->until,
        .picks = speaks_of_picks(o->model->axioms),
        .status_depends = j->test->arch == ARCH_RISCV,
    };
    u->threads = compile_threads(j->test, o->model, mapping, u->arena, &u->why);
    if (u->threads)
        judge_by[o->engine](j, o, x, mapping);
    u->cut |= cut;
    if (u->why)
        u->why = arena_copy(&j->answer->arena, u->why);
    arena_free(&scratch);
}

/* Mappings differ in RMWs; what the first one weakens besides (ldapr) the
 * others do not.  So without RMWs the first has all executions. */
static bool mappings_differ(const struct litmus *t)
{
    for (size_t i = 0; t->arch == ARCH_C && i < t->thread_count; i++)
        for (size_t k = 0; k < t->threads[i].count; k++)
            if (t->threads[i].list[k].kind == INST_RMW ||
                t->threads[i].list[k].kind == INST_CAS)
                return true;
    return false;
}

static void judge_mappings(struct judge *j, const struct litmus_options *o)
{
    struct axioms *x = malloc(sizeof(*x));
    size_t count = mappings_differ(j->test) ? MODEL_MAPPINGS_MAX : 1;

    CHECK(x);
    axioms_read(x, o->axioms ? o->axioms : o->model->axioms);
    judge_mapping(j, o, x, o->mappings[0]);
    for (size_t i = 1; i < count && o->mappings[i]; i++)
        if (!j->unfold.why)
            judge_mapping(j, o, x, o->mappings[i]);
    free(x);
}

void litmus_judge(const struct litmus *t, const struct litmus_options *o,
                  struct litmus_answer *a)
{
    struct judge j = {.test = t, .answer = a};

    memset(a, 0, sizeof(*a));
    if (t->shown.count > SHOWN_MAX)
        j.unfold.why = "more than 64 values to show";
    else
        judge_mappings(&j, o);
    tell_states(&j);
    tell_statement(&j);
    decide(&j);
}

void litmus_answer_free(struct litmus_answer *a)
{
    arena_free(&a->arena);
}

const char *litmus_observation(const struct litmus_answer *a)
{
    return a->positive == 0   ? "Never"
           : a->negative == 0 ? "Always"
                              : "Sometimes";
}
