/* SPDX-License-Identifier: MIT
 *
 * The test as it is handed out.  While it was unrolled, events came in the
 * order of walking, with threads inside each other; now they are put thread
 * after thread.
 */
#include "flat/flat_inside.h"

struct finish {
    struct unroller *u;
    uint32_t *event; /* old number to new */
};

/* ---- Events ---- */

static void number_events(struct finish *f)
{
    struct flat *out = &f->u->out;
    uint32_t *next =
        arena_array(&f->u->scratch, out->thread_count, sizeof(*next));
    uint32_t first = 0;

    out->threads =
        arena_array(f->u->arena, out->thread_count, sizeof(*out->threads));
    for (uint32_t t = 0; t < out->thread_count; t++) {
        out->threads[t].first = next[t] = first;
        out->threads[t].count = f->u->notes[t].events;
        first += out->threads[t].count;
    }
    for (uint32_t i = 0; i < out->event_count; i++)
        f->event[i] = next[out->events[i].thread]++;
}

static void move_events(struct finish *f)
{
    struct flat *out = &f->u->out;
    struct flat_event *events =
        arena_array(f->u->arena, out->event_count, sizeof(*events));

    for (uint32_t i = 0; i < out->event_count; i++)
        events[f->event[i]] = out->events[i];
    out->events = events;
    for (uint32_t t = 0; t < out->thread_count; t++) {
        uint32_t create = f->u->notes[t].create;

        out->threads[t].create =
            create == LSL_NONE ? LSL_NONE : f->event[create];
    }
    for (uint32_t i = 0; i < out->operation_count; i++)
        out->operations[i].first +=
            out->threads[out->operations[i].thread].first;
    for (uint32_t i = 0; i < out->cut_count; i++)
        out->cuts[i].first += out->threads[out->cuts[i].thread].first;
    for (uint32_t i = 0; i < out->branch_count; i++)
        out->branches[i].event += out->threads[out->branches[i].thread].first;
    for (uint32_t i = 0; i < out->assume_count; i++)
        if (out->assumes[i].event != LSL_NONE)
            out->assumes[i].event = f->event[out->assumes[i].event];
}

/* Stable, by thread: lists are short, and nearly in order. */
static void sort_observes(struct flat *out)
{
    for (uint32_t i = 1; i < out->observe_count; i++) {
        struct flat_observe o = out->observes[i];
        uint32_t k = i;

        for (; k > 0 && out->observes[k - 1].thread > o.thread; k--)
            out->observes[k] = out->observes[k - 1];
        out->observes[k] = o;
    }
}

static void sort_choices(struct flat *out)
{
    for (uint32_t i = 1; i < out->choice_count; i++) {
        struct flat_choice c = out->choices[i];
        uint32_t k = i;

        for (; k > 0 && out->choices[k - 1].thread > c.thread; k--)
            out->choices[k] = out->choices[k - 1];
        out->choices[k] = c;
    }
}

static void sort_branches(struct flat *out)
{
    for (uint32_t i = 1; i < out->branch_count; i++) {
        struct flat_branch b = out->branches[i];
        uint32_t k = i;

        for (; k > 0 && out->branches[k - 1].thread > b.thread; k--)
            out->branches[k] = out->branches[k - 1];
        out->branches[k] = b;
    }
}

/* ---- Values ---- */

static void move_loaded(struct finish *f)
{
    struct values *v = &f->u->values;

    for (uint32_t i = 1; i < v->count; i++) {
        if (v->list[i].op == FLAT_LOADED)
            v->list[i].a = f->event[v->list[i].a];
    }
}

void flat_finish(struct unroller *u)
{
    struct finish f = {u, NULL};

    f.event = arena_array(&u->scratch, u->out.event_count, sizeof(*f.event));
    number_events(&f);
    move_events(&f);
    sort_observes(&u->out);
    sort_choices(&u->out);
    sort_branches(&u->out);
    move_loaded(&f);
    flat_take_values(&u->out, &u->values, u->arena);
    flat_check(&u->out);
}
