/* SPDX-License-Identifier: MIT
 *
 * The test as it is handed out.  While it was unrolled, events came in the
 * order of walking, with threads inside each other; now they are put thread
 * after thread.  Values that nobody asks for any more are left out; the rest
 * keep their order, so that operands still come first.
 */
#include <stdlib.h>

#include "flat/flat_inside.h"

struct finish {
    struct unroller *u;
    uint32_t *event; /* old number to new */
    uint32_t *value; /* likewise; 0: not needed */
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

typedef void each_value(struct finish *f, uint32_t *value);

/* All places that name a value from outside the list of values. */
static void each_root(struct finish *f, each_value *do_it)
{
    struct flat *out = &f->u->out;

    for (uint32_t i = 0; i < out->event_count; i++) {
        do_it(f, &out->events[i].guard);
        do_it(f, &out->events[i].address);
        do_it(f, &out->events[i].value);
        do_it(f, &out->events[i].compare);
    }
    for (uint32_t i = 0; i < out->branch_count; i++) {
        do_it(f, &out->branches[i].guard);
        do_it(f, &out->branches[i].condition);
    }
    for (uint32_t i = 0; i < out->assume_count; i++) {
        do_it(f, &out->assumes[i].guard);
        do_it(f, &out->assumes[i].condition);
    }
    for (uint32_t i = 0; i < out->cut_count; i++) {
        do_it(f, &out->cuts[i].guard);
        do_it(f, &out->cuts[i].chose);
    }
    for (uint32_t i = 0; i < out->error_count; i++)
        do_it(f, &out->errors[i].guard);
    for (uint32_t i = 0; i < out->observe_count; i++) {
        do_it(f, &out->observes[i].guard);
        do_it(f, &out->observes[i].value);
    }
    for (uint32_t i = 0; i < out->choice_count; i++) {
        do_it(f, &out->choices[i].guard);
        do_it(f, &out->choices[i].value);
    }
}

static void need(struct finish *f, uint32_t *value)
{
    f->value[*value] = 1;
}

static void rename_value(struct finish *f, uint32_t *value)
{
    *value = f->value[*value];
}

static bool has_value_operands(const struct flat_value *x)
{
    return x->op != FLAT_LOADED && x->op != FLAT_CHOSEN;
}

static void need_operands(struct finish *f)
{
    const struct values *v = &f->u->values;

    for (uint32_t i = v->count; i-- > 1;) {
        const struct flat_value *x = &v->list[i];

        if (!f->value[i] || !has_value_operands(x))
            continue;
        f->value[x->a] = f->value[x->b] = f->value[x->c] = 1;
    }
    f->value[0] = f->value[FLAT_TRUE] = f->value[FLAT_FALSE] = 1;
}

static void move_values(struct finish *f)
{
    const struct values *v = &f->u->values;
    struct flat *out = &f->u->out;
    uint32_t count = 0;

    for (uint32_t i = 0; i < v->count; i++)
        if (f->value[i])
            f->value[i] = count++;
    out->values = arena_array(f->u->arena, count, sizeof(*out->values));
    out->value_count = count;
    for (uint32_t i = 1; i < v->count; i++) {
        struct flat_value x = v->list[i];

        if (!f->value[i])
            continue;
        if (x.op == FLAT_LOADED) {
            x.a = f->event[x.a];
        } else if (has_value_operands(&x)) {
            rename_value(f, &x.a);
            rename_value(f, &x.b);
            rename_value(f, &x.c);
        }
        out->values[f->value[i]] = x;
    }
}

void flat_finish(struct unroller *u)
{
    struct finish f = {u, NULL, NULL};

    f.event = arena_array(&u->scratch, u->out.event_count, sizeof(*f.event));
    f.value = arena_array(&u->scratch, u->values.count, sizeof(*f.value));
    number_events(&f);
    move_events(&f);
    sort_observes(&u->out);
    sort_choices(&u->out);
    sort_branches(&u->out);
    each_root(&f, need);
    need_operands(&f);
    move_values(&f);
    each_root(&f, rename_value);
    flat_check(&u->out);
}
