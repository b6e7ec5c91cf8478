/* SPDX-License-Identifier: MIT
 *
 * Dependencies of a solution, value by value (docs/decisions/19): from which
 * loads a value was computed, and which loads only chose between others.  Of a
 * choice only the operand that came counts, and the condition is a pick;
 * choices between truth values are computed, so both count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_relate.h"

void reasons_add(struct reasons *r, int lit)
{
    if (lit == 0 || lit == LIT_TRUE)
        return;
    for (size_t i = 0; i < r->count; i++) {
        if (r->list[i] == lit)
            return;
    }
    VEC_PUSH(r, lit);
}

static uint64_t *deps_of(const struct depends *d, uint32_t value)
{
    return d->deps + (size_t)value * d->words;
}

static uint64_t *picks_of(const struct depends *d, uint32_t value)
{
    return d->picks + (size_t)value * d->words;
}

bool depends_has(const struct depends *d, uint32_t value, uint32_t load,
                 bool pick)
{
    return relate_bit(pick ? picks_of(d, value) : deps_of(d, value), load);
}

static void unite(const struct depends *d, uint64_t *to, const uint64_t *from)
{
    for (size_t i = 0; i < d->words; i++)
        to[i] |= from[i];
}

static void take(const struct depends *d, uint32_t to, uint32_t from)
{
    unite(d, deps_of(d, to), deps_of(d, from));
    unite(d, picks_of(d, to), picks_of(d, from));
}

/* Whatever it depends on has chosen. */
static void take_choice(const struct depends *d, uint32_t to, uint32_t guard)
{
    unite(d, picks_of(d, to), deps_of(d, guard));
    unite(d, picks_of(d, to), picks_of(d, guard));
}

static bool is_live(const struct depends *d, uint32_t event)
{
    return solver_value(d->x->solver, d->x->accesses[event].live);
}

/* Is it a CAS whose success is only a selection: where that is one instruction,
 * its result may as well be what it was compared with?  Its store, or
 * LSL_NONE. */
static uint32_t selecting_store(const struct depends *d, uint32_t load)
{
    const struct flat *f = d->x->flat;
    const struct statement *s = d->x->statement;

    if (!s->picks || !(f->events[load].flags & FLAT_CAS) || !s->mapping ||
        s->mapping->cas_pairs)
        return LSL_NONE;
    return flat_other_half(f, load);
}

static bool only_selects(const struct depends *d, uint32_t load)
{
    uint32_t store = selecting_store(d, load);

    return store != LSL_NONE && is_live(d, store);
}

/* Memory that one thread uses passes on what was stored there, as a register
 * does.  Where terms speak of lrs they say so themselves.  The store that the
 * load is forwarded from, or LSL_NONE. */
static uint32_t own_store(const struct depends *d, uint32_t load)
{
    struct encoding *x = d->x;
    const struct flat_event *events = x->flat->events;
    uint32_t first = x->flat->threads[events[load].thread].first;

    if (!x->own || !x->own[load])
        return LSL_NONE;
    for (uint32_t i = load; i-- > first;) {
        if (events[i].kind == FLAT_STORE && is_live(d, i) &&
            value_compare(value_found(x, events[i].address),
                          value_found(x, events[load].address)) == 0)
            return i;
    }
    return LSL_NONE;
}

static void load_depends(const struct depends *d, uint32_t value, uint32_t load)
{
    uint32_t store;

    if (!is_live(d, load))
        return;
    store = own_store(d, load);
    if (store != LSL_NONE)
        take(d, value, d->x->flat->events[store].value);
    relate_set(only_selects(d, load) ? picks_of(d, value) : deps_of(d, value),
               load);
    unite(d, picks_of(d, value), picks_of(d, d->x->flat->events[load].address));
}

/* Is that value among those that the other is computed from?  `seen` has a bit
 * for each value that was looked at. */
static bool is_computed_from(const struct flat *f, uint32_t value,
                             uint32_t from, uint64_t *seen)
{
    const struct flat_value *v = &f->values[value];

    if (value <= from || relate_bit(seen, value))
        return value == from;
    relate_set(seen, value);
    if (v->op == FLAT_CONSTANT || v->op == FLAT_LOADED || v->op == FLAT_CHOSEN)
        return false;
    return is_computed_from(f, v->a, from, seen) ||
           is_computed_from(f, v->b, from, seen) ||
           is_computed_from(f, v->c, from, seen);
}

/* The CAS whose result is one side, and what it compared with the other; its
 * store, or LSL_NONE. */
static uint32_t compared_with(const struct flat *f, uint32_t found,
                              uint32_t other)
{
    const struct flat_value *x = &f->values[found];
    uint32_t store;

    if (x->op != FLAT_LOADED || !(f->events[x->a].flags & FLAT_CAS))
        return LSL_NONE;
    store = flat_other_half(f, x->a);
    return store != LSL_NONE && f->events[store].compare == other ? store
                                                                  : LSL_NONE;
}

/* `expected` after a CAS is what the CAS found, whichever way that came about:
 * the value that it loaded, or 0.  So it is where the CAS was done, and where
 * what it found decides between that and what it compared with.  A value from
 * before it may come on another way, or because of something else: then the
 * choice is one as others are. */
static uint32_t written_back(const struct depends *d,
                             const struct flat_value *v)
{
    const struct flat *f = d->x->flat;
    uint32_t chosen = guard_found(d->x, v->a) ? v->b : v->c;

    for (int i = 0; i < 2; i++) {
        uint32_t found = i ? v->c : v->b, other = i ? v->b : v->c;
        uint32_t store = compared_with(f, found, other);

        if (store == LSL_NONE || !is_live(d, f->values[found].a) ||
            (chosen == other && !is_live(d, store)))
            continue;
        memset(d->seen, 0, (f->value_count / 64 + 1) * sizeof *d->seen);
        if (is_computed_from(f, v->a, found, d->seen))
            return found;
    }
    return 0;
}

/* That both the choice and the CAS were done so. */
static void explain_written_back(const struct depends *d,
                                 const struct flat_value *v,
                                 struct reasons *why)
{
    const struct encoding *x = d->x;

    for (int i = 0; i < 2; i++) {
        uint32_t found = i ? v->c : v->b, other = i ? v->b : v->c;
        uint32_t store = compared_with(x->flat, found, other), load;

        if (store == LSL_NONE)
            continue;
        load = x->flat->values[found].a;
        reasons_add(why, is_live(d, load) ? x->accesses[load].live
                                          : -x->accesses[load].live);
        reasons_add(why, is_live(d, store) ? x->accesses[store].live
                                           : -x->accesses[store].live);
    }
}

static bool is_truth(const struct flat_value *v)
{
    return v->width == 1;
}

static void choice_depends(const struct depends *d, uint32_t value)
{
    const struct flat_value *v = &d->x->flat->values[value];
    uint32_t found = written_back(d, v);

    take(d, value, found ? found : guard_found(d->x, v->a) ? v->b : v->c);
    if (is_truth(v))
        take(d, value, v->a);
    else if (!found)
        take_choice(d, value, v->a);
}

static void value_depends(const struct depends *d, uint32_t value)
{
    const struct flat_value *v = &d->x->flat->values[value];

    switch ((enum flat_op)v->op) {
    case FLAT_CONSTANT:
    case FLAT_CHOSEN:
    case FLAT_TRUE_GUARD:
        return;
    case FLAT_LOADED:
        load_depends(d, value, v->a);
        return;
    case FLAT_ITE:
        choice_depends(d, value);
        return;
    case FLAT_PURE:
        take(d, value, v->a);
        if (lsl_pure_operands((enum lsl_pure)v->pure) == 2)
            take(d, value, v->b);
        return;
    case FLAT_AND: /* one after the other */
        take(d, value, v->a);
        if (guard_found(d->x, v->a))
            take(d, value, v->b);
        return;
    case FLAT_SAME:
        take(d, value, v->a);
        take(d, value, v->b);
        return;
    default: /* NOT, TRUTH, IS_UNDEFINED */
        take(d, value, v->a);
    }
}

struct depends *depends_new(struct encoding *x)
{
    struct depends *d = calloc(1, sizeof *d);
    size_t room;

    CHECK(d);
    d->x = x;
    d->words = x->flat->event_count / 64 + 1;
    room = (size_t)x->flat->value_count * d->words;
    d->seen = calloc(x->flat->value_count / 64 + 1, sizeof *d->seen);
    d->deps = calloc(room + 1, sizeof *d->deps);
    d->picks = calloc(room + 1, sizeof *d->picks);
    CHECK(d->seen && d->deps && d->picks);
    for (uint32_t v = 1; v < x->flat->value_count; v++)
        value_depends(d, v);
    return d;
}

void depends_free(struct depends *d)
{
    if (!d)
        return;
    free(d->seen);
    free(d->deps);
    free(d->picks);
    free(d);
}

/* ---- Why ---- */

static void because(const struct depends *d, uint32_t guard,
                    struct reasons *why)
{
    int lit = value_guard(d->x, guard);

    reasons_add(why, guard_found(d->x, guard) ? lit : -lit);
}

/* The operand that has it: true if it was that one. */
static bool explain_in(const struct depends *d, uint32_t value, uint32_t load,
                       bool pick, struct reasons *why)
{
    if (!depends_has(d, value, load, pick))
        return false;
    depends_explain(d, value, load, pick, why);
    return true;
}

static void explain_address(const struct depends *d, uint32_t event,
                            struct reasons *why)
{
    struct encoding *x = d->x;

    reasons_add(why, x->accesses[event].live);
    reasons_add(why, access_at(x, event,
                               value_found(x, x->flat->events[event].address)));
}

/* The store, and that none is between: not executed, or elsewhere. */
static void explain_own(const struct depends *d, uint32_t store, uint32_t load,
                        struct reasons *why)
{
    explain_address(d, store, why);
    explain_address(d, load, why);
    for (uint32_t i = store + 1; i < load; i++) {
        if (d->x->flat->events[i].kind != FLAT_STORE ||
            !ranges_may_alias(&d->x->ranges, d->x->flat, i, load))
            continue;
        if (is_live(d, i))
            explain_address(d, i, why);
        else
            reasons_add(why, -d->x->accesses[i].live);
    }
}

static void explain_load(const struct depends *d, uint32_t event, uint32_t load,
                         bool pick, struct reasons *why)
{
    const struct encoding *x = d->x;
    uint32_t own = event == load ? LSL_NONE : own_store(d, event);

    reasons_add(why, x->accesses[event].live);
    if (own != LSL_NONE &&
        depends_has(d, x->flat->events[own].value, load, pick)) {
        explain_own(d, own, event, why);
        depends_explain(d, x->flat->events[own].value, load, pick, why);
        return;
    }
    if (event == load && pick == only_selects(d, load)) {
        uint32_t store = selecting_store(d, load);

        if (store != LSL_NONE)
            reasons_add(why, pick ? x->accesses[store].live
                                  : -x->accesses[store].live);
        return;
    }
    CHECK(pick);
    depends_explain(d, x->flat->events[event].address, load, true, why);
}

static void explain_choice(const struct depends *d, const struct flat_value *v,
                           uint32_t load, bool pick, struct reasons *why)
{
    uint32_t found = written_back(d, v);
    uint32_t chosen = found ? found : guard_found(d->x, v->a) ? v->b : v->c;

    explain_written_back(d, v, why);
    if (depends_has(d, chosen, load, pick)) {
        because(d, v->a, why);
        depends_explain(d, chosen, load, pick, why);
    } else if (!explain_in(d, v->a, load, pick, why)) {
        CHECK(pick && explain_in(d, v->a, load, false, why));
    }
}

void depends_explain(const struct depends *d, uint32_t value, uint32_t load,
                     bool pick, struct reasons *why)
{
    const struct flat_value *v = &d->x->flat->values[value];

    CHECK(depends_has(d, value, load, pick));
    switch ((enum flat_op)v->op) {
    case FLAT_LOADED:
        explain_load(d, v->a, load, pick, why);
        return;
    case FLAT_ITE:
        explain_choice(d, v, load, pick, why);
        return;
    case FLAT_AND:
        if (explain_in(d, v->a, load, pick, why))
            return;
        because(d, v->a, why);
        depends_explain(d, v->b, load, pick, why);
        return;
    case FLAT_PURE:
    case FLAT_SAME:
        if (!explain_in(d, v->a, load, pick, why))
            depends_explain(d, v->b, load, pick, why);
        return;
    default:
        depends_explain(d, v->a, load, pick, why);
    }
}
