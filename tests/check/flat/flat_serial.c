/* SPDX-License-Identifier: MIT
 *
 * flat_serial [-DNAME] FILE.c TEST...: runs each test's unrolled form in every
 * serial order of its operations and with every choice, loads reading what was
 * last stored, and compares the observations with those that src/check/serial
 * mines from the program itself.  Two ways through the same program; they share
 * lsl_eval.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "flat/flat.h"
#include "lower/lower.h"
#include "serial/serial.h"

#define MAX_CELLS 4096
#define MAX_OBSERVED 4096
#define MAX_ROUNDS 30 /* of growing bounds */

struct cell {
    struct lsl_value place, value;
    unsigned size;
};

struct play {
    const struct flat *f;
    struct flat_run run;
    struct cell cells[MAX_CELLS];
    uint32_t cell_count;
    bool *reached; /* observations of the set */
    uint64_t *grow;
    uint32_t grow_count, grow_room;
    const struct observation_set *set;
    bool failed, cut;
    unsigned long plays;
};

/* ---- One execution ---- */

static struct lsl_value initial(const struct flat *f, struct lsl_value place,
                                unsigned size)
{
    const struct flat_object *o = &f->objects[place.base];

    if (o->global)
        return lsl_initial(&f->program->objects[o->global], place.bits, size);
    if (o->zeroed)
        return LSL_INT(0);
    return (struct lsl_value){.kind = LSL_UNDEFINED};
}

static struct cell *cell_of(struct play *p, struct lsl_value place,
                            unsigned size)
{
    for (uint32_t i = 0; i < p->cell_count; i++)
        if (lsl_equal(p->cells[i].place, place))
            return &p->cells[i];
    CHECK(p->cell_count < MAX_CELLS);
    p->cells[p->cell_count] =
        (struct cell){place, initial(p->f, place, size), size};
    return &p->cells[p->cell_count++];
}

static bool is_place(const struct flat *f, struct lsl_value a, unsigned size)
{
    return a.kind == LSL_POINTER && a.base < f->object_count &&
           a.bits <= f->objects[a.base].size &&
           size <= f->objects[a.base].size - a.bits;
}

/* Later events of the thread see what this one did. */
static void play_event(struct play *p, uint32_t number)
{
    const struct flat_event *e = &p->f->events[number];
    struct lsl_value address;
    struct cell *c;

    if (e->kind != FLAT_LOAD && e->kind != FLAT_STORE)
        return;
    flat_evaluate(p->f, &p->run);
    address = p->run.address[number];
    if (!p->run.executed[number])
        return;
    if (!is_place(p->f, address, e->size)) {
        p->failed = true;
        return;
    }
    c = cell_of(p, address, e->size);
    CHECK(c->size == e->size);
    if (e->kind == FLAT_LOAD)
        p->run.value[number] = c->value;
    else
        c->value = p->run.value[number];
}

static bool holds(const struct play *p, uint32_t guard)
{
    return p->run.values[guard].bits != 0;
}

static void note_growth(struct play *p, uint64_t key)
{
    for (uint32_t i = 0; i < p->grow_count; i++)
        if (p->grow[i] == key)
            return;
    CHECK(p->grow_count < p->grow_room);
    p->grow[p->grow_count++] = key;
}

/* What came of it: an observation, unless it failed or was cut. */
static void judge(struct play *p)
{
    const struct flat *f = p->f;
    int64_t values[MAX_OBSERVED];
    uint32_t count = 0;

    flat_evaluate(f, &p->run);
    p->plays++;
    for (uint32_t i = 0; i < f->error_count; i++)
        p->failed |= holds(p, f->errors[i].guard);
    for (uint32_t i = 0; i < f->assume_count; i++)
        if (holds(p, f->assumes[i].guard) && !holds(p, f->assumes[i].condition))
            return;
    for (uint32_t i = 0; i < f->cut_count; i++)
        if (holds(p, f->cuts[i].guard)) {
            if (f->cuts[i].kind == CUT_BOUND)
                note_growth(p, f->cuts[i].key);
            p->cut |= f->cuts[i].kind == CUT_BOUND;
            return;
        }
    for (uint32_t i = 0; i < f->observe_count; i++)
        if (holds(p, f->observes[i].guard)) {
            struct lsl_value v = p->run.values[f->observes[i].value];

            CHECK(count < MAX_OBSERVED && v.kind == LSL_INTEGER);
            values[count++] = (int64_t)v.bits;
        }
    if (p->failed)
        return;
    for (size_t i = 0; i < p->set->count; i++)
        if (count == p->set->width &&
            (!count || memcmp(&p->set->values[i * count], values,
                              count * sizeof(*values)) == 0)) {
            p->reached[i] = true;
            return;
        }
    printf("no serial execution observes");
    for (uint32_t i = 0; i < count; i++)
        printf(" %" PRId64, values[i]);
    printf("\n");
    p->failed = true;
}

/* ---- All executions ---- */

/* The next operation of the thread, from its `done`th event on. */
static void play_operation(struct play *p, uint32_t thread, uint32_t *done)
{
    const struct flat *f = p->f;
    const struct flat_thread *t = &f->threads[thread];
    uint32_t operation = LSL_NONE;

    for (; *done < t->count; ++*done) {
        uint32_t here = f->events[t->first + *done].operation;

        if (here != LSL_NONE && operation != LSL_NONE && here != operation)
            break;
        if (here != LSL_NONE)
            operation = here;
        play_event(p, t->first + *done);
    }
}

static void play_orders(struct play *p, const uint32_t *done)
{
    const struct flat *f = p->f;
    struct cell *kept = NULL;
    struct arena a = ARENA_INIT;
    uint32_t kept_count = p->cell_count;
    bool any = false;

    kept = arena_array(&a, kept_count, sizeof(*kept));
    memcpy(kept, p->cells, kept_count * sizeof(*kept));
    for (uint32_t t = 1; t < f->thread_count && !p->failed; t++) {
        uint32_t *next = arena_array(&a, f->thread_count, sizeof(*next));

        if (done[t] == f->threads[t].count)
            continue;
        any = true;
        memcpy(next, done, f->thread_count * sizeof(*next));
        memcpy(p->cells, kept, kept_count * sizeof(*kept));
        p->cell_count = kept_count;
        play_operation(p, t, &next[t]);
        play_orders(p, next);
    }
    if (!any)
        judge(p);
    arena_free(&a);
}

static void play_choices(struct play *p, uint32_t choice)
{
    const struct flat *f = p->f;
    struct arena a = ARENA_INIT;
    uint32_t *done;

    if (choice < f->choice_count) {
        uint32_t value = f->choices[choice].value;
        uint64_t below = f->values[value].op == FLAT_CHOSEN
                             ? f->values[value].constant.bits
                             : 1;

        for (uint64_t n = 0; n < below && !p->failed; n++) {
            p->run.values[value] = LSL_INT(n);
            play_choices(p, choice + 1);
        }
        return;
    }
    done = arena_array(&a, f->thread_count, sizeof(*done));
    p->cell_count = 0;
    for (uint32_t i = 0; i < f->threads[0].count; i++)
        play_event(p, i);
    play_orders(p, done);
    arena_free(&a);
}

static void play_all(struct play *p, struct arena *a)
{
    const struct flat *f = p->f;

    p->run.values = arena_array(a, f->value_count, sizeof(*p->run.values));
    p->run.executed = arena_array(a, f->event_count, sizeof(bool));
    p->run.address = arena_array(a, f->event_count, sizeof(struct lsl_value));
    p->run.value = arena_array(a, f->event_count, sizeof(struct lsl_value));
    p->grow_room = f->cut_count;
    p->grow = arena_array(a, f->cut_count, sizeof(*p->grow));
    play_choices(p, 0);
}

/* Unrolled further and further, until no serial execution is cut. */
static bool compare(const struct lsl_program *program, const struct test *test,
                    const struct observation_set *set, struct arena *a,
                    struct err *e)
{
    struct flat_bounds *bounds = flat_bounds_new();
    struct play *p = arena_alloc(a, sizeof(*p));
    struct flat f;
    bool good = true;
    size_t reached = 0;

    for (int i = 0; i < MAX_ROUNDS && good; i++) {
        *p = (struct play){.f = &f, .set = set};
        p->reached = arena_array(a, set->count, sizeof(bool));
        good = flat_unroll(program, test, LSL_NONE, bounds, a, &f, e);
        if (good)
            play_all(p, a);
        for (uint32_t k = 0; k < p->grow_count; k++)
            flat_bounds_grow(bounds, p->grow[k]);
        if (!p->cut)
            break;
    }
    flat_bounds_free(bounds);
    if (!good)
        return false;
    for (size_t i = 0; i < set->count; i++)
        reached += p->reached[i];
    printf("%s: %zu of %zu observations in %lu executions\n", test->name,
           reached, set->count, p->plays);
    if (p->failed || p->cut || reached != set->count)
        return err_set(e, "%s",
                       p->failed ? "an execution fails"
                       : p->cut  ? "loops without end"
                                 : "observations not reached");
    return true;
}

static bool check(const struct lsl_program *p, const char *text,
                  struct arena *a, struct err *e)
{
    const struct serial_options options = {.max = 100000};
    struct observation_set set = {0};
    struct serial_failure failure = {0};
    struct test test;

    if (!lsl_parse_test(p, text, a, &test, e))
        return false;
    if (serial_mine(p, &test, &options, a, &set, &failure, e) != SERIAL_DONE)
        return err_in(e, "%s", text);
    return compare(p, &test, &set, a, e) || err_in(e, "%s", text);
}

int main(int argc, char **argv)
{
    struct arena a = ARENA_INIT;
    struct lsl_program p;
    struct err e = {""};
    const char *cflags = argc > 1 && argv[1][0] == '-' ? argv[1] : NULL;
    int at = cflags ? 2 : 1;
    const char *file = at < argc ? argv[at] : "";
    bool good = lower_sources(&file, 1, cflags, &a, &p, &e) == LOWER_DONE;

    for (int i = at + 1; i < argc && good; i++)
        good = check(&p, argv[i], &a, &e);
    if (!good)
        printf("%s\n", e.text);
    arena_free(&a);
    return good ? 0 : 1;
}
