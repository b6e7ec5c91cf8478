/* SPDX-License-Identifier: MIT
 *
 * The axioms one after the other: values fit the program, <M is a total order
 * in which units are steps, it keeps what the model keeps of program order,
 * every load returns the last store that it sees, and no value depends on
 * itself.
 */
#include "axioms/axioms.h"

#include <string.h>

#include "axioms/axioms_inside.h"
#include "base/buf.h"

bool axioms_is_access(const struct flat_event *e)
{
    return e->kind == FLAT_LOAD || e->kind == FLAT_STORE ||
           e->kind == FLAT_FREE;
}

bool axioms_same_memory(const struct judged *j, uint32_t a, uint32_t b)
{
    struct lsl_value x = j->run.address[a], y = j->run.address[b];

    if (x.kind != LSL_POINTER || y.kind != LSL_POINTER || x.base != y.base)
        return false;
    return j->flat->events[a].kind == FLAT_FREE ||
           j->flat->events[b].kind == FLAT_FREE || x.bits == y.bits;
}

const char *axioms_words(struct judged *j, uint32_t event)
{
    static const char *const names[] = {
        [FLAT_LOAD] = "load",   [FLAT_STORE] = "store",
        [FLAT_FENCE] = "fence", [FLAT_CREATE] = "create",
        [FLAT_START] = "start", [FLAT_EXIT] = "exit",
        [FLAT_JOIN] = "join",   [FLAT_FREE] = "free"};
    const struct flat_event *e = &j->flat->events[event];
    struct buf text = {0};
    const char *words;

    lsl_put_site(j->flat->program, e->site, &text);
    words = arena_printf(&j->arena, "%s: %s (event %u)", text.bytes,
                         names[e->kind], event);
    buf_free(&text);
    return words;
}

/* ---- Values ---- */

static void *copy(struct arena *a, const void *from, size_t count, size_t size)
{
    void *to = arena_array(a, count + 1, size);

    memcpy(to, from, count * size);
    return to;
}

static void copy_run(struct judged *j, const struct flat_run *run)
{
    const struct flat *f = j->flat;
    struct arena *a = &j->arena;
    size_t events = f->event_count;

    j->run = (struct flat_run){
        .values = copy(a, run->values, f->value_count, sizeof *run->values),
        .executed = arena_array(a, events + 1, sizeof *run->executed),
        .address = arena_array(a, events + 1, sizeof *run->address),
        .value = copy(a, run->value, events, sizeof *run->value),
        .rf = run->rf,
        .order = run->order,
        .order_count = run->order_count,
    };
    flat_evaluate(f, &j->run);
}

static bool check_choices(struct judged *j, struct err *e)
{
    for (uint32_t i = 1; i < j->flat->value_count; i++) {
        const struct flat_value *v = &j->flat->values[i];
        struct lsl_value chosen = j->run.values[i];

        if (v->op == FLAT_CHOSEN &&
            (chosen.kind != LSL_INTEGER || chosen.bits >= v->constant.bits))
            return err_set(e, "value %u: such a number cannot be chosen", i);
    }
    return true;
}

bool axioms_has_memory(const struct judged *j, uint32_t event)
{
    const struct flat_event *e = &j->flat->events[event];
    struct lsl_value at = j->run.address[event];
    const struct flat_object *o;

    /* free takes what malloc returned, and NULL. */
    if (e->kind == FLAT_FREE && at.kind == LSL_INTEGER && at.bits == 0)
        return true;
    if (at.kind != LSL_POINTER || !at.base || at.base >= j->flat->object_count)
        return false;
    o = &j->flat->objects[at.base];
    if (e->kind == FLAT_FREE)
        return o->heap && at.bits == 0;
    return o->size == UINT64_MAX ||
           (e->size <= o->size && at.bits <= o->size - e->size);
}

static bool check_event(struct judged *j, const struct flat_run *claim,
                        uint32_t i, struct err *e)
{
    const struct flat_event *x = &j->flat->events[i];
    bool access = axioms_is_access(x);

    if (access && j->run.executed[i] && !axioms_has_memory(j, i)) {
        j->run.executed[i] = false;
        if (x->kind == FLAT_LOAD && j->run.value[i].kind != LSL_UNDEFINED)
            return err_set(e, "%s: it returns a value from nowhere",
                           axioms_words(j, i));
    }
    if (claim->executed[i] != j->run.executed[i])
        return err_set(e, "%s: it is%s executed", axioms_words(j, i),
                       j->run.executed[i] ? "" : " not");
    if (!access || !j->run.executed[i])
        return true;
    if (!lsl_equal(claim->address[i], j->run.address[i]))
        return err_set(e, "%s: its address is another", axioms_words(j, i));
    if (x->kind == FLAT_STORE && !lsl_equal(claim->value[i], j->run.value[i]))
        return err_set(e, "%s: its value is another", axioms_words(j, i));
    return true;
}

/* What the execution is said to do is what it does. */
static bool check_claims(struct judged *j, const struct flat_run *claim,
                         struct err *e)
{
    for (uint32_t i = 0; i < j->flat->event_count; i++)
        if (!check_event(j, claim, i, e))
            return false;
    return true;
}

/* ---- The order ---- */

static bool take_order(struct judged *j, struct err *e)
{
    const struct flat *f = j->flat;
    uint32_t expected = 0;

    j->place = arena_array(&j->arena, f->event_count + 1, sizeof *j->place);
    for (uint32_t i = 0; i < j->run.order_count; i++) {
        uint32_t event = j->run.order[i];

        if (event >= f->event_count || !axioms_is_access(&f->events[event]) ||
            !j->run.executed[event] || j->place[event])
            return err_set(e,
                           "place %u of the memory order is no access, or "
                           "one that was there before",
                           i);
        j->place[event] = i + 1;
    }
    for (uint32_t i = 0; i < f->event_count; i++)
        expected += axioms_is_access(&f->events[i]) && j->run.executed[i];
    if (expected != j->run.order_count)
        return err_set(e, "the memory order has %u accesses of %u",
                       j->run.order_count, expected);
    return true;
}

/* Is it one half of two that are events of their own? */
static bool is_split(const struct judged *j, const struct flat_event *e)
{
    const struct model_axioms *m = j->model->axioms;
    const struct model_mapping *mapping;

    if (!axioms_are_stated(j->model))
        return false;
    mapping = m->mappings[0];
    return !m->merge || (mapping && (e->flags & FLAT_CAS ? mapping->cas_pairs
                                                         : mapping->rmw_pairs));
}

/* A unit is one step: nothing between, and in program order. */
static bool check_units(struct judged *j, struct err *e)
{
    const struct flat *f = j->flat;
    uint32_t *last = arena_array(&j->arena, f->unit_count + 1, sizeof *last);

    for (uint32_t i = 0; i < f->event_count; i++) {
        uint32_t unit = f->events[i].unit;

        if (!j->place[i] || !unit || is_split(j, &f->events[i]))
            continue;
        if (last[unit] && j->place[i] != last[unit] + 1)
            return err_set(e, "%s: its unit is not one step",
                           axioms_words(j, i));
        last[unit] = j->place[i];
    }
    return true;
}

/* ---- What loads return ---- */

static bool overlap(const struct judged *j, uint32_t a, uint32_t b)
{
    struct lsl_value x = j->run.address[a], y = j->run.address[b];

    if (x.base != y.base)
        return false;
    return j->flat->events[b].kind == FLAT_FREE ||
           (x.bits < y.bits + j->flat->events[b].size &&
            y.bits < x.bits + j->flat->events[a].size);
}

static struct lsl_value initial_value(const struct judged *j, uint32_t load)
{
    struct lsl_value at = j->run.address[load];
    const struct flat_object *o = &j->flat->objects[at.base];

    if (o->global)
        return lsl_initial(&j->flat->program->objects[o->global], at.bits,
                           j->flat->events[load].size);
    return o->zeroed ? LSL_INT(0) : (struct lsl_value){.kind = LSL_UNDEFINED};
}

/* What it leaves in memory: after a free, nothing. */
static struct lsl_value value_left(const struct judged *j, uint32_t load,
                                   uint32_t source)
{
    if (source == FLAT_INITIAL)
        return initial_value(j, load);
    return j->flat->events[source].kind == FLAT_FREE
               ? (struct lsl_value){.kind = LSL_UNDEFINED}
               : j->run.value[source];
}

/* Before it in <M, or in its thread. */
static bool sees(const struct judged *j, uint32_t load, uint32_t store)
{
    const struct flat_event *l = &j->flat->events[load];
    const struct flat_event *s = &j->flat->events[store];

    return j->place[store] < j->place[load] ||
           (s->thread == l->thread && store < load);
}

/* The last store or free that the load sees goes to *source. */
static bool find_source(struct judged *j, uint32_t load, uint32_t *source,
                        struct err *e)
{
    const struct flat *f = j->flat;

    *source = FLAT_INITIAL;
    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *s = &f->events[i];

        if (!j->place[i] || s->kind == FLAT_LOAD || !overlap(j, load, i))
            continue;
        if (s->kind == FLAT_STORE && (!axioms_same_memory(j, load, i) ||
                                      s->size != f->events[load].size))
            return err_set(e, "%s and %s: sizes are mixed",
                           axioms_words(j, load), axioms_words(j, i));
        if (sees(j, load, i) &&
            (*source == FLAT_INITIAL || j->place[i] > j->place[*source]))
            *source = i;
    }
    return true;
}

/* Undefined is undefined, for whatever reason. */
static bool same_value(struct lsl_value a, struct lsl_value b)
{
    return (a.kind == LSL_UNDEFINED && b.kind == LSL_UNDEFINED) ||
           lsl_equal(a, b);
}

static bool check_load(struct judged *j, uint32_t load, struct err *e)
{
    uint32_t source;

    if (!find_source(j, load, &source, e))
        return false;
    if (source != j->run.rf[load])
        return err_set(e, "%s: it reads another store", axioms_words(j, load));
    if (!same_value(value_left(j, load, source), j->run.value[load]))
        return err_set(e, "%s: it returns another value",
                       axioms_words(j, load));
    return true;
}

static bool check_loads(struct judged *j, struct err *e)
{
    for (uint32_t i = 0; i < j->flat->event_count; i++)
        if (j->place[i] && j->flat->events[i].kind == FLAT_LOAD &&
            !check_load(j, i, e))
            return false;
    return true;
}

bool axioms_take_run(struct judged *j, const struct flat_run *run,
                     struct err *e)
{
    copy_run(j, run);
    return check_choices(j, e) && check_claims(j, run, e) && take_order(j, e);
}

bool axioms_hold(const struct flat *f, const struct flat_run *run,
                 const struct model *m, struct err *e)
{
    struct judged j = {.flat = f, .model = m, .arena = ARENA_INIT};
    bool ok;

    ok = axioms_take_run(&j, run, e) && check_units(&j, e) &&
         (axioms_are_stated(m)
              ? axioms_check_stated(&j, e)
              : axioms_check_threads(&j, e) && axioms_check_kept(&j, e) &&
                    axioms_check_parts(&j, e)) &&
         check_loads(&j, e) && axioms_check_justified(&j, e);
    arena_free(&j.arena);
    return ok;
}
