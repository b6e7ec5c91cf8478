/* SPDX-License-Identifier: MIT
 *
 * Range analysis (CheckFence, section 3.4): for every value of the test the
 * finite set of what it may be, by letting values flow from constants and
 * choices through operations, stores and loads until nothing new comes.
 *
 * A counter in memory would grow for ever.  As in the paper, each item carries
 * the number of growing operations that it passed through.  An execution passes
 * each of them at most once, so the number is limited by how many there are.
 *
 * What a load may read is narrowed by what is fixed in every execution: no
 * store after it, none that is surely overwritten.  To measure what all that
 * saves it can be left out (`everything`): a load may then hold whatever any
 * store of its size stores.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_inside.h"

struct finder {
    struct ranges *r;
    const struct flat *flat;
    const struct fixed *fixed;
    uint32_t growing; /* operations that could go round */
    bool *grows;      /* per value */
    bool changed;
    bool full; /* some range has too many */
    uint32_t where;
};

int value_compare(struct lsl_value a, struct lsl_value b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.base != b.base)
        return a.base < b.base ? -1 : 1;
    return a.bits < b.bits ? -1 : a.bits > b.bits;
}

static uint32_t lower_bound(const struct range *r, struct lsl_value v)
{
    uint32_t low = 0, high = (uint32_t)r->count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (value_compare(r->list[middle], v) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int range_find(const struct range *r, struct lsl_value v)
{
    uint32_t i = lower_bound(r, v);

    return i < r->count && value_compare(r->list[i], v) == 0 ? (int)i : -1;
}

static void put(struct finder *x, uint32_t value, struct lsl_value v,
                uint32_t depth)
{
    struct range *r = &x->r->of[value];
    uint32_t i = lower_bound(r, v);

    if (depth > x->growing)
        return;
    if (i < r->count && value_compare(r->list[i], v) == 0) {
        if (depth >= r->depth.list[i])
            return;
        r->depth.list[i] = (uint16_t)depth;
        x->changed = true;
        return;
    }
    if (r->count >= RANGE_MAX) {
        x->full = true;
        x->where = x->flat->values[value].site;
        return;
    }
    CHECK(!i || value_compare(r->list[i - 1], v) < 0);
    VEC_INSERT(r, i, v);
    VEC_INSERT(&r->depth, i, (uint16_t)depth);
    x->changed = true;
}

static void put_all(struct finder *x, uint32_t value, uint32_t from)
{
    const struct range *r = &x->r->of[from];

    for (uint32_t i = 0; i < r->count; i++)
        put(x, value, r->list[i], r->depth.list[i]);
}

/* ---- Memory ---- */

bool address_is_good(const struct flat *f, struct lsl_value v, unsigned size)
{
    const struct flat_object *o;

    if (v.kind != LSL_POINTER)
        return false;
    CHECK(v.base < f->object_count);
    o = &f->objects[v.base];
    if (o->global && f->program->objects[o->global].proc != LSL_NONE)
        return false;
    return v.bits < o->size && o->size - v.bits >= size;
}

struct lsl_value initial_value(const struct flat *f, struct lsl_value address,
                               unsigned size)
{
    const struct flat_object *o = &f->objects[address.base];

    if (o->global)
        return lsl_initial(&f->program->objects[o->global], address.bits, size);
    return o->zeroed ? LSL_INT(0) : (struct lsl_value){LSL_UNDEFINED, 0, 0};
}

bool ranges_may_alias(const struct ranges *r, const struct flat *f, uint32_t x,
                      uint32_t y)
{
    const struct flat_event *a = &f->events[x], *b = &f->events[y];
    const struct range *p = &r->of[a->address], *q = &r->of[b->address];

    if (a->kind != FLAT_FREE && b->kind != FLAT_FREE) {
        for (uint32_t i = 0; i < p->count; i++) {
            if (p->list[i].kind == LSL_POINTER &&
                range_find(q, p->list[i]) >= 0)
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        for (uint32_t k = 0; k < q->count; k++) {
            if (p->list[i].kind == LSL_POINTER &&
                q->list[k].kind == LSL_POINTER &&
                p->list[i].base == q->list[k].base)
                return true;
        }
    }
    return false;
}

static void load_from(struct finder *x, const struct flat_event *load,
                      uint32_t store)
{
    const struct flat_event *s = &x->flat->events[store];

    if (!(x->r->guard[s->guard] & MAY_BE_TRUE))
        return;
    if (x->r->everything
            ? s->kind == FLAT_STORE && s->size != load->size
            : !ranges_may_alias(x->r, x->flat, store,
                                (uint32_t)(load - x->flat->events)))
        return;
    if (s->kind == FLAT_FREE)
        put(x, load->value, VALUE_FREED, 0);
    else
        put_all(x, load->value, s->value);
}

static void load_range(struct finder *x, uint32_t event)
{
    const struct flat_event *l = &x->flat->events[event];
    const struct range *address = &x->r->of[l->address];

    if (!(x->r->guard[l->guard] & MAY_BE_TRUE))
        return;
    for (uint32_t i = 0; i < address->count; i++) {
        if (!address_is_good(x->flat, address->list[i], l->size))
            put(x, l->value, (struct lsl_value){LSL_UNDEFINED, 0, 0}, 0);
        else if (x->r->initial[event])
            put(x, l->value, initial_value(x->flat, address->list[i], l->size),
                0);
    }
    for (uint32_t i = x->r->first_source[event];
         i < x->r->first_source[event + 1]; i++)
        load_from(x, l, x->r->sources[i]);
}

/* ---- Values ---- */

static void pure_range(struct finder *x, uint32_t value)
{
    const struct flat_value *v = &x->flat->values[value];
    const struct range *a = &x->r->of[v->a];
    static const struct lsl_value none;
    bool unary = lsl_pure_operands(v->pure) == 1;
    uint32_t more = x->grows[value];

    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t count = unary ? 1 : x->r->of[v->b].count;

        for (uint32_t k = 0; k < count; k++) {
            const struct range *b = &x->r->of[v->b];
            uint32_t depth = a->depth.list[i];
            struct lsl_value out;

            if (!unary && v->a == v->b && k != i)
                continue; /* x ^ x: both are the same */
            if (!unary && b->depth.list[k] > depth)
                depth = b->depth.list[k];
            /* Arithmetic without meaning is found again, and named, when the
             * formula is made. */
            if (lsl_eval(v->pure, v->width, v->in_width, a->list[i],
                         unary ? none : b->list[k], &out) == LSL_FINE)
                put(x, value, out, depth + more);
            else
                put(x, value, (struct lsl_value){LSL_UNDEFINED, 0, 0}, 0);
        }
    }
}

static void guard_put(struct finder *x, uint32_t value, unsigned may)
{
    if ((x->r->guard[value] | may) != x->r->guard[value]) {
        x->r->guard[value] |= (uint8_t)may;
        x->changed = true;
    }
}

static unsigned truth_of(const struct range *r)
{
    unsigned may = 0;

    for (uint32_t i = 0; i < r->count; i++) {
        bool holds = r->list[i].kind == LSL_POINTER ||
                     (r->list[i].kind == LSL_INTEGER && r->list[i].bits);

        may |= holds ? MAY_BE_TRUE : MAY_BE_FALSE;
    }
    return may;
}

static unsigned undefined_of(const struct range *r)
{
    unsigned may = 0;

    for (uint32_t i = 0; i < r->count; i++)
        may |= r->list[i].kind == LSL_UNDEFINED ? MAY_BE_TRUE : MAY_BE_FALSE;
    return may;
}

static unsigned same_of(const struct range *a, const struct range *b)
{
    unsigned may = 0;

    for (uint32_t i = 0; i < a->count; i++)
        may |= range_find(b, a->list[i]) >= 0 ? MAY_BE_TRUE : 0;
    if (a->count && b->count && !(a->count == 1 && b->count == 1 && may))
        may |= MAY_BE_FALSE;
    return may;
}

static unsigned not_of(unsigned may)
{
    return (may & MAY_BE_TRUE ? MAY_BE_FALSE : 0) |
           (may & MAY_BE_FALSE ? MAY_BE_TRUE : 0);
}

static unsigned and_of(unsigned a, unsigned b)
{
    unsigned both = a & b & MAY_BE_TRUE;

    return a && b ? both | ((a | b) & MAY_BE_FALSE) : 0;
}

static void guard_range(struct finder *x, uint32_t value)
{
    const struct flat_value *v = &x->flat->values[value];
    const uint8_t *guard = x->r->guard;
    const struct range *of = x->r->of;

    switch ((enum flat_op)v->op) {
    case FLAT_TRUE_GUARD:
        guard_put(x, value, MAY_BE_TRUE);
        break;
    case FLAT_NOT:
        guard_put(x, value, not_of(guard[v->a]));
        break;
    case FLAT_AND:
        guard_put(x, value, and_of(guard[v->a], guard[v->b]));
        break;
    case FLAT_TRUTH:
        guard_put(x, value, truth_of(&of[v->a]));
        break;
    case FLAT_IS_UNDEFINED:
        guard_put(x, value, undefined_of(&of[v->a]));
        break;
    case FLAT_SAME:
        guard_put(x, value, same_of(&of[v->a], &of[v->b]));
        break;
    default:
        CHECK(false);
    }
}

static void chosen_range(struct finder *x, uint32_t value)
{
    uint64_t below = x->flat->values[value].constant.bits;

    for (uint64_t i = 0; i < below && !x->full; i++)
        put(x, value, LSL_INT(i), 0);
}

static void value_range(struct finder *x, uint32_t value)
{
    const struct flat_value *v = &x->flat->values[value];

    switch ((enum flat_op)v->op) {
    case FLAT_CONSTANT:
        put(x, value, v->constant, 0);
        break;
    case FLAT_PURE:
        pure_range(x, value);
        break;
    case FLAT_ITE:
        if (x->r->guard[v->a] & MAY_BE_TRUE)
            put_all(x, value, v->b);
        if (x->r->guard[v->a] & MAY_BE_FALSE)
            put_all(x, value, v->c);
        break;
    case FLAT_LOADED:
        load_range(x, v->a);
        break;
    case FLAT_CHOSEN:
        chosen_range(x, value);
        break;
    default:
        guard_range(x, value);
    }
}

/* ---- Operations that can grow ---- */

static bool can_grow(const struct flat_value *v)
{
    switch (v->pure) {
    case PURE_ADD:
    case PURE_SUB:
    case PURE_MUL:
    case PURE_SHL:
    case PURE_OR:
    case PURE_XOR:
        return v->width > 1;
    default:
        return false;
    }
}

/* Those that lead into a store: only these can go round. */
static void find_growing(struct finder *x, struct arena *a)
{
    const struct flat *f = x->flat;
    bool *stored = calloc(f->value_count + 1, sizeof *stored);

    CHECK(stored);
    x->grows = arena_array(a, f->value_count, sizeof *x->grows);
    for (uint32_t e = 0; e < f->event_count; e++) {
        if (f->events[e].kind == FLAT_STORE)
            stored[f->events[e].value] = true;
    }
    for (uint32_t v = f->value_count; v-- > 1;) {
        const struct flat_value *value = &f->values[v];

        if (!stored[v])
            continue;
        if (value->op == FLAT_ITE)
            stored[value->b] = stored[value->c] = true;
        if (value->op != FLAT_PURE)
            continue;
        stored[value->a] = true;
        if (lsl_pure_operands(value->pure) == 2)
            stored[value->b] = true;
        x->grows[v] = can_grow(value);
        x->growing += x->grows[v];
    }
    free(stored);
}

static void flow(struct finder *x)
{
    do {
        x->changed = false;
        for (uint32_t v = 1; v < x->flat->value_count && !x->full; v++)
            value_range(x, v);
    } while (x->changed && !x->full);
}

bool ranges_find(struct ranges *r, const struct flat *f,
                 const struct fixed *fixed, struct arena *a, struct err *e)
{
    struct finder x = {.r = r, .flat = f, .fixed = fixed};

    r->of = arena_array(a, f->value_count, sizeof *r->of);
    r->guard = arena_array(a, f->value_count, sizeof *r->guard);
    sources_find(r, f, fixed, a);
    find_growing(&x, a);
    r->count = f->value_count;
    flow(&x);
    /* What is never loaded is undefined, where a guard asks for it. */
    for (uint32_t v = 1; v < f->value_count; v++) {
        if (f->values[v].op == FLAT_LOADED && r->of[v].count == 0)
            put(&x, v, (struct lsl_value){LSL_UNDEFINED, 0, 0}, 0);
    }
    flow(&x);
    if (!x.full)
        return true;

    struct buf where = {0};

    lsl_put_site(f->program, x.where, &where);
    err_set(e, "%s: more than %d values are possible here", where.bytes,
            RANGE_MAX);
    buf_free(&where);
    return false;
}

void ranges_free(struct ranges *r)
{
    for (uint32_t v = 0; v < r->count; v++) {
        VEC_FREE(&r->of[v]);
        VEC_FREE(&r->of[v].depth);
    }
    free(r->sources);
}
