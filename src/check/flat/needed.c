/* SPDX-License-Identifier: MIT
 *
 * The values of a test that is handed out: those that nobody asks for are left
 * out; the rest keep their order, so that operands still come first.
 */
#include "flat/flat_inside.h"

struct needed {
    struct flat *out;
    const struct values *values;
    struct arena *arena;
    uint32_t *value; /* old number to new; 0: not needed */
};

typedef void each_value(struct needed *f, uint32_t *value);

/* All places that name a value from outside the list of values. */
static void each_root(struct needed *f, each_value *do_it)
{
    struct flat *out = f->out;

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

static void need(struct needed *f, uint32_t *value)
{
    f->value[*value] = 1;
}

static void rename_value(struct needed *f, uint32_t *value)
{
    *value = f->value[*value];
}

static bool has_value_operands(const struct flat_value *x)
{
    return x->op != FLAT_LOADED && x->op != FLAT_CHOSEN;
}

static void need_operands(struct needed *f)
{
    const struct values *v = f->values;

    for (uint32_t i = v->count; i-- > 1;) {
        const struct flat_value *x = &v->list[i];

        if (!f->value[i] || !has_value_operands(x))
            continue;
        f->value[x->a] = f->value[x->b] = f->value[x->c] = 1;
    }
    f->value[0] = f->value[FLAT_TRUE] = f->value[FLAT_FALSE] = 1;
}

static void move_values(struct needed *f)
{
    const struct values *v = f->values;
    struct flat *out = f->out;
    uint32_t count = 0;

    for (uint32_t i = 0; i < v->count; i++)
        if (f->value[i])
            f->value[i] = count++;
    out->values = arena_array(f->arena, count, sizeof(*out->values));
    out->value_count = count;
    for (uint32_t i = 1; i < v->count; i++) {
        struct flat_value x = v->list[i];

        if (!f->value[i])
            continue;
        if (has_value_operands(&x)) {
            rename_value(f, &x.a);
            rename_value(f, &x.b);
            rename_value(f, &x.c);
        }
        out->values[f->value[i]] = x;
    }
}

void flat_take_values(struct flat *out, const struct values *v, struct arena *a)
{
    struct needed f = {out, v, a, arena_array(a, v->count, sizeof(*f.value))};

    each_root(&f, need);
    need_operands(&f);
    move_values(&f);
    each_root(&f, rename_value);
}
