/* SPDX-License-Identifier: MIT
 *
 * No value out of thin air: where loads may take effect after later stores, a
 * solution could hold two loads that read what depends on both of them.  A
 * fixpoint finds what is justified: constants, choices and initial values; what
 * is computed from justified values; and a load if the store that it reads is
 * executed, at its address and with its value, for justified reasons.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_inside.h"

struct judge {
    struct encoding *x;
    bool *value; /* per value: justified */
    bool *load;  /* per event */
    bool changed;
};

/* True because of both, false because of one of them. */
static bool and_justified(const struct judge *j, uint32_t a, uint32_t b)
{
    if (guard_found(j->x, a) && guard_found(j->x, b))
        return j->value[a] && j->value[b];
    return (j->value[a] && !guard_found(j->x, a)) ||
           (j->value[b] && !guard_found(j->x, b));
}

static bool is_justified(struct judge *j, uint32_t value)
{
    const struct flat_value *v = &j->x->flat->values[value];
    const bool *ok = j->value;

    switch ((enum flat_op)v->op) {
    case FLAT_CONSTANT:
    case FLAT_CHOSEN:
    case FLAT_TRUE_GUARD:
        return true;
    case FLAT_PURE:
        return ok[v->a] && (lsl_pure_operands(v->pure) == 1 || ok[v->b]);
    case FLAT_ITE:
        return ok[v->a] && ok[guard_found(j->x, v->a) ? v->b : v->c];
    case FLAT_LOADED:
        return j->load[v->a] ||
               !solver_value(j->x->solver, j->x->accesses[v->a].live);
    case FLAT_AND:
        return and_justified(j, v->a, v->b);
    case FLAT_SAME:
        return ok[v->a] && ok[v->b];
    case FLAT_IS_UNDEFINED: /* being defined says nothing about the value */
        return ok[v->a] || !guard_found(j->x, value);
    default: /* NOT, TRUTH */
        return ok[v->a];
    }
}

static const struct link *read_link(struct judge *j, uint32_t load)
{
    for (uint32_t i = 0; i < j->x->link_count[load]; i++) {
        if (solver_value(j->x->solver, j->x->links[load][i].reads))
            return &j->x->links[load][i];
    }
    return NULL;
}

static void judge_load(struct judge *j, uint32_t load)
{
    const struct flat_event *events = j->x->flat->events;
    const struct link *link = read_link(j, load);
    bool ok = j->value[events[load].address] && j->value[events[load].guard];

    if (link) {
        const struct flat_event *s = &events[link->store];

        ok = ok && j->value[s->guard] && j->value[s->address] &&
             (s->kind == FLAT_FREE || j->value[s->value]);
    }
    if (ok && !j->load[load])
        j->load[load] = j->changed = true;
}

static void find_justified(struct judge *j)
{
    const struct flat *f = j->x->flat;

    do {
        j->changed = false;
        for (uint32_t v = 1; v < f->value_count; v++) {
            if (!j->value[v] && is_justified(j, v))
                j->value[v] = j->changed = true;
        }
        for (uint32_t e = 0; e < f->event_count; e++) {
            if (f->events[e].kind == FLAT_LOAD && !j->load[e] &&
                solver_value(j->x->solver, j->x->accesses[e].live))
                judge_load(j, e);
        }
    } while (j->changed);
}

/* That these loads read these values from these stores, with all loads that are
 * justified and all choices as they are, is one solution too many. */
static size_t forbid(struct judge *j)
{
    struct encoding *x = j->x;
    const struct flat *f = x->flat;
    size_t thin = 0;

    for (uint32_t e = 0; e < f->event_count; e++) {
        const struct link *link;

        if (f->events[e].kind != FLAT_LOAD ||
            !solver_value(x->solver, x->accesses[e].live))
            continue;
        link = read_link(j, e);
        solver_add(x->solver, -value_is(x, f->events[e].value,
                                        value_found(x, f->events[e].value)));
        if (!j->load[e] && link) {
            solver_add(x->solver, -link->reads);
            thin++;
        }
    }
    CHECK(thin);
    for (uint32_t v = 1; v < f->value_count; v++) {
        if (f->values[v].op == FLAT_CHOSEN && x->values[v].lits)
            solver_add(x->solver, -value_is(x, v, value_found(x, v)));
    }
    solver_end(x->solver);
    return 1;
}

size_t thin_forbid_values(struct encoding *x)
{
    struct judge j = {.x = x};
    size_t added = 0, unjustified = 0;

    if ((!x->model->loads_move_down && !x->statement) || x->options.serial)
        return 0;
    j.value = calloc(x->flat->value_count + 1, sizeof *j.value);
    j.load = calloc(x->flat->event_count + 1, sizeof *j.load);
    CHECK(j.value && j.load);
    find_justified(&j);
    for (uint32_t e = 0; e < x->flat->event_count; e++)
        unjustified += x->flat->events[e].kind == FLAT_LOAD && !j.load[e] &&
                       solver_value(x->solver, x->accesses[e].live);
    if (unjustified)
        added = forbid(&j);
    free(j.value);
    free(j.load);
    return added;
}
