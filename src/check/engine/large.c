/* SPDX-License-Identifier: MIT
 *
 * Tests with too many observations to list them: the specification becomes
 * part of the formula (encode/encode_copy.c).  That needs to know for each
 * operation the access at which it takes effect, its commit.  Nobody is asked
 * for it: on a small test of the same operations every choice of accesses is
 * tried until one explains all executions.
 *
 * With other commits than the right ones nothing wrong is told: a difference
 * found is looked up among the serial executions, and only what none of them
 * explains is a violation.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "engine/engine_inside.h"

/* Threads of the small test have no more calls than this. */
#define SMALL_CALLS 2
#define SITES_MAX 64

/* ---- The small test ---- */

static void make_small(const struct test *test, struct arena *a,
                       struct test *out)
{
    *out = *test;
    out->threads = arena_array(a, test->thread_count, sizeof *out->threads);
    for (uint32_t i = 0; i < test->thread_count; i++) {
        out->threads[i] = test->threads[i];
        if (out->threads[i].count > SMALL_CALLS)
            out->threads[i].count = SMALL_CALLS;
    }
}

/* ---- Candidates ---- */

struct choice {
    uint32_t operation; /* of the program */
    uint32_t sites[SITES_MAX];
    uint32_t count, at;
};

struct choices {
    struct choice *list;
    uint32_t count;
};

static struct choice *choice_of(struct choices *c, uint32_t operation)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->list[i].operation == operation)
            return &c->list[i];
    }
    return NULL;
}

static void add_site(struct choice *c, uint32_t site)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->sites[i] == site)
            return;
    }
    if (c->count < SITES_MAX)
        c->sites[c->count++] = site;
}

static uint32_t find_operation(const struct lsl_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->operation_count; i++) {
        if (strcmp(p->operations[i].name, name) == 0)
            return i;
    }
    return LSL_NONE;
}

/* Stores first, the last of them before the others: operations tend to commit
 * where they write. */
static void add_sites(const struct flat *f, const struct flat_operation *o,
                      struct choice *c)
{
    for (int loads = 0; loads < 2; loads++) {
        for (uint32_t i = o->count; i-- > 0;) {
            const struct flat_event *e = &f->events[o->first + i];

            if (e->kind == (loads ? FLAT_LOAD : FLAT_STORE) && e->site &&
                !(e->flags & (FLAT_LOCK | FLAT_GHOST)))
                add_site(c, e->site);
        }
    }
}

static void find_choices(const struct flat *f, struct arena *a,
                         struct choices *out)
{
    out->list =
        arena_array(a, f->program->operation_count + 1, sizeof *out->list);
    for (uint32_t i = 0; i < f->operation_count; i++) {
        const struct flat_operation *o = &f->operations[i];
        uint32_t operation = find_operation(f->program, o->name);
        struct choice *c;

        if (o->thread == 0 || operation == LSL_NONE)
            continue;
        c = choice_of(out, operation);
        if (!c) {
            c = &out->list[out->count++];
            c->operation = operation;
        }
        add_sites(f, o, c);
    }
}

/* The next combination; false: that was the last. */
static bool next_choice(struct choices *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (++c->list[i].at < c->list[i].count)
            return true;
        c->list[i].at = 0;
    }
    return false;
}

/* ---- Trying them ---- */

static uint32_t *sites_of(const struct flat *f, const struct commits *commits,
                          struct arena *a)
{
    uint32_t *sites = arena_array(a, f->operation_count + 1, sizeof *sites);

    for (uint32_t i = 0; i < f->operation_count; i++) {
        uint32_t operation = find_operation(f->program, f->operations[i].name);

        sites[i] = operation == LSL_NONE ? LSL_NONE : commits->sites[operation];
    }
    return sites;
}

static void take_choice(const struct choices *c, struct commits *out)
{
    for (uint32_t i = 0; i < c->count; i++)
        out->sites[c->list[i].operation] = c->list[i].sites[c->list[i].at];
}

static bool explains(struct session *s, const struct flat *f,
                     const struct commits *commits)
{
    struct encode_options options = {0};
    struct arena scratch = ARENA_INIT;
    struct err e;
    struct encoding *x = encode_new(f, &model_sc, &options, &e);
    bool ok = x != NULL;

    if (ok)
        encode_add_serial(x, sites_of(f, commits, &scratch));
    ok = ok && encode_ask_serial(x, true, session_stop, s) == ANSWER_NO &&
         encode_ask_serial(x, false, session_stop, s) == ANSWER_NO;
    encode_free(x);
    arena_free(&scratch);
    return ok;
}

static bool try_all(struct session *s, const struct flat *f,
                    struct choices *choices, struct commits *out)
{
    for (uint32_t i = 0; i < choices->count; i++) {
        if (choices->list[i].count == 0)
            return false;
    }
    do {
        take_choice(choices, out);
        if (explains(s, f, out))
            return true;
    } while (!session_ended(s) && next_choice(choices));
    return false;
}

static void tell_commits(struct session *s, const struct test *test,
                         const struct choices *c)
{
    const struct lsl_program *p = s->options->program;
    struct buf text = {0};

    for (uint32_t i = 0; i < c->count; i++) {
        buf_printf(&text, "%s%s at ", i ? ", " : "",
                   p->operations[c->list[i].operation].name);
        lsl_put_site(p, c->list[i].sites[c->list[i].at], &text);
    }
    lines_add(&s->result->limits,
              "%s: too many observations to list them: its executions were "
              "compared with the serial one in which operations take effect "
              "in the order of %s",
              test->name, text.bytes);
    buf_free(&text);
}

bool large_find_commits(struct session *s, const struct test *test,
                        struct commits *out)
{
    const struct lsl_program *p = s->options->program;
    struct flat_bounds *bounds = flat_bounds_new();
    struct arena scratch = ARENA_INIT;
    struct choices choices = {0};
    struct test small;
    struct flat f;
    struct err e;
    bool found;

    out->sites =
        arena_array(s->arena, p->operation_count + 1, sizeof *out->sites);
    make_small(test, &scratch, &small);
    found = flat_unroll(p, &small, p->main, bounds, &scratch, &f, &e);
    if (found) {
        find_choices(&f, &scratch, &choices);
        found = choices.count && try_all(s, &f, &choices, out);
    }
    if (found)
        tell_commits(s, test, &choices);
    arena_free(&scratch);
    flat_bounds_free(bounds);
    return found;
}

/* ---- In a trial ---- */

void large_begin(struct trial *t)
{
    encode_add_serial(t->x, sites_of(t->flat, t->expected->commits, &t->arena));
}

/* Has some serial execution the observation that was found? */
static bool is_explained(struct trial *t)
{
    struct arena scratch = ARENA_INIT;
    struct encode_found found;
    uint32_t places = encode_places(t->x), width = 0;
    int64_t *values = arena_array(&scratch, places + 1, sizeof *values);
    bool explained;

    encode_found(t->x, &scratch, &found);
    for (uint32_t i = 0; i < places; i++) {
        if (found.observation[i].kind == LSL_INTEGER)
            values[width++] = (int64_t)found.observation[i].bits;
    }
    explained = serial_explains(t->s->options->program, t->test, values, width);
    arena_free(&scratch);
    return explained;
}

/* What was not proved is only not used. */
static bool prove_lemmas(struct trial *t)
{
    size_t n = encode_lemmas(t->x), proved = 0;

    session_stage(t->s, t->test, t->model, "operation by operation");
    for (size_t i = 0; i < n && !session_ended(t->s); i++)
        proved += encode_try_lemma(t->x, i, session_stop, t->s) == ANSWER_NO;
    LOG(CHECK, "%s: %zu of %zu lemmas", t->test->name, proved, n);
    return !session_ended(t->s);
}

enum answer large_ask(struct trial *t)
{
    enum answer disorder, difference;

    if (!prove_lemmas(t))
        return ANSWER_UNKNOWN;
    session_stage(t->s, t->test, t->model, "violations");
    disorder = encode_ask_serial(t->x, true, session_stop, t->s);
    if (disorder == ANSWER_YES && is_explained(t)) {
        lines_add(&t->s->result->limits,
                  "%s on %s: commits are not in the order of operations",
                  t->test->name, t->model->words);
        return ANSWER_UNKNOWN;
    }
    if (disorder != ANSWER_NO)
        return disorder;
    difference = encode_ask_serial(t->x, false, session_stop, t->s);
    if (difference == ANSWER_YES && is_explained(t)) {
        lines_add(&t->s->result->limits,
                  "%s on %s: an execution differs from the serial one beside "
                  "it, but another one explains it",
                  t->test->name, t->model->words);
        return ANSWER_UNKNOWN;
    }
    return difference;
}
