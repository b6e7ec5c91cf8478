/* SPDX-License-Identifier: MIT
 *
 * Ask for an outcome, forbid it, ask again.
 */
#include "litmus/formula.h"

#include <string.h>

#include "axioms/axioms.h"
#include "base/seconds.h"
#include "encode/encode.h"
#include "flat/flat.h"
#include "litmus/compile.h"
#include "litmus/formula_inside.h"

struct questions {
    struct unfold *u;
    const struct model *model;
    const struct formula_program *program;
    struct flat flat;
    struct encoding *x;
    found_execution *found;
    void *arg;
    int64_t registers[THREADS_MAX][REGISTERS_MAX];
    bool race;
};

static bool refuse(struct questions *q, const char *why)
{
    if (!q->u->why)
        q->u->why = arena_copy(q->u->arena, why);
    return false;
}

static bool is_late(void *context)
{
    const struct questions *q = context;

    return q->u->until > 0 && seconds_passed() > q->u->until;
}

static enum answer ask(struct questions *q, enum encode_question which)
{
    enum answer a = encode_ask(q->x, which, is_late, q);

    if (a == ANSWER_UNKNOWN)
        refuse(q, "the time was up");
    return a;
}

/* What has no meaning, and loops that go on. */
static bool look_for_limits(struct questions *q)
{
    struct encode_found found;

    while (ask(q, ASK_UNSUPPORTED) == ANSWER_YES) {
        encode_found(q->x, q->u->arena, &found);
        if (!found.text || strcmp(found.text, CUT_TEXT) != 0)
            return refuse(q, found.text ? found.text : "unsupported");
        q->u->cut = true;
        encode_avoid(q->x);
    }
    if (!q->u->why && ask(q, ASK_ERROR) == ANSWER_YES) {
        encode_found(q->x, q->u->arena, &found);
        return refuse(q, found.text ? found.text : "an error");
    }
    return !q->u->why;
}

static void hand_out(struct questions *q, const struct encode_found *found)
{
    int64_t memory[CELLS_MAX];
    struct litmus_outcome o = {.memory = memory, .race = q->race};

    for (size_t i = 0; i < THREADS_MAX; i++)
        o.registers[i] = q->registers[i];
    for (size_t i = 0; i < q->program->places.count; i++) {
        const struct observed_place *p = &q->program->places.list[i];
        int64_t v = formula_number(q->u->test, found->observation[i]);

        if (p->memory)
            memory[p->cell] = v;
        else
            q->registers[p->thread][p->reg] = v;
    }
    q->found(q->arg, &o);
}

static bool find_outcomes(struct questions *q)
{
    struct encode_found found;
    struct err e = {""};

    while (ask(q, ASK_ANY) == ANSWER_YES) {
        encode_found(q->x, q->u->arena, &found);
        if (!axioms_hold(&q->flat, &found.run, q->model, &e))
            return refuse(q, e.text);
        hand_out(q, &found);
        encode_allow(q->x, found.observation);
    }
    return !q->u->why;
}

static bool ask_all(struct questions *q)
{
    static const struct encode_options options = {.order = ORDER_LAZY};
    struct err e = {""};

    q->x = encode_new(&q->flat, q->model, &options, &e);
    if (!q->x)
        return refuse(q, e.text);
    if (encode_places(q->x) != q->program->places.count)
        return refuse(q, "values that are shown in some executions only");
    q->race = q->model->by_language && ask(q, ASK_RACE) == ANSWER_YES;
    return look_for_limits(q) && find_outcomes(q);
}

bool formula_all(struct unfold *u, const struct model *m, const char *mapping,
                 found_execution *found, void *arg)
{
    bool is_c = u->test->arch == ARCH_C;
    struct own_rows rows;
    struct formula_program program;
    struct questions q = {
        .u = u, .program = &program, .found = found, .arg = arg};
    struct flat_bounds *bounds;
    struct err e = {""};

    if (!unfold_threads(u))
        return false;
    u->cut = false;
    u->threads = u->test->threads;
    q.model = rows_begin(&rows, m, is_c ? compile_mapping(m, mapping) : NULL);
    if (!formula_lower(u, is_c ? NULL : &rows, q.model, &program))
        return false;
    bounds = flat_bounds_new();
    if (!flat_unroll(&program.program, NULL, program.entry, bounds, u->arena,
                     &q.flat, &e))
        refuse(&q, e.text);
    else
        ask_all(&q);
    if (q.x)
        encode_free(q.x);
    flat_bounds_free(bounds);
    return !u->why;
}
