/* SPDX-License-Identifier: MIT
 *
 * What depends on a load (docs/decisions/19): from the load forwards, one walk
 * through all values, each of which comes after its operands.
 */
#include "axioms/stated.h"

static bool holds(const struct stated *s, uint32_t guard)
{
    return s->j->run.values[guard].bits != 0;
}

/* A CAS of one instruction that succeeds: its result is what was compared. */
static bool result_is_chosen(const struct stated *s, uint32_t load)
{
    const struct flat *f = s->j->flat;
    uint32_t store = flat_other_half(f, load);

    return s->has_picks && f->events[load].flags & FLAT_CAS && s->mapping &&
           !s->mapping->cas_pairs && store != LSL_NONE && s->j->place[store];
}

struct walk {
    const struct stated *s;
    uint32_t load;
    bool *deps, *picks;
};

static bool either(const bool *of, uint32_t a, uint32_t b)
{
    return of[a] || of[b];
}

static void visit_loaded(const struct walk *w, uint32_t value, uint32_t event)
{
    const struct flat *f = w->s->j->flat;

    if (!w->s->j->place[event])
        return;
    if (event == w->load) {
        bool chosen = result_is_chosen(w->s, event);

        w->deps[value] = !chosen;
        w->picks[value] = chosen;
    }
    w->picks[value] = w->picks[value] || w->picks[f->events[event].address];
}

/* Has `from` part in that guard, or value? */
static bool is_part(const struct flat *f, uint32_t from, uint32_t value,
                    bool *done)
{
    const struct flat_value *v = &f->values[value];
    bool leaf =
        v->op == FLAT_CONSTANT || v->op == FLAT_LOADED || v->op == FLAT_CHOSEN;

    if (value == from)
        return true;
    if (leaf || value < from || done[value])
        return false;
    done[value] = true;
    return is_part(f, from, v->a, done) || is_part(f, from, v->b, done) ||
           is_part(f, from, v->c, done);
}

/* Is it what a CAS loaded, where the other choice is what it compared with?
 * That is how `expected` is written back: it is what was found.  Only if there
 * was a CAS, and its outcome has part in the choice. */
static bool is_found(const struct stated *s, const struct flat_value *choice,
                     uint32_t value, uint32_t other)
{
    const struct flat *f = s->j->flat;
    const struct flat_value *v = &f->values[value];
    uint32_t store;
    bool *done;

    if (v->op != FLAT_LOADED || !(f->events[v->a].flags & FLAT_CAS))
        return false;
    store = flat_other_half(f, v->a);
    if (store == LSL_NONE || f->events[store].compare != other ||
        !s->j->place[v->a])
        return false;
    if ((holds(s, choice->a) ? choice->b : choice->c) == other &&
        !s->j->place[store])
        return false; /* it was not what was found */
    done = arena_array(&s->j->arena, f->value_count + 1, sizeof(bool));
    return is_part(f, value, choice->a, done);
}

static void visit_choice(const struct walk *w, uint32_t value,
                         const struct flat_value *v)
{
    uint32_t came = holds(w->s, v->a) ? v->b : v->c;
    bool computed = v->width == 1, first = is_found(w->s, v, v->b, v->c);

    if (!computed && (first || is_found(w->s, v, v->c, v->b))) {
        came = first ? v->b : v->c;
        w->deps[value] = w->deps[came];
        w->picks[value] = w->picks[came];
        return;
    }

    w->deps[value] = w->deps[came] || (computed && w->deps[v->a]);
    w->picks[value] =
        either(w->picks, came, v->a) || (!computed && w->deps[v->a]);
}

static void visit(const struct walk *w, uint32_t value)
{
    const struct flat_value *v = &w->s->j->flat->values[value];
    uint32_t b = v->a;

    switch ((enum flat_op)v->op) {
    case FLAT_CONSTANT:
    case FLAT_CHOSEN:
    case FLAT_TRUE_GUARD:
        return;
    case FLAT_LOADED:
        visit_loaded(w, value, v->a);
        return;
    case FLAT_ITE:
        visit_choice(w, value, v);
        return;
    case FLAT_PURE:
        if (lsl_pure_operands((enum lsl_pure)v->pure) == 2)
            b = v->b;
        break;
    case FLAT_SAME:
        b = v->b;
        break;
    case FLAT_AND: /* what comes second is looked at if the first holds */
        if (holds(w->s, v->a))
            b = v->b;
        break;
    default:
        break;
    }
    w->deps[value] = either(w->deps, v->a, b);
    w->picks[value] = either(w->picks, v->a, b);
}

static void walk_from(struct stated *s, uint32_t load)
{
    const struct flat *f = s->j->flat;
    struct walk w = {
        s, load, arena_array(&s->j->arena, f->value_count + 1, sizeof(bool)),
        arena_array(&s->j->arena, f->value_count + 1, sizeof(bool))};

    for (uint32_t v = 1; v < f->value_count; v++)
        visit(&w, v);
    s->deps[load] = w.deps;
    s->picks[load] = w.picks;
}

bool stated_depends(struct stated *s, uint32_t value, uint32_t load, bool pick)
{
    if (!value)
        return false;
    if (!s->deps[load])
        walk_from(s, load);
    return (pick ? s->picks : s->deps)[load][value];
}
