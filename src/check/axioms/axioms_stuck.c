/* SPDX-License-Identifier: MIT
 *
 * Does this execution really go on for ever without getting anywhere?  Every
 * thread has come to its end, or waits: for a lock that is taken, in a loop
 * whose round did nothing, or for a thread that waits; and what it waits for
 * has been read from the last store that there is.
 */
#include <string.h>

#include "axioms/axioms.h"
#include "base/buf.h"

struct wait {
    const struct flat *flat;
    struct flat_run run; /* computed anew */
    uint32_t *place;     /* per event: in <M, from 1 on; or 0 */
    bool *waits;         /* per thread */
    struct arena arena;
};

static bool holds(const struct wait *w, uint32_t guard)
{
    return guard && w->run.values[guard].bits != 0;
}

static bool is_idle(const struct wait *w, const struct flat_cut *c)
{
    return c->kind == CUT_IDLE && holds(w, c->guard);
}

static bool fails(const struct wait *w, uint32_t site, struct err *e,
                  const char *text)
{
    struct buf place = {0};

    lsl_put_site(w->flat->program, site, &place);
    err_set(e, "%s: %s", place.bytes, text);
    buf_free(&place);
    return false;
}

/* ---- Stores ---- */

static bool writes(const struct flat_event *e)
{
    return e->kind == FLAT_STORE || e->kind == FLAT_FREE;
}

/* In a round that did nothing: it wrote what was there. */
static bool changes_nothing(const struct wait *w, uint32_t store)
{
    for (uint32_t i = 0; i < w->flat->cut_count; i++) {
        const struct flat_cut *c = &w->flat->cuts[i];

        uint32_t load = store - flat_parts(&w->flat->events[store]);

        if (is_idle(w, c) && store > c->first && store < c->first + c->count &&
            load >= c->first &&
            w->flat->events[load].unit == w->flat->events[store].unit &&
            lsl_equal(w->run.value[load], w->run.value[store]))
            return true;
    }
    return false;
}

static bool same_memory(const struct wait *w, uint32_t store, uint32_t load)
{
    struct lsl_value s = w->run.address[store], l = w->run.address[load];

    return s.base == l.base &&
           (w->flat->events[store].kind == FLAT_FREE || s.bits == l.bits);
}

static bool reads_last(const struct wait *w, uint32_t load, struct err *e)
{
    uint32_t source = w->run.rf[load];
    uint32_t read = source == FLAT_INITIAL ? 0 : w->place[source];

    for (uint32_t i = 0; i < w->run.order_count; i++) {
        uint32_t s = w->run.order[i];

        if (i + 1 > read && writes(&w->flat->events[s]) &&
            same_memory(w, s, load) && !changes_nothing(w, s))
            return fails(w, w->flat->events[load].site, e,
                         "it could read something newer");
    }
    return true;
}

/* ---- Threads that wait ---- */

static bool check_locks(struct wait *w, struct err *e)
{
    for (uint32_t i = 0; i < w->flat->assume_count; i++) {
        const struct flat_assume *a = &w->flat->assumes[i];

        if (!holds(w, a->guard) || holds(w, a->condition))
            continue;
        if (a->kind != ASSUME_LOCK)
            return fails(w, a->site, e, "an assumption does not hold");
        if (a->event != LSL_NONE && !reads_last(w, a->event, e))
            return false;
        w->waits[a->thread] = true;
    }
    return true;
}

static bool check_round(struct wait *w, const struct flat_cut *c, struct err *e)
{
    if (c->kind != CUT_IDLE)
        return fails(w, c->site, e, "a loop is cut");
    if (holds(w, c->chose))
        return fails(w, c->site, e, "it could choose something else");
    for (uint32_t i = c->first; i < c->first + c->count; i++) {
        if (w->flat->events[i].kind == FLAT_LOAD && w->run.executed[i] &&
            !reads_last(w, i, e))
            return false;
    }
    w->waits[c->thread] = true;
    return true;
}

static bool check_rounds(struct wait *w, struct err *e)
{
    for (uint32_t i = 0; i < w->flat->cut_count; i++) {
        const struct flat_cut *c = &w->flat->cuts[i];

        if (holds(w, c->guard) && !check_round(w, c, e))
            return false;
    }
    return true;
}

/* ---- The others ---- */

static bool has_ended(const struct wait *w, uint32_t thread)
{
    const struct flat_thread *t = &w->flat->threads[thread];

    return w->run.executed[t->first + t->count - 1];
}

/* Could it stand where it joins another thread? */
static bool may_join(const struct wait *w, uint32_t thread)
{
    const struct flat_thread *t = &w->flat->threads[thread];

    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        if (w->flat->events[i].kind == FLAT_JOIN && !w->run.executed[i] &&
            !has_ended(w, w->flat->events[i].other))
            return true;
    }
    return false;
}

static bool has_begun(const struct wait *w, uint32_t thread)
{
    return thread == 0 || w->run.executed[w->flat->threads[thread].first];
}

static bool check_threads(const struct wait *w, struct err *e)
{
    bool any = false;

    for (uint32_t t = 0; t < w->flat->thread_count; t++) {
        any |= w->waits[t];
        if (has_begun(w, t) && !has_ended(w, t) && !w->waits[t] &&
            !may_join(w, t))
            return err_set(e, "thread %u neither ends nor waits", t);
    }
    return any || err_set(e, "nobody waits");
}

static bool check_errors(const struct wait *w, struct err *e)
{
    for (uint32_t i = 0; i < w->flat->error_count; i++) {
        if (holds(w, w->flat->errors[i].guard))
            return fails(w, w->flat->errors[i].site, e, "it fails");
    }
    return true;
}

static void take_run(struct wait *w, const struct flat_run *run)
{
    const struct flat *f = w->flat;

    w->run = *run;
    w->run.values =
        arena_array(&w->arena, f->value_count + 1, sizeof *run->values);
    memcpy(w->run.values, run->values, f->value_count * sizeof *run->values);
    w->run.value =
        arena_array(&w->arena, f->event_count + 1, sizeof *run->value);
    memcpy(w->run.value, run->value, f->event_count * sizeof *run->value);
    w->run.executed =
        arena_array(&w->arena, f->event_count + 1, sizeof *run->executed);
    w->run.address =
        arena_array(&w->arena, f->event_count + 1, sizeof *run->address);
    flat_evaluate(f, &w->run);
    w->place = arena_array(&w->arena, f->event_count + 1, sizeof *w->place);
    for (uint32_t i = 0; i < run->order_count; i++)
        w->place[run->order[i]] = i + 1;
    w->waits = arena_array(&w->arena, f->thread_count + 1, sizeof *w->waits);
}

bool axioms_wait_for_ever(const struct flat *f, const struct flat_run *run,
                          struct err *e)
{
    struct wait w = {.flat = f, .arena = ARENA_INIT};
    bool ok;

    take_run(&w, run);
    ok = check_errors(&w, e) && check_locks(&w, e) && check_rounds(&w, e) &&
         check_threads(&w, e);
    arena_free(&w.arena);
    return ok;
}
