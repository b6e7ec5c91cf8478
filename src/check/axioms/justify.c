/* SPDX-License-Identifier: MIT
 *
 * No value out of thin air.  Values are found out again, from nothing: what is
 * constant or chosen is known; what is computed is known once enough of its
 * operands are; a load is known once it is known that the store it reads is
 * executed, where, and with what.  A load that is never known had to know
 * itself first.
 */
#include "axioms/axioms_inside.h"

struct inquiry {
    const struct judged *j;
    bool *known; /* per value */
    bool grown;
};

static bool holds(const struct inquiry *q, uint32_t guard)
{
    return q->j->run.values[guard].bits != 0;
}

static bool load_known(const struct inquiry *q, uint32_t event)
{
    const struct flat_event *e = &q->j->flat->events[event];
    uint32_t source = q->j->run.rf[event];
    const struct flat_event *s;

    if (!q->j->run.executed[event] && !holds(q, e->guard))
        return q->known[e->guard];
    if (!q->j->run.executed[event]) /* at a bad address */
        return q->known[e->address];
    if (!q->known[e->address])
        return false;
    if (source == FLAT_INITIAL)
        return true;
    s = &q->j->flat->events[source];
    return q->known[s->guard] && q->known[s->address] &&
           (s->kind == FLAT_FREE || q->known[s->value]);
}

static bool value_known(const struct inquiry *q, uint32_t number)
{
    const struct flat_value *v = &q->j->flat->values[number];
    const bool *known = q->known;

    switch ((enum flat_op)v->op) {
    case FLAT_CONSTANT:
    case FLAT_CHOSEN:
    case FLAT_TRUE_GUARD:
        return true;
    case FLAT_LOADED:
        return load_known(q, v->a);
    case FLAT_ITE:
        return known[v->a] && known[holds(q, v->a) ? v->b : v->c];
    case FLAT_AND:
        return (known[v->a] && known[v->b]) ||
               (known[v->a] && !holds(q, v->a)) ||
               (known[v->b] && !holds(q, v->b));
    case FLAT_NOT:
    case FLAT_TRUTH:
        return known[v->a];
    case FLAT_IS_UNDEFINED: /* that it is defined does not say what it is */
        return known[v->a] || !holds(q, number);
    case FLAT_PURE:
        return known[v->a] &&
               (lsl_pure_operands((enum lsl_pure)v->pure) < 2 || known[v->b]);
    case FLAT_SAME:
        return known[v->a] && known[v->b];
    }
    CHECK(!"a value of no kind");
    return false;
}

bool axioms_check_justified(struct judged *j, struct err *e)
{
    const struct flat *f = j->flat;
    struct inquiry q = {j, arena_array(&j->arena, f->value_count + 1, 1), true};

    while (q.grown) {
        q.grown = false;
        for (uint32_t i = 1; i < f->value_count; i++)
            if (!q.known[i] && value_known(&q, i))
                q.grown = q.known[i] = true;
    }
    for (uint32_t i = 0; i < f->event_count; i++)
        if (j->run.executed[i] && f->events[i].kind == FLAT_LOAD &&
            !load_known(&q, i))
            return err_set(e, "%s: its value depends on itself",
                           axioms_words(j, i));
    return true;
}
