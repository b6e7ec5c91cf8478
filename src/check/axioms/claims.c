/* SPDX-License-Identifier: MIT
 *
 * What is said of an execution besides what it does: that it fails, and what
 * is observed in it.
 */
#include "axioms/axioms_inside.h"

/* A member of what a null pointer points to lies there. */
enum { FIRST_PAGE = 4096 };

static bool holds(const struct judged *j, uint32_t guard)
{
    return j->run.values[guard].bits != 0;
}

/* ---- Failures ---- */

/* Was its object freed before it, as others see it? */
static bool is_late(const struct judged *j, uint32_t event)
{
    const struct flat *f = j->flat;

    for (uint32_t i = 0; i < f->event_count; i++)
        if (i != event && f->events[i].kind == FLAT_FREE && j->place[i] &&
            axioms_same_memory(j, i, event) &&
            (j->place[i] < j->place[event] ||
             (f->events[i].thread == f->events[event].thread && i < event)))
            return true;
    return false;
}

static bool freed_twice(const struct judged *j, uint32_t event)
{
    for (uint32_t i = 0; i < j->flat->event_count; i++)
        if (i != event && j->flat->events[i].kind == FLAT_FREE && j->place[i] &&
            axioms_same_memory(j, i, event))
            return true;
    return false;
}

/* What an access without memory is called. */
static enum failure_kind failure_without_memory(const struct judged *j,
                                                uint32_t event)
{
    struct lsl_value at = j->run.address[event];

    if (at.kind == LSL_UNDEFINED)
        return FAIL_UNDEFINED;
    if (j->flat->events[event].kind == FLAT_FREE)
        return FAIL_BAD_FREE;
    if (at.kind == LSL_INTEGER)
        return at.bits < FIRST_PAGE ? FAIL_NULL_ACCESS : FAIL_SEGV;
    return j->flat->objects[at.base].heap ? FAIL_OUT_OF_BOUNDS : FAIL_SEGV;
}

static bool access_fails(const struct judged *j, uint32_t event,
                         enum failure_kind failure)
{
    const struct flat_event *e = &j->flat->events[event];

    if (!holds(j, e->guard))
        return false;
    if (!axioms_has_memory(j, event))
        return failure == failure_without_memory(j, event);
    switch (failure) {
    case FAIL_USE_AFTER_FREE:
        return e->kind != FLAT_FREE && is_late(j, event);
    case FAIL_DOUBLE_FREE:
        return e->kind == FLAT_FREE && freed_twice(j, event);
    default:
        return false;
    }
}

static bool fails(const struct judged *j, enum failure_kind failure,
                  uint32_t site, uint32_t thread)
{
    const struct flat *f = j->flat;

    for (uint32_t i = 0; i < f->error_count; i++)
        if (f->errors[i].failure == failure && f->errors[i].site == site &&
            f->errors[i].thread == thread && holds(j, f->errors[i].guard))
            return true;
    for (uint32_t i = 0; i < f->event_count; i++)
        if (axioms_is_access(&f->events[i]) && f->events[i].site == site &&
            f->events[i].thread == thread && access_fails(j, i, failure))
            return true;
    return false;
}

bool axioms_fail(const struct flat *f, const struct flat_run *run,
                 enum failure_kind failure, uint32_t site, uint32_t thread,
                 struct err *e)
{
    struct judged j = {.flat = f, .arena = ARENA_INIT};
    bool ok = axioms_take_run(&j, run, e) &&
              (fails(&j, failure, site, thread) ||
               err_set(e, "thread %u does not fail there: %s", thread,
                       failure_kind_words(failure)));

    arena_free(&j.arena);
    return ok;
}

/* ---- Observations ---- */

static bool observes(const struct judged *j, uint32_t thread,
                     const struct lsl_value *values, uint32_t count,
                     struct err *e)
{
    const struct flat *f = j->flat;
    uint32_t have = 0;

    for (uint32_t i = 0; i < f->observe_count; i++) {
        const struct flat_observe *o = &f->observes[i];

        if (o->thread != thread || !holds(j, o->guard))
            continue;
        if (have == count || !lsl_equal(values[have], j->run.values[o->value]))
            return err_set(e, "thread %u observes something else at %u", thread,
                           have);
        have++;
    }
    for (; have < count; have++)
        if (values[have].kind != LSL_UNDEFINED)
            return err_set(e, "thread %u observes less", thread);
    return true;
}

bool axioms_observe(const struct flat *f, const struct flat_run *run,
                    uint32_t thread, const struct lsl_value *values,
                    uint32_t count, struct err *e)
{
    struct judged j = {.flat = f, .arena = ARENA_INIT};
    bool ok =
        axioms_take_run(&j, run, e) && observes(&j, thread, values, count, e);

    arena_free(&j.arena);
    return ok;
}
