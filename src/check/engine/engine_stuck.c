/* SPDX-License-Identifier: MIT
 *
 * Threads that wait for ever, and whether they are meant to: if serial
 * executions are stuck in the same way, with the same operations finished and
 * the same observed, then that is what the data type does.
 */
#include "engine/engine_inside.h"

/* The thread's operation in which it waits, or LSL_NONE. */
static uint32_t waits_in(const struct flat *f, const struct flat_run *run,
                         uint32_t thread)
{
    for (uint32_t i = 0; i < f->assume_count; i++) {
        const struct flat_assume *a = &f->assumes[i];

        if (a->thread == thread && run->values[a->guard].bits &&
            !run->values[a->condition].bits)
            return a->operation;
    }
    for (uint32_t i = 0; i < f->cut_count; i++) {
        const struct flat_cut *c = &f->cuts[i];

        if (c->thread == thread && run->values[c->guard].bits)
            return c->operation;
    }
    return LSL_NONE;
}

/* How many operations of the thread come before that one; LSL_NONE: all. */
static uint32_t count_before(const struct flat *f, uint32_t thread,
                             uint32_t operation)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->operation_count && i < operation; i++)
        n += f->operations[i].thread == thread;
    return n;
}

static void take_observed(const struct flat *f, const struct flat_run *run,
                          uint32_t thread, uint32_t operation,
                          struct serial_stuck *s, size_t *total)
{
    for (uint32_t i = 0; i < f->observe_count; i++) {
        const struct flat_observe *o = &f->observes[i];

        if (o->thread != thread || o->operation >= operation ||
            !run->values[o->guard].bits)
            continue;
        s->values[(*total)++] = (int64_t)run->values[o->value].bits;
        s->counts[thread - 1]++;
    }
}

bool stuck_is_meant(const struct trial *t, const struct flat_run *run)
{
    const struct check_options *o = t->s->options;
    const struct flat *f = t->flat;
    struct arena scratch = ARENA_INIT;
    uint32_t threads = f->thread_count;
    struct serial_stuck s = {
        arena_array(&scratch, threads, sizeof *s.done),
        arena_array(&scratch, threads, sizeof *s.counts),
        arena_array(&scratch, f->observe_count + 1, sizeof *s.values)};
    struct test same;
    size_t total = 0;
    struct err e;
    bool meant = t->test && waits_in(f, run, 0) == LSL_NONE;

    if (meant)
        same = *t->test;
    for (uint32_t i = 1; meant && i < threads; i++) {
        uint32_t operation = waits_in(f, run, i);

        s.done[i - 1] = count_before(f, i, operation);
        take_observed(f, run, i, operation, &s, &total);
    }
    if (meant && o->reference)
        meant = spec_translate(o->program, t->test, o->reference, &scratch,
                               &same, &e);
    meant = meant &&
            serial_waits(o->reference ? o->reference : o->program, &same, &s);
    arena_free(&scratch);
    return meant;
}
