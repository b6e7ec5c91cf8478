/* SPDX-License-Identifier: MIT
 *
 * A counterexample as a trace, made from the solution alone, so that reports
 * show it as any other.  For models that no machine of ours obeys.
 *
 * Accesses come in the order <M: reading from the top, each load finds what
 * memory holds, and what a thread did out of order stands out of order.  What
 * is no access comes as soon as all that its thread did before it is there.  A
 * store that its own thread reads before it takes effect is shown twice, as
 * where stores are buffered:
 *
 *      x = 1, buffered  |  x is 1, from own buffer  |  x = 1 reaches memory
 */
#include <stdio.h>
#include <string.h>

#include "axioms/axioms.h"
#include "engine/replay_inside.h"
#include "finding/gate.h"

/* Objects lie far apart, at addresses that nobody has. */
#define FIRST_ADDRESS 0x600000000000ull
#define APART (1ull << 32)
#define UNDEFINED 0xaaaaaaaaaaaaaaaaull

struct teller {
    const struct check_execution *x;
    struct arena *arena;
    struct trace *trace;
    uint32_t *number; /* per event: number + 1 in the trace of its effect */
    uint32_t *issued; /* of its issue, if that comes before */
    bool *done;       /* per event: is there */
    bool *waiting;    /* per store: its load waits for it */
    uint32_t *co;     /* per object: writes so far */
    uint32_t *next;   /* per thread: the first event that is not there */
    uint32_t *told;   /* per event: number + 1 in the trace */
};

/* ---- Tables ---- */

static struct trace_object object_of(const struct flat *f, uint32_t i,
                                     uint32_t *heap, struct arena *a)
{
    const struct flat_object *o = &f->objects[i];
    struct trace_object r = {
        .kind = OBJECT_STACK,
        .number = o->thread,
        .site = o->site,
        .thread = o->thread,
        .address = FIRST_ADDRESS + i * APART,
        .size = o->size < APART ? o->size : APART - 1,
        .name = "local",
        .fields = "",
    };

    if (o->global) {
        const struct lsl_object *g = &f->program->objects[o->global];

        r.kind = OBJECT_GLOBAL;
        r.number = o->global;
        r.name = g->name;
        r.fields = g->fields ? g->fields : "";
    } else if (o->heap) {
        r.kind = OBJECT_HEAP;
        r.number = ++*heap;
        r.name = arena_printf(a, "heap#%u", r.number);
    }
    return r;
}

static void fill_objects(const struct flat *f, struct arena *a, struct trace *t)
{
    uint32_t heap = 0;

    t->object_count = f->object_count ? f->object_count : 1;
    t->objects = arena_array(a, t->object_count, sizeof(*t->objects));
    t->objects[0] = (struct trace_object){.name = "", .fields = ""};
    for (uint32_t i = 1; i < f->object_count; i++)
        t->objects[i] = object_of(f, i, &heap, a);
}

/* ---- Events ---- */

static uint64_t bits_of(struct lsl_value v, unsigned size)
{
    switch (v.kind) {
    case LSL_UNDEFINED:
        return size < 8 ? UNDEFINED >> (64 - 8 * size) : UNDEFINED;
    case LSL_POINTER:
        return FIRST_ADDRESS + v.base * APART + v.bits;
    default:
        return v.bits;
    }
}

static bool is_first_half(const struct flat *f, uint32_t load)
{
    return load + 1 < f->event_count && replay_is_second_half(f, load + 1);
}

/* The store of the RMW whose load that is, if it has one and that was done. */
static uint32_t other_half(const struct check_execution *x, uint32_t load)
{
    return is_first_half(x->flat, load) && x->run->executed[load + 1]
               ? load + 1
               : LSL_NONE;
}

static enum event_kind kind_of_construct(uint8_t construct,
                                         enum event_kind otherwise)
{
    switch (construct) {
    case C_LOCK:
        return EV_LOCK;
    case C_UNLOCK:
        return EV_UNLOCK;
    case C_POST:
        return EV_POST;
    case C_WAIT:
        return EV_WAIT;
    case C_LOCK_FAIL:
        return EV_LOCK_FAIL;
    case C_CAS_FAIL_RELAXED:
    case C_CAS_FAIL_ACQUIRE:
        return EV_CAS_FAIL;
    default:
        return otherwise;
    }
}

static enum event_kind kind_of(const struct check_execution *x, uint32_t event)
{
    const struct flat_event *v = &x->flat->events[event];
    uint32_t store = other_half(x, event);

    switch (v->kind) {
    case FLAT_LOAD:
        if (store != LSL_NONE)
            return kind_of_construct(x->flat->events[store].construct, EV_RMW);
        return kind_of_construct(v->construct, is_first_half(x->flat, event)
                                                   ? EV_CAS_FAIL
                                                   : EV_LOAD);
    case FLAT_STORE:
        return kind_of_construct(v->construct, EV_STORE);
    case FLAT_FENCE:
        return EV_FENCE;
    case FLAT_CREATE:
        return EV_CREATE;
    case FLAT_START:
        return EV_START;
    case FLAT_EXIT:
        return EV_EXIT;
    case FLAT_JOIN:
        return EV_JOIN;
    case FLAT_FREE:
        return EV_FREE;
    default:
        return EV_NONE;
    }
}

static struct event *put(struct teller *t, uint32_t thread,
                         enum event_kind kind, uint32_t site)
{
    struct event *e = &t->trace->events[t->trace->event_count++];

    *e = (struct event){
        .kind = (uint8_t)kind, .thread = (uint16_t)thread, .site = site};
    t->trace->threads[thread].events++;
    return e;
}

static struct event *put_flat(struct teller *t, uint32_t event,
                              enum event_kind kind)
{
    const struct check_execution *x = t->x;
    const struct flat_event *v = &x->flat->events[event];
    struct event *e = put(t, v->thread, kind, v->site);

    t->told[event] = (uint32_t)t->trace->event_count;
    e->size = v->size;
    e->index = event - x->flat->threads[v->thread].first;
    if (v->flags & FLAT_GHOST)
        e->flags |= EVF_GHOST;
    if (v->flags & FLAT_RMW)
        e->flags |= EVF_ATOMIC;
    if (v->kind == FLAT_LOAD || v->kind == FLAT_STORE || v->kind == FLAT_FREE) {
        e->object = x->run->address[event].base;
        e->offset = x->run->address[event].bits;
    }
    return e;
}

static void put_issue(struct teller *t, uint32_t store)
{
    struct event *e = put_flat(t, store, EV_STORE);

    e->value = bits_of(t->x->run->value[store], e->size);
    e->flags |= EVF_BUFFERED;
    e->depth = 1;
    t->issued[store] = (uint32_t)t->trace->event_count;
}

static void put_load(struct teller *t, uint32_t load)
{
    const struct flat_run *run = t->x->run;
    uint32_t from = run->rf[load], store = other_half(t->x, load);
    bool forwarded = from != FLAT_INITIAL && !t->number[from];
    struct event *e;

    if (forwarded && !t->issued[from])
        put_issue(t, from);
    e = put_flat(t, load, kind_of(t->x, load));
    e->value = bits_of(run->value[load], e->size);
    if (from != FLAT_INITIAL)
        e->from = forwarded ? t->issued[from] : t->number[from];
    if (forwarded)
        e->flags |= EVF_FORWARDED;
    if (store == LSL_NONE)
        return;
    e->wrote = bits_of(run->value[store], e->size);
    e->co = ++t->co[e->object];
    t->number[store] = (uint32_t)t->trace->event_count;
}

static void put_store(struct teller *t, uint32_t store)
{
    enum event_kind kind = kind_of(t->x, store);
    struct event *e = put_flat(t, store, t->issued[store] ? EV_COMMIT : kind);

    e->value = bits_of(t->x->run->value[store], e->size);
    e->from = t->issued[store];
    e->co = ++t->co[e->object];
    t->number[store] = (uint32_t)t->trace->event_count;
}

/* ---- What is no access ---- */

static void put_fence(struct teller *t, uint32_t event)
{
    const struct model *m = t->x->model;
    const struct flat_event *v = &t->x->flat->events[event];
    unsigned bits = v->fences;

    if (!bits)
        bits = m->recipe[v->construct].before | m->recipe[v->construct].after;
    put_flat(t, event, EV_FENCE)->flags |= bits << EVF_FENCE_SHIFT;
}

static void put_other(struct teller *t, uint32_t event)
{
    const struct flat_event *v = &t->x->flat->events[event];
    struct trace *trace = t->trace;

    if (v->kind == FLAT_FENCE) {
        put_fence(t, event);
        return;
    }
    put_flat(t, event, kind_of(t->x, event))->value = v->other;
    if (v->kind == FLAT_CREATE && v->other < trace->thread_count) {
        trace->threads[v->other].parent = v->thread;
        trace->threads[v->other].create = (uint32_t)trace->event_count;
    }
}

static bool is_ordered(const struct flat_event *v)
{
    return v->kind == FLAT_LOAD || v->kind == FLAT_STORE ||
           v->kind == FLAT_FREE;
}

/* All of a thread's that waits for nothing any more. */
static void put_pending(struct teller *t, uint32_t thread)
{
    const struct flat *f = t->x->flat;
    uint32_t end = f->threads[thread].first + f->threads[thread].count;

    for (; t->next[thread] < end; t->next[thread]++) {
        uint32_t i = t->next[thread];

        if (!t->x->run->executed[i] || t->done[i])
            continue;
        if (is_ordered(&f->events[i]))
            return;
        put_other(t, i);
    }
}

/* Where the halves of an RMW are two events, others may come between: it is
 * told where it stores, for until then memory holds what it read. */
static bool waits_for_store(const struct teller *t, uint32_t place)
{
    const struct flat_run *run = t->x->run;
    uint32_t load = run->order[place], store;

    if (t->x->flat->events[load].kind != FLAT_LOAD)
        return false;
    store = other_half(t->x, load);
    return store != LSL_NONE &&
           (place + 1 == run->order_count || run->order[place + 1] != store);
}

static void put_access(struct teller *t, uint32_t event)
{
    const struct flat_event *v = &t->x->flat->events[event];

    if (v->kind == FLAT_STORE && t->waiting[event]) {
        put_load(t, event - 1);
        t->done[event - 1] = true;
    }
    if (v->kind == FLAT_LOAD)
        put_load(t, event);
    else if (v->kind == FLAT_FREE)
        put_flat(t, event, EV_FREE);
    else if (!t->number[event])
        put_store(t, event);
    t->done[event] = true;
    put_pending(t, v->thread);
}

/* ---- All of it ---- */

static void put_observations(struct teller *t)
{
    const struct flat *f = t->x->flat;

    for (uint32_t i = 0; i < f->observe_count; i++) {
        const struct flat_observe *o = &f->observes[i];

        if (check_holds(t->x->run, o->guard))
            put(t, o->thread, EV_OBSERVE, o->site)->value =
                bits_of(t->x->run->values[o->value], 8);
    }
}

static void put_events(struct teller *t)
{
    const struct flat *f = t->x->flat;
    const struct flat_run *run = t->x->run;

    for (uint32_t i = 0; i < f->thread_count; i++)
        t->next[i] = f->threads[i].first;
    for (uint32_t i = 0; i < run->order_count; i++) {
        uint32_t thread = f->events[run->order[i]].thread;

        put_pending(t, 0); /* makes the others */
        put_pending(t, thread);
        if (waits_for_store(t, i))
            t->waiting[run->order[i] + 1] = true;
        else
            put_access(t, run->order[i]);
    }
    for (uint32_t i = 1; i <= f->thread_count; i++)
        put_pending(t, i % f->thread_count); /* the first one joins them */
    put_observations(t);
}

static uint32_t last_observed(const struct check_execution *x)
{
    uint32_t site = 0;

    for (uint32_t i = 0; i < x->flat->observe_count; i++)
        if (check_holds(x->run, x->flat->observes[i].guard))
            site = x->flat->observes[i].site;
    return site;
}

static void put_failure(struct teller *t)
{
    struct channel_failure *f = &t->trace->failure;

    check_failure(t->x, t->arena, f);
    if (!t->x->error)
        f->site = last_observed(t->x);
    put(t, f->thread, EV_FAIL, f->site)->value = f->kind;
}

static void put_racer(const struct trace *t, uint32_t event, struct buf *out)
{
    const struct event *e = &t->events[event];
    const struct fencer_site *s = &t->sites[e->site];

    buf_printf(out, "%s %s at %s:%u in T%u",
               e->kind == EV_STORE  ? "store to"
               : e->kind == EV_LOAD ? "load of"
                                    : "atomic update of",
               *s->name ? s->name : "memory", s->file, s->line, e->thread);
}

/* Two accesses that race: nothing else has to fail. */
static void take_race(struct teller *t, struct shown *out)
{
    struct buf text = {0};

    for (int i = 0; i < 2; i++)
        out->race[i] = t->told[t->x->race[i]] - 1;
    buf_puts(&text, "data race: ");
    put_racer(t->trace, out->race[0], &text);
    buf_puts(&text, " and ");
    put_racer(t->trace, out->race[1], &text);
    out->error = arena_copy(t->arena, text.bytes);
    buf_free(&text);
}

static void fill_trace(const struct check_execution *x, struct arena *a,
                       struct shown *out)
{
    struct trace *trace = &out->trace;
    const struct flat *f = x->flat;
    struct teller t = {
        .x = x,
        .arena = a,
        .trace = trace,
        .number = arena_array(a, f->event_count + 1, sizeof(*t.number)),
        .issued = arena_array(a, f->event_count + 1, sizeof(*t.issued)),
        .done = arena_array(a, f->event_count + 1, sizeof(*t.done)),
        .waiting = arena_array(a, f->event_count + 1, sizeof(*t.waiting)),
        .co = arena_array(a, f->object_count + 1, sizeof(*t.co)),
        .next = arena_array(a, f->thread_count + 1, sizeof(*t.next)),
        .told = arena_array(a, f->event_count + 1, sizeof(*t.told)),
    };

    trace->program = x->base.name;
    trace->model = x->model->name;
    trace->strategy = "solver";
    trace->sites = f->program->sites;
    trace->site_count = f->program->site_count;
    fill_objects(f, a, trace);
    trace->thread_count = f->thread_count;
    trace->threads = arena_array(a, f->thread_count, sizeof(*trace->threads));
    trace->events = arena_array(a, 2 * f->event_count + f->observe_count + 1,
                                sizeof(*trace->events));
    put_events(&t);
    if (!x->race)
        put_failure(&t);
    else
        take_race(&t, out);
}

void check_show(const struct check_execution *given, struct arena *a,
                struct shown *out)
{
    struct check_execution x = *given;
    struct flat_run run = check_whole_run(x.flat, x.run, a);
    struct finding *f = &out->finding;
    struct err e;

    x.run = &run;
    memset(out, 0, sizeof(*out));
    fill_trace(&x, a, out);
    *f = (struct finding){.program = x.base.name,
                          .binary = "",
                          .arguments = (char **)(uintptr_t)x.base.arguments,
                          .model = model_asked(x.model),
                          .strategy = "solver",
                          .flags = x.base.flags & FINDING_FLAGS,
                          .failure = out->trace.failure,
                          .output = "",
                          .trace = ""};
    out->class = x.race ? CLASS_RACE : CLASS_HARMFUL;
    out->cycles = 1;
    while (f->arguments && f->arguments[f->argument_count])
        f->argument_count++;
    check_explain(out);
    if (x.model->by_language) /* its fences are none of C's */
        out->fence_count = 0;
    CHECK(axioms_hold(x.flat, given->run, x.model, &e));
    gate_accept_solution(out);
}
