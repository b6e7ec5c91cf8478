/* SPDX-License-Identifier: MIT
 *
 * Unrolling against running: random programs are run step by step, with loads
 * that return whatever a generator says, and the unrolled form is evaluated
 * with the same values.  Both must make the same accesses with the same
 * addresses and values, observe the same, and end in the same way, up to where
 * a loop is cut at its bound; then it may come round once more, and all again.
 * A round that does nothing is recognised by both, or by neither.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flat/flat.h"
#include "lsl_random.h"

#define PROGRAMS 3000
#define MAX_TRACE 4000
#define MAX_STEPS 3000
#define MAX_SIZE 400000 /* values times events: evaluating takes that long */

struct trace_entry {
    char what; /* L, S, O; E: error, A: assumption, R: return, I: idle */
    struct lsl_value address, value;
};

struct trace {
    struct trace_entry list[MAX_TRACE];
    uint32_t count;
    uint32_t loads, choices;
    uint64_t seed;
};

static void note(struct trace *t, char what, struct lsl_value address,
                 struct lsl_value value)
{
    CHECK(t->count < MAX_TRACE);
    t->list[t->count++] = (struct trace_entry){what, address, value};
}

static struct lsl_value load_of(struct trace *t)
{
    uint64_t state = (t->seed + 1) * 0xd1342543de82ef95ull + t->loads++;
    uint32_t n = (random_below(&state, 2), random_below(&state, 100));

    if (n == 0)
        return (struct lsl_value){.kind = LSL_UNDEFINED};
    return LSL_INT(n == 1 ? ~0ull : n % 3);
}

static struct lsl_value choice_of(struct trace *t)
{
    uint64_t state = (t->seed + 7) * 0xd1342543de82ef95ull + t->choices++;

    random_below(&state, 2);
    return LSL_INT(random_below(&state, 2));
}

/* ---- Running ---- */

struct machine {
    const struct lsl_program *program;
    struct trace *trace;
    struct lsl_value cells[1000][2]; /* private arrays */
    uint32_t cell_count, steps, effects;
};

/* What a round of a loop began with. */
struct start {
    struct lsl_value carried[2];
    struct lsl_value (*cells)[2];
    uint32_t cell_count, effects;
};

static const struct lsl_value none = {LSL_UNDEFINED, 0, 0};

static bool is_true(struct lsl_value v)
{
    return v.kind == LSL_POINTER || (v.kind == LSL_INTEGER && v.bits);
}

static bool stop(struct machine *m, char what)
{
    note(m->trace, what, none, none);
    return false;
}

static struct lsl_value combined(enum rmw_op op, struct lsl_value a,
                                 struct lsl_value b)
{
    static const enum lsl_pure pure[] = {
        [RMW_ADD] = PURE_ADD,  [RMW_SUB] = PURE_SUB, [RMW_AND] = PURE_AND,
        [RMW_NAND] = PURE_AND, [RMW_OR] = PURE_OR,   [RMW_XOR] = PURE_XOR};
    struct lsl_value out, less;
    bool is_signed = op == RMW_MAX || op == RMW_MIN;

    if (op == RMW_XCHG)
        return b;
    if (op < RMW_MAX) {
        lsl_eval(pure[op], 64, 64, a, b, &out);
        if (op == RMW_NAND)
            lsl_eval(PURE_XOR, 64, 64, out, LSL_INT(~0ull), &out);
        return out;
    }
    lsl_eval(is_signed ? PURE_SLT : PURE_ULT, 1, 64,
             op == RMW_MAX || op == RMW_UMAX ? a : b,
             op == RMW_MAX || op == RMW_UMAX ? b : a, &less);
    return is_true(less) ? b : a;
}

static bool run_access(struct machine *m, const struct lsl_inst *i,
                       struct lsl_value *regs)
{
    struct lsl_value a = regs[i->a], old = none, new;

    if (i->flags & LSL_PRIVATE) {
        struct lsl_value *cell;

        if (a.kind == LSL_UNDEFINED)
            return stop(m, 'E');
        cell = &m->cells[a.base - 1000][a.bits / 8];
        if (i->op == LSL_LOAD)
            regs[i->dst] = *cell;
        else
            *cell = regs[i->b];
        return true;
    }
    if (i->op != LSL_STORE) {
        old = load_of(m->trace);
        note(m->trace, 'L', a, old);
        regs[i->dst] = old;
    }
    if (i->op == LSL_LOAD)
        return true;
    new = i->op == LSL_STORE ? regs[i->b]
          : i->op == LSL_CAS ? regs[i->c]
                             : combined((enum rmw_op)i->pure, old, regs[i->b]);
    if (i->op == LSL_CAS) {
        struct lsl_value same;

        lsl_eval(PURE_EQ, 1, 64, old, regs[i->b], &same);
        if (same.kind == LSL_UNDEFINED)
            return stop(m, 'E');
        if (!same.bits)
            return true;
    }
    note(m->trace, 'S', a, new);
    m->effects += i->op == LSL_STORE || !lsl_equal(old, new);
    return true;
}

static bool run_proc(struct machine *m, uint32_t proc,
                     const struct lsl_value *args, struct lsl_value *result);

static bool run_inst(struct machine *m, const struct lsl_proc *p,
                     const struct lsl_inst *i, struct lsl_value *regs)
{
    struct lsl_value a = i->a == LSL_NONE ? none : regs[i->a];
    struct lsl_value b = i->b == LSL_NONE ? none : regs[i->b], args[2];

    if (m->steps++ > MAX_STEPS)
        return stop(m, '.');
    switch (i->op) {
    case LSL_PURE:
        return lsl_eval(i->pure, i->width, i->in_width, a, b, &regs[i->dst]) !=
                   LSL_BY_ZERO ||
               stop(m, 'E');
    case LSL_SELECT:
        if (a.kind == LSL_UNDEFINED)
            return stop(m, 'E');
        regs[i->dst] = is_true(a) ? b : regs[i->c];
        return true;
    case LSL_STACK:
        CHECK(m->cell_count < 1000);
        memset(m->cells[m->cell_count], 0, sizeof(m->cells[0]));
        regs[i->dst] =
            (struct lsl_value){LSL_POINTER, 1000 + m->cell_count++, 0};
        return true;
    case LSL_CHOOSE:
        regs[i->dst] = choice_of(m->trace);
        return true;
    case LSL_OBSERVE:
        if (a.kind == LSL_UNDEFINED)
            return stop(m, 'E');
        note(m->trace, 'O', none, a);
        m->effects++;
        return true;
    case LSL_ASSUME:
    case LSL_ASSERT:
        if (is_true(a))
            return true;
        return stop(m,
                    i->op == LSL_ASSUME && a.kind != LSL_UNDEFINED ? 'A' : 'E');
    case LSL_CALL:
        args[0] = regs[p->args[i->first]];
        args[1] = regs[p->args[i->first + 1]];
        return run_proc(m, i->proc, args, &regs[i->dst]);
    default:
        return run_access(m, i, regs);
    }
}

static void run_phis(const struct lsl_proc *p, const struct lsl_block *b,
                     uint32_t from, struct lsl_value *regs)
{
    struct lsl_value now[16];
    uint32_t count = 0;

    for (; count < b->count && p->insts[b->first + count].op == LSL_PHI;
         count++) {
        const struct lsl_inst *i = &p->insts[b->first + count];

        CHECK(count < 16);
        for (uint32_t k = 0; k < i->count; k++)
            if (p->edges[i->first + k].block == from)
                now[count] = regs[p->edges[i->first + k].reg];
    }
    for (uint32_t k = 0; k < count; k++)
        regs[p->insts[b->first + k].dst] = now[k];
}

static bool all_equal(const struct lsl_value *a, const struct lsl_value *b,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!lsl_equal(a[i], b[i]))
            return false;
    return true;
}

/* At the header of a loop, its PHIs done: did the round before do nothing? */
static bool was_idle(struct machine *m, const struct lsl_value *carried,
                     struct start *s, bool came_round)
{
    bool idle = came_round && s->effects == m->effects &&
                all_equal(s->carried, carried, 2) &&
                all_equal(s->cells[0], m->cells[0], s->cell_count * 2);

    if (!s->cells)
        s->cells = calloc(1, sizeof(m->cells));
    memcpy(s->carried, carried, sizeof(s->carried));
    memcpy(s->cells, m->cells, sizeof(m->cells[0]) * m->cell_count);
    s->cell_count = m->cell_count;
    s->effects = m->effects;
    return idle;
}

static uint32_t loop_at(const struct lsl_proc *p, uint32_t block)
{
    for (uint32_t l = 0; l < p->loop_count; l++)
        if (p->loops[l].header == block)
            return l;
    return LSL_NONE;
}

static void free_starts(struct start *s, uint32_t count)
{
    for (uint32_t l = 0; l < count; l++)
        free(s[l].cells);
    free(s);
}

static bool run_proc(struct machine *m, uint32_t proc,
                     const struct lsl_value *args, struct lsl_value *result)
{
    const struct lsl_proc *p = &m->program->procs[proc];
    struct lsl_value *regs = calloc(p->reg_count, sizeof(*regs));
    struct start *starts = calloc(p->loop_count + 1, sizeof(*starts));
    uint32_t from = LSL_NONE, at = 0;
    bool on = true;

    memcpy(regs, args, p->param_count * sizeof(*regs));
    memcpy(regs + p->param_count, p->constants,
           p->constant_count * sizeof(*regs));
    while (on && at != LSL_NONE) {
        const struct lsl_block *b = &p->blocks[at];

        uint32_t loop = loop_at(p, at);

        run_phis(p, b, from, regs);
        if (loop != LSL_NONE && was_idle(m, &regs[p->insts[b->first].dst],
                                         &starts[loop], at <= from))
            on = stop(m, 'I');
        for (uint32_t k = 0; on && k < b->count; k++)
            if (p->insts[b->first + k].op != LSL_PHI)
                on = run_inst(m, p, &p->insts[b->first + k], regs);
        from = at;
        at = b->then;
        if (on && b->cond != LSL_NONE) {
            if (regs[b->cond].kind == LSL_UNDEFINED)
                on = stop(m, 'E');
            if (!is_true(regs[b->cond]))
                at = b->otherwise;
        }
        if (on && at == LSL_NONE)
            *result = regs[b->result];
    }
    free(regs);
    free_starts(starts, p->loop_count);
    return on;
}

static void run_program(const struct lsl_program *p, struct trace *t)
{
    struct machine *m = calloc(1, sizeof(*m));
    struct lsl_value args[2] = {none, none}, result;

    m->program = p;
    m->trace = t;
    if (run_proc(m, p->main, args, &result))
        note(t, 'R', none, none);
    free(m);
}

/* ---- Evaluating ---- */

static void init_run(const struct flat *f, struct arena *a,
                     struct flat_run *run)
{
    *run = (struct flat_run){0};
    run->values = arena_array(a, f->value_count, sizeof(*run->values));
    run->executed = arena_array(a, f->event_count, sizeof(*run->executed));
    run->address = arena_array(a, f->event_count, sizeof(*run->address));
    run->value = arena_array(a, f->event_count, sizeof(*run->value));
}

static bool holds(const struct flat_run *run, uint32_t guard)
{
    return run->values[guard].bits != 0;
}

/* Loads and choices in program order, each once its guard is known: both have
 * larger numbers than their guards. */
static void feed(const struct flat *f, struct flat_run *run, struct trace *t)
{
    uint32_t choice = 0, event = 0;

    while (choice < f->choice_count || event < f->event_count) {
        bool chooses = choice < f->choice_count;

        while (event < f->event_count && f->events[event].kind != FLAT_LOAD)
            event++;
        if (chooses && event < f->event_count)
            chooses = f->choices[choice].value < f->events[event].value;
        flat_evaluate(f, run);
        if (chooses) {
            if (holds(run, f->choices[choice].guard))
                run->values[f->choices[choice].value] = choice_of(t);
            choice++;
        } else if (event < f->event_count) {
            if (run->executed[event])
                run->value[event] = load_of(t);
            event++;
        }
    }
    flat_evaluate(f, run);
}

/* The accesses that happen; then observations; then how it ends. */
static void trace_flat(const struct flat *f, const struct flat_run *run,
                       struct trace *t)
{
    t->count = 0;
    for (uint32_t i = 0; i < f->event_count; i++)
        if (run->executed[i] && f->events[i].kind <= FLAT_STORE)
            note(t, f->events[i].kind == FLAT_LOAD ? 'L' : 'S', run->address[i],
                 run->value[i]);
    for (uint32_t i = 0; i < f->observe_count; i++)
        if (holds(run, f->observes[i].guard))
            note(t, 'O', none, run->values[f->observes[i].value]);
    for (uint32_t i = 0; i < f->error_count; i++)
        if (holds(run, f->errors[i].guard))
            note(t, 'E', none, none);
    for (uint32_t i = 0; i < f->assume_count; i++)
        if (holds(run, f->assumes[i].guard) &&
            !holds(run, f->assumes[i].condition))
            note(t, 'A', none, none);
    for (uint32_t i = 0; i < f->cut_count; i++)
        if (holds(run, f->cuts[i].guard) && f->cuts[i].kind == CUT_IDLE)
            note(t, 'I', none, none);
    if (holds(run, f->events[f->event_count - 1].guard))
        note(t, 'R', none, none);
}

/* Observations after accesses, as trace_flat has them. */
static void sort_trace(struct trace *t)
{
    struct trace *old = malloc(sizeof(*old));
    uint32_t count = 0;

    memcpy(old, t, sizeof(*old));
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < old->count; i++) {
            char what = old->list[i].what;

            if ((what == 'L' || what == 'S') == (pass == 0))
                t->list[count++] = old->list[i];
        }
    free(old);
}

static bool equal(const struct trace_entry *a, const struct trace_entry *b)
{
    return a->what == b->what && lsl_equal(a->address, b->address) &&
           lsl_equal(a->value, b->value);
}

static uint32_t accesses_of(const struct trace *t)
{
    uint32_t n = 0;

    while (n < t->count && strchr("LS", t->list[n].what))
        n++;
    return n;
}

/* What was cut is a beginning; what was not is all. */
static bool agree(const struct trace *want, const struct trace *got, bool cut)
{
    uint32_t n = accesses_of(got);

    if (cut && n > accesses_of(want))
        return false;
    if (!cut && want->count != got->count)
        return false;
    if (!cut)
        n = got->count;
    for (uint32_t i = 0; i < n; i++)
        if (!equal(&want->list[i], &got->list[i]))
            return false;
    return true;
}

/* Which cut it ran into, or NULL. */
static const struct flat_cut *cut_of(const struct flat *f,
                                     const struct flat_run *run)
{
    const struct flat_cut *found = NULL;

    for (uint32_t i = 0; i < f->cut_count; i++)
        if (holds(run, f->cuts[i].guard)) {
            assert_null(found);
            found = &f->cuts[i];
        }
    return found;
}

struct tally {
    unsigned whole, idle, bound, accesses;
};

static void compare(uint64_t seed, struct tally *tally)
{
    struct arena a = ARENA_INIT;
    struct trace *want = calloc(1, sizeof(*want)), *got;
    struct flat_bounds *bounds = flat_bounds_new();
    const struct flat_cut *cut = NULL;
    struct lsl_program p;
    bool ended = false;

    got = calloc(1, sizeof(*got));
    random_program(seed, &a, &p);
    want->seed = seed;
    run_program(&p, want);
    sort_trace(want);
    for (int round = 0; round < 6; round++) {
        struct flat_run run;
        struct flat f;
        struct err e;

        if (!flat_unroll(&p, NULL, p.main, bounds, &a, &f, &e)) {
            assert_non_null(strstr(e.text, "a loop of more than"));
            break;
        }
        if ((uint64_t)f.value_count * f.event_count > MAX_SIZE)
            break;
        ended = true;
        *got = (struct trace){.seed = seed};
        init_run(&f, &a, &run);
        feed(&f, &run, got);
        trace_flat(&f, &run, got);
        cut = cut_of(&f, &run);
        if (!agree(want, got, cut && cut->kind == CUT_BOUND))
            fail_msg("seed %lu, round %d: they differ", (unsigned long)seed,
                     round);
        if (!cut || cut->kind != CUT_BOUND)
            break;
        flat_bounds_grow(bounds, cut->key);
    }
    tally->whole += ended && !cut;
    tally->idle += cut && cut->kind == CUT_IDLE;
    tally->bound += cut && cut->kind == CUT_BOUND;
    tally->accesses += accesses_of(got);
    flat_bounds_free(bounds);
    arena_free(&a);
    free(want);
    free(got);
}

static void unrolled_is_as_run(void **unused)
{
    struct tally t = {0};

    (void)unused;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        compare(seed, &t);
    print_message("%u whole, %u idle, %u at a bound, %u accesses\n", t.whole,
                  t.idle, t.bound, t.accesses);
    assert_true(t.whole > PROGRAMS / 2);
    assert_true(t.accesses > PROGRAMS * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unrolled_is_as_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
