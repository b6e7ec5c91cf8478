/* SPDX-License-Identifier: MIT
 *
 * One execution of a flat test: all values from those that were loaded and
 * chosen.  Operands have smaller numbers, so one pass is enough.
 */
#include "flat/flat.h"

static bool is_true(struct lsl_value v)
{
    return v.kind == LSL_POINTER || (v.kind == LSL_INTEGER && v.bits);
}

static struct lsl_value guard(bool holds)
{
    return LSL_INT(holds);
}

static struct lsl_value value_of(const struct flat_value *x,
                                 const struct flat_run *run, uint32_t number)
{
    const struct lsl_value *v = run->values;
    struct lsl_value out;

    switch ((enum flat_op)x->op) {
    case FLAT_CONSTANT:
        return x->constant;
    case FLAT_PURE:
        lsl_eval((enum lsl_pure)x->pure, x->width, x->in_width, v[x->a],
                 v[x->b], &out);
        return out;
    case FLAT_ITE:
        return is_true(v[x->a]) ? v[x->b] : v[x->c];
    case FLAT_LOADED:
        return run->value[x->a];
    case FLAT_CHOSEN:
        return v[number];
    case FLAT_TRUE_GUARD:
        return guard(true);
    case FLAT_NOT:
        return guard(!is_true(v[x->a]));
    case FLAT_AND:
        return guard(is_true(v[x->a]) && is_true(v[x->b]));
    case FLAT_TRUTH:
        return guard(is_true(v[x->a]));
    case FLAT_IS_UNDEFINED:
        return guard(v[x->a].kind == LSL_UNDEFINED);
    case FLAT_SAME:
        return guard(lsl_equal(v[x->a], v[x->b]));
    }
    CHECK(!"a value of no kind");
    return v[0];
}

void flat_evaluate(const struct flat *f, struct flat_run *run)
{
    run->values[0] = (struct lsl_value){.kind = LSL_UNDEFINED};
    for (uint32_t i = 1; i < f->value_count; i++)
        run->values[i] = value_of(&f->values[i], run, i);
    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *e = &f->events[i];

        run->executed[i] = is_true(run->values[e->guard]);
        run->address[i] = run->values[e->address];
        if (e->kind == FLAT_STORE)
            run->value[i] = run->values[e->value];
    }
}
