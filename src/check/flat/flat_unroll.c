/* SPDX-License-Identifier: MIT
 *
 * The test as a whole: thread 0 runs FENCER_INIT and the initialisation, then
 * creates a thread for each of the test and joins them all; or it runs main.
 * A created thread is walked at once, where it is created, since a join needs
 * to know how it ends.  Events get their final numbers afterwards (finish.c).
 */
#include <stdarg.h>
#include <stdio.h>

#include "flat/flat_inside.h"

#define MAX_THREADS 1000

uint64_t flat_mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with ^ hash >> 29) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ull;
    hash ^= hash >> 32;
    return hash ? hash : 1;
}

/* ---- What instructions add ---- */

void flat_refuse(struct walker *w, struct flow *f, uint32_t site,
                 const char *fmt, ...)
{
    struct unroller *u = w->u;
    struct buf place = {0};
    char text[256];
    va_list args;

    f->guard = FLAT_FALSE;
    if (u->refused)
        return;
    u->refused = true;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    err_set(u->err, "%s", text);
    if (site) {
        lsl_put_site(u->program, site, &place);
        err_in(u->err, "%s", place.bytes);
    }
    buf_free(&place);
}

void flat_fail_if(struct walker *w, struct flow *f, uint32_t condition,
                  enum failure_kind failure, uint32_t site, const char *text)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;
    uint32_t guard = guard_and(&u->values, f->guard, condition);

    if (guard == FLAT_FALSE)
        return;
    out->errors = flat_room(u->arena, out->errors, out->error_count,
                            &u->error_room, sizeof(*out->errors));
    out->errors[out->error_count++] =
        (struct flat_error){guard, (uint8_t)failure, site, w->thread, text};
    f->guard =
        guard_and(&u->values, f->guard, guard_not(&u->values, condition));
}

void flat_need_defined(struct walker *w, struct flow *f, uint32_t value,
                       uint32_t site, const char *text)
{
    flat_fail_if(w, f, guard_undefined(&w->u->values, value), FAIL_UNDEFINED,
                 site, text);
}

uint32_t flat_add_event(struct walker *w, struct flat_event e)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;

    out->events = flat_room(&u->scratch, out->events, out->event_count,
                            &u->event_room, sizeof(*out->events));
    e.thread = w->thread;
    e.operation = w->operation;
    out->events[out->event_count] = e;
    u->notes[w->thread].events++;
    return out->event_count++;
}

void flat_add_cut(struct walker *w, uint32_t guard, enum flat_cut_kind kind,
                  uint64_t key, uint32_t site)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;

    out->cuts = flat_room(u->arena, out->cuts, out->cut_count, &u->cut_room,
                          sizeof(*out->cuts));
    out->cuts[out->cut_count++] = (struct flat_cut){.guard = guard,
                                                    .kind = (uint8_t)kind,
                                                    .key = key,
                                                    .site = site,
                                                    .thread = w->thread,
                                                    .operation = w->operation};
}

void flat_add_branch(struct walker *w, uint32_t guard, uint32_t condition)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;

    if (u->values.list[condition].op == FLAT_CONSTANT)
        return;
    out->branches = flat_room(u->arena, out->branches, out->branch_count,
                              &u->branch_room, sizeof(*out->branches));
    out->branches[out->branch_count++] = (struct flat_branch){
        guard, condition, w->thread, u->notes[w->thread].events};
}

uint32_t flat_add_object(struct walker *w, struct flat_object o)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;

    out->objects = flat_room(u->arena, out->objects, out->object_count,
                             &u->object_room, sizeof(*out->objects));
    out->objects[out->object_count] = o;
    return out->object_count++;
}

void flat_effect(struct walker *w, uint32_t guard)
{
    if (w->round)
        w->round->effect = guard_or(&w->u->values, w->round->effect, guard);
}

uint32_t flat_constant(struct walker *w, struct lsl_value c)
{
    struct unroller *u = w->u;
    const struct lsl_program *p = u->program;

    if (c.kind == LSL_POINTER && c.base < p->object_count &&
        p->objects[c.base].thread_local) {
        if (!w->local)
            w->local =
                arena_array(&u->scratch, p->object_count, sizeof(*w->local));
        if (!w->local[c.base])
            w->local[c.base] = flat_add_object(
                w, (struct flat_object){.global = c.base,
                                        .size = p->objects[c.base].size,
                                        .thread = w->thread});
        c.base = w->local[c.base];
    }
    return values_constant(&u->values, c);
}

/* ---- Threads ---- */

uint32_t flat_new_thread(struct unroller *u, uint32_t create)
{
    uint32_t thread = u->out.thread_count++;

    u->notes = flat_room(&u->scratch, u->notes, thread, &u->note_room,
                         sizeof(*u->notes));
    u->notes[thread] = (struct thread_note){create, 0, 0, 0};
    if (create != LSL_NONE)
        u->out.events[create].other = thread;
    return thread;
}

void flat_start(struct walker *w, struct flow *f)
{
    if (w->thread >= MAX_THREADS)
        flat_refuse(w, f, 0, "more than %d threads", MAX_THREADS);
    flat_add_event(w,
                   (struct flat_event){.kind = FLAT_START, .guard = f->guard});
}

void flat_exit(struct walker *w, struct flow *f)
{
    w->operation = LSL_NONE;
    flat_add_event(w,
                   (struct flat_event){.kind = FLAT_EXIT, .guard = f->guard});
    w->u->notes[w->thread].exit = f->guard;
}

uint32_t flat_join(struct walker *w, uint32_t guard, uint32_t thread,
                   uint32_t site)
{
    struct unroller *u = w->u;

    guard = guard_and(&u->values, guard, u->notes[thread].exit);
    if (guard == FLAT_FALSE)
        return guard;
    flat_add_event(w, (struct flat_event){.kind = FLAT_JOIN,
                                          .guard = guard,
                                          .other = thread,
                                          .site = site});
    flat_effect(w, guard);
    return guard;
}

/* ---- Operations ---- */

static void walk_operation(struct walker *w, struct flow *f, const char *name,
                           uint32_t proc, bool once)
{
    struct unroller *u = w->u;
    struct flat *out = &u->out;
    uint32_t number = out->operation_count++;

    out->operations = flat_room(u->arena, out->operations, number,
                                &u->operation_room, sizeof(*out->operations));
    out->operations[number] =
        (struct flat_operation){name, w->thread, u->notes[w->thread].events, 0};
    w->operation = number;
    w->once = once;
    if (f->guard != FLAT_FALSE)
        walk_call(w, f, proc, NULL, 0, 0);
    w->once = false;
    w->operation = LSL_NONE;
    out->operations[number].count =
        u->notes[w->thread].events - out->operations[number].first;
}

static void walk_calls(struct walker *w, struct flow *f,
                       const struct test_thread *t)
{
    for (uint32_t i = 0; i < t->count && !w->u->refused; i++) {
        const struct lsl_operation *o =
            &w->u->program->operations[t->calls[i].operation];

        w->path = flat_mix(flat_mix(1, w->thread), i + 1);
        walk_operation(w, f, o->name, o->proc, t->calls[i].once);
    }
}

static void walk_thread(struct walker *w, struct flow *f,
                        const struct test_thread *t)
{
    struct unroller *u = w->u;
    struct walker child = {.u = u, .operation = LSL_NONE};
    struct flow start = {.guard = f->guard};
    uint32_t event = flat_add_event(
        w, (struct flat_event){.kind = FLAT_CREATE, .guard = f->guard});

    child.thread = flat_new_thread(u, event);
    flat_start(&child, &start);
    walk_calls(&child, &start, t);
    flat_exit(&child, &start);
}

static void walk_test(struct walker *w, struct flow *f, const struct test *t)
{
    const struct lsl_program *p = w->u->program;

    if (p->init != LSL_NONE)
        walk_operation(w, f, "init", p->init, false);
    walk_calls(w, f, &t->init);
    for (uint32_t i = 0; i < t->thread_count && !w->u->refused; i++)
        walk_thread(w, f, &t->threads[i]);
    for (uint32_t i = 1; i < w->u->out.thread_count; i++)
        if (w->u->notes[i].exit &&
            w->u->out.events[w->u->notes[i].create].thread == 0)
            f->guard = flat_join(w, f->guard, i, 0);
}

/* main(argc, argv) gets undefined arguments: the source was not asked. */
static void walk_main(struct walker *w, struct flow *f, uint32_t entry)
{
    struct unroller *u = w->u;
    uint32_t count = u->program->procs[entry].param_count;
    uint32_t *args = arena_array(&u->scratch, count, sizeof(*args));

    for (uint32_t i = 0; i < count; i++)
        args[i] = values_constant(&u->values,
                                  (struct lsl_value){.kind = LSL_UNDEFINED});
    walk_call(w, f, entry, args, count, 0);
}

static void add_globals(struct walker *w)
{
    const struct lsl_program *p = w->u->program;

    flat_add_object(w, (struct flat_object){0});
    for (uint32_t o = 1; o < p->object_count; o++)
        flat_add_object(w, (struct flat_object){.global = o,
                                                .zeroed = true,
                                                .size = p->objects[o].size});
}

bool flat_unroll(const struct lsl_program *p, const struct test *test,
                 uint32_t entry, const struct flat_bounds *bounds,
                 struct arena *a, struct flat *out, struct err *e)
{
    struct unroller u = {.program = p,
                         .bounds = bounds,
                         .arena = a,
                         .scratch = ARENA_INIT,
                         .err = e};
    struct walker w = {.u = &u, .operation = LSL_NONE, .path = 1};
    struct flow f = {.guard = FLAT_TRUE};

    CHECK(test || entry < p->proc_count);
    u.out.program = p;
    u.out.test = test;
    values_init(&u.values, &u.scratch);
    u.shapes = arena_array(&u.scratch, p->proc_count, sizeof(*u.shapes));
    w.thread = flat_new_thread(&u, LSL_NONE);
    add_globals(&w);
    if (test)
        walk_test(&w, &f, test);
    else
        walk_main(&w, &f, entry);
    flat_exit(&w, &f);
    if (!u.refused)
        flat_finish(&u);
    *out = u.out;
    arena_free(&u.scratch);
    return !u.refused;
}
