/* SPDX-License-Identifier: MIT
 *
 * What if there were one memory?  The same steps in the same order on SC: a
 * store is there at once, a load sees the newest value.
 *
 * A thread does what the values that it read tell it.  So up to the first load
 * that sees another value this is an execution of the program on SC.  After
 * that load its thread might do something else: it *strays*.  What it writes is
 * then open, as is everything that depends on it: a thread that reads such a
 * byte, is made by such a thread, joins it, or uses a lock that it used strays
 * as well.  Nothing is guessed.
 */
#include "report/html/html_inside.h"

#include <string.h>

struct one_memory {
    struct html_memory *memory;
    struct html_image now;
    bool *open; /* by object: used for synchronisation by one that strays */
};

static bool strays(const struct one_memory *x, unsigned thread)
{
    return x->memory->strays[thread] != 0;
}

static void lead_astray(struct one_memory *x, unsigned thread, uint32_t step)
{
    if (thread < x->memory->trace->thread_count && !strays(x, thread))
        x->memory->strays[thread] = step;
}

/* Does it see what it saw?  Else its thread strays from the next step on. */
static void read_again(struct one_memory *x, const struct event *ev,
                       uint32_t step)
{
    struct html_memory *m = x->memory;
    struct html_change seen = {step, 0};
    struct buf text = {0};
    uint64_t value;

    if (html_read(m, &x->now, ev, &value)) {
        if (value == html_value_of(ev, ev->value))
            return;
        trace_value(m->trace, value, ev->size, &text);
        seen.text = html_string(m->strings, text.bytes);
        buf_free(&text);
    }
    VEC_PUSH_IN(&m->arena, &m->differs, seen);
    lead_astray(x, ev->thread, step + 1);
}

static void access_again(struct one_memory *x, const struct event *ev,
                         uint32_t step)
{
    if (x->memory->unseen[step - 1])
        html_write(x->memory, &x->now, ev, ev->value, false);
    if (event_reads(ev) && !strays(x, ev->thread))
        read_again(x, ev, step);
    if (ev->kind != EV_STORE && ev->kind != EV_RMW)
        return;
    html_write(x->memory, &x->now, ev,
               ev->kind == EV_RMW ? ev->wrote : ev->value,
               strays(x, ev->thread));
    html_note(x->memory, &x->now, ev, step, true);
}

static void synchronise_again(struct one_memory *x, const struct event *ev,
                              uint32_t step)
{
    if (ev->object == 0)
        return;
    if (x->open[ev->object])
        lead_astray(x, ev->thread, step);
    if (strays(x, ev->thread))
        x->open[ev->object] = true;
}

static void step_again(struct one_memory *x, size_t i)
{
    const struct trace *t = x->memory->trace;
    const struct event *ev = &t->events[i];
    uint32_t step = (uint32_t)i + 1;

    if (ev->kind == EV_COMMIT)
        return;
    if (html_is_access(ev))
        access_again(x, ev, step);
    else if (ev->kind == EV_CREATE && strays(x, ev->thread))
        lead_astray(x, (unsigned)ev->value, step);
    else if (ev->kind == EV_JOIN && ev->value < t->thread_count &&
             strays(x, (unsigned)ev->value))
        lead_astray(x, ev->thread, step);
    else
        synchronise_again(x, ev, step);
}

void html_what_if(struct html_memory *m)
{
    struct one_memory x = {
        .memory = m,
        .now = html_image_new(m),
        .open = arena_array(&m->arena, m->trace->object_count, sizeof(bool))};

    memcpy(x.now.bytes, m->initial.bytes, m->slots.count);
    memcpy(x.now.state, m->initial.state, m->slots.count);
    for (size_t i = 0; i < m->trace->event_count; i++)
        step_again(&x, i);
}
