/* SPDX-License-Identifier: MIT
 *
 * A run of the unrolled test as steps that the runtime can take
 * (schedule/strategy_witness.c): its accesses in the order <M, each as the
 * machine has to treat it, and what the threads do besides, which comes as it
 * comes.
 *
 *      run:    [load q->tail] [CAS: load, store] ... in <M
 *      steps:   LOAD           NOW                ... , create, start, exit
 *
 * The runtime counts accesses from the first thread that is made, so what the
 * first thread does before has no step; nor what it does when it is alone
 * again.  The same front end made both, so that the accesses of a thread come
 * in the same order; the program may have others in between, of constants, that
 * the unrolled test does without (replay_sites.c tells which).
 */
#include "engine/replay_inside.h"

#include <string.h>

struct maker {
    const struct check_execution *x;
    struct witness_step *steps;
    uint32_t *place;  /* per event: its step, or WITNESS_NONE */
    uint32_t *newest; /* per thread: the end of its chain */
    uint32_t count;
};

/* Of one instruction, after its load. */
bool replay_is_second_half(const struct flat *f, uint32_t event)
{
    const struct flat_event *v = &f->events[event];
    const struct flat_event *load = v - flat_parts(v);

    return v->kind == FLAT_STORE && v->unit && event >= flat_parts(v) &&
           load->kind == FLAT_LOAD && load->unit == v->unit &&
           load->site == v->site && load->address == v->address;
}

/* pthread_mutex_init and the like write when they are called, and the runtime
 * counts no access. */
static bool is_of_library(const struct flat *f, const struct flat_event *v)
{
    return f->program->sites[v->site].kind == EV_CALL && !v->unit &&
           !(v->flags & FLAT_LOCK);
}

/* The store of an RMW is no step: its load is.  Of parts the first is one for
 * all. */
static bool is_access(const struct flat *f, uint32_t event)
{
    const struct flat_event *v = &f->events[event];

    if (v->part)
        return false;
    if (v->kind == FLAT_STORE && replay_is_second_half(f, event))
        return false;
    return (v->kind == FLAT_LOAD || v->kind == FLAT_STORE) &&
           !is_of_library(f, v);
}

static bool is_thread_event(const struct flat_event *v)
{
    return v->kind == FLAT_CREATE || v->kind == FLAT_START ||
           v->kind == FLAT_EXIT || v->kind == FLAT_JOIN;
}

/* ---- How the machine treats it ---- */

static unsigned fences_of(const struct model *m, const struct flat_event *v)
{
    if (v->kind == FLAT_FENCE && v->fences)
        return v->fences;
    return m->recipe[v->construct].before | m->recipe[v->construct].after;
}

/* A store that a full fence follows need not wait in the buffer: it may as well
 * be issued when its turn comes. */
static bool drains_next(const struct check_execution *x, uint32_t event)
{
    const struct flat_event *v = &x->flat->events[event];
    const struct flat_thread *t = &x->flat->threads[v->thread];

    for (uint32_t i = event + flat_parts(v); i < t->first + t->count; i++) {
        const struct flat_event *next = &x->flat->events[i];

        if (x->run->executed[i])
            return next->kind == FLAT_FENCE &&
                   fences_of(x->model, next) & FENCE_FULL;
    }
    return false;
}

static enum witness_kind kind_of(const struct check_execution *x,
                                 uint32_t event)
{
    const struct flat_event *v = &x->flat->events[event];
    unsigned fences = fences_of(x->model, v);

    if (is_thread_event(v))
        return WITNESS_FREE;
    if (v->flags & (FLAT_GHOST | FLAT_RMW))
        return WITNESS_NOW;
    if (v->kind == FLAT_LOAD)
        return v->flags & FLAT_LOCK ? WITNESS_NOW : WITNESS_LOAD;
    if (!x->model->delays_stores ||
        (v->construct == C_UNLOCK && fences & FENCE_FULL))
        return WITNESS_NOW;
    return fences & FENCE_FULL || drains_next(x, event) ? WITNESS_LATE
                                                        : WITNESS_STORE;
}

/* ---- What has a step ---- */

/* While the first thread is alone nobody counts its accesses. */
static bool is_alone(const struct flat *f, uint32_t event)
{
    uint32_t made = 0, joined = 0;

    if (f->events[event].thread != 0)
        return false;
    for (uint32_t i = f->threads[0].first; i < event; i++) {
        made += f->events[i].kind == FLAT_CREATE;
        joined += f->events[i].kind == FLAT_JOIN;
    }
    return made == joined;
}

static void place_accesses(struct maker *m)
{
    const struct check_execution *x = m->x;

    for (uint32_t i = 0; i < x->run->order_count; i++) {
        uint32_t event = x->run->order[i];

        if (is_access(x->flat, event) && !is_alone(x->flat, event))
            m->place[event] = m->count++;
    }
}

static void place_thread_events(struct maker *m)
{
    const struct check_execution *x = m->x;

    for (uint32_t i = 0; i < x->flat->event_count; i++)
        if (x->run->executed[i] && is_thread_event(&x->flat->events[i]) &&
            !(x->flat->events[i].kind == FLAT_EXIT &&
              x->flat->events[i].thread == 0))
            m->place[i] = m->count++;
}

static struct witness_step *append(struct maker *m, uint32_t thread,
                                   uint32_t place, enum witness_kind kind)
{
    struct witness_step *s = &m->steps[place];

    *s = (struct witness_step){.thread = (uint16_t)thread,
                               .kind = (uint8_t)kind,
                               .first = m->newest[thread] == WITNESS_NONE,
                               .next = WITNESS_NONE,
                               .chosen = WITNESS_NONE};
    if (!s->first)
        m->steps[m->newest[thread]].next = place;
    m->newest[thread] = place;
    return s;
}

/* Program order makes the chains; the places are known. */
static void chain_threads(struct maker *m)
{
    const struct flat *f = m->x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *v = &f->events[i];
        struct witness_step *s;

        if (m->place[i] == WITNESS_NONE)
            continue;
        s = append(m, v->thread, m->place[i], kind_of(m->x, i));
        if (v->kind == FLAT_CREATE)
            s->chosen = v->other;
        if (!is_thread_event(v))
            s->site = replay_site(m->x, v->site);
    }
}

/* A choice of one is none to the runtime. */
static bool is_asked(const struct check_execution *x, uint32_t choice)
{
    const struct flat_choice *c = &x->flat->choices[choice];

    const struct flat_value *v = &x->flat->values[c->value];

    return check_holds(x->run, c->guard) && v->op == FLAT_CHOSEN &&
           v->constant.bits > 1;
}

static void add_choices(struct maker *m)
{
    const struct check_execution *x = m->x;

    memset(m->newest, 0xff, x->flat->thread_count * sizeof(*m->newest));
    for (uint32_t i = 0; i < x->flat->choice_count; i++) {
        const struct flat_choice *c = &x->flat->choices[i];

        if (is_asked(x, i))
            append(m, c->thread, m->count++, WITNESS_CHOICE)->chosen =
                (uint32_t)x->run->values[c->value].bits;
    }
}

const struct witness_step *replay_steps(const struct check_execution *x,
                                        struct arena *a, size_t *count)
{
    const struct flat *f = x->flat;
    struct maker m = {
        .x = x,
        .steps = arena_array(a, f->event_count + f->choice_count + 1,
                             sizeof(*m.steps)),
        .place = arena_array(a, f->event_count + 1, sizeof(*m.place)),
        .newest = arena_array(a, f->thread_count + 1, sizeof(*m.newest)),
    };

    memset(m.place, 0xff, f->event_count * sizeof(*m.place));
    memset(m.newest, 0xff, f->thread_count * sizeof(*m.newest));
    place_accesses(&m);
    place_thread_events(&m);
    chain_threads(&m);
    add_choices(&m);
    *count = m.count;
    return m.steps;
}
