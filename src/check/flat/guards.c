/* SPDX-License-Identifier: MIT
 *
 * Guards.  A guard is a chain of literals, "and"ed from the left:
 *
 *     AND(AND(l1, l2), l3)         a literal is an atom, or a FLAT_NOT
 *
 * in the order in which a path met them, so that two places of a path share
 * the beginning of their chains.  "Or" takes what both have in common out:
 * that makes the guard after an "if" the one before it again.  A literal that
 * the chain before it decides is dropped, or makes the whole guard false; and
 * FLAT_NOT of a chain is simplified by what comes before it.  That is unit
 * propagation, and all that is needed for code whose branches nest.
 */
#include "flat/flat_inside.h"

/* Steps that simplifying one literal may take. */
#define EFFORT 256

static uint32_t parent(const struct values *v, uint32_t g)
{
    return v->list[g].op == FLAT_AND ? v->list[g].a : FLAT_TRUE;
}

static uint32_t literal(const struct values *v, uint32_t g)
{
    return v->list[g].op == FLAT_AND ? v->list[g].b : g;
}

static unsigned depth(const struct values *v, uint32_t g)
{
    return v->notes.list[g].depth;
}

uint32_t guard_not(struct values *v, uint32_t g)
{
    uint32_t n = v->notes.list[g].negation;

    if (v->list[g].op == FLAT_NOT)
        return v->list[g].a;
    if (!n) {
        n = values_add(v, &(struct flat_value){.op = FLAT_NOT, .a = g});
        v->notes.list[g].negation = n;
    }
    return n;
}

/* ---- What the marked guard knows ---- */

static void mark_between(struct values *v, uint32_t g, uint32_t common,
                         bool held)
{
    for (; g != common; g = parent(v, g))
        v->notes.list[literal(v, g)].held[v->aside] = held;
}

/* Places that are walked one after the other have most of their guards in
 * common: only the rest is touched. */
static void mark(struct values *v, uint32_t g)
{
    uint32_t *marked = &v->marked[v->aside];
    uint32_t common = guard_common(v, *marked, g);

    mark_between(v, *marked, common, false);
    mark_between(v, g, common, true);
    *marked = g;
}

static bool holds(const struct values *v, uint32_t x)
{
    return v->notes.list[x].held[v->aside];
}

/* The opposite of x, if anybody ever asked for it. */
static uint32_t opposite(const struct values *v, uint32_t x)
{
    return v->list[x].op == FLAT_NOT ? v->list[x].a : v->notes.list[x].negation;
}

/* The atom `op` of the same value holds. */
static bool other_atom_holds(const struct values *v, uint32_t x,
                             enum flat_op op)
{
    struct flat_value key = {.op = (uint8_t)op, .a = v->list[x].a};

    return holds(v, values_find(v, &key));
}

/* The chain g and one more, without asking what is marked. */
static uint32_t append(struct values *v, uint32_t g, uint32_t x)
{
    if (g == FLAT_TRUE || g == FLAT_FALSE)
        return g == FLAT_TRUE ? x : g;
    for (uint32_t p = g; p != FLAT_TRUE; p = parent(v, p)) {
        if (literal(v, p) == x)
            return g;
        if (literal(v, p) == opposite(v, x))
            return FLAT_FALSE;
    }
    return values_add(v, &(struct flat_value){.op = FLAT_AND, .a = g, .b = x});
}

static uint32_t append_all(struct values *v, uint32_t g, uint32_t h)
{
    if (h == FLAT_FALSE || g == FLAT_FALSE)
        return FLAT_FALSE;
    if (h == FLAT_TRUE)
        return g;
    g = append_all(v, g, parent(v, h));
    return append(v, g, literal(v, h));
}

/* x, where the marked guard holds. */
static uint32_t under(struct values *v, uint32_t x, int *effort)
{
    uint32_t a = v->list[x].a, b = v->list[x].b, left, right;

    if (x == FLAT_TRUE || x == FLAT_FALSE)
        return x;
    if (holds(v, x))
        return FLAT_TRUE;
    if (holds(v, opposite(v, x)))
        return FLAT_FALSE;
    if (--*effort < 0)
        return x;
    switch (v->list[x].op) {
    case FLAT_NOT:
        left = under(v, a, effort);
        return left == a ? x : guard_not(v, left);
    case FLAT_AND:
        left = under(v, a, effort);
        if (left == FLAT_FALSE)
            return left;
        right = under(v, b, effort);
        return left == a && right == b ? x : append_all(v, left, right);
    case FLAT_TRUTH:
        return other_atom_holds(v, x, FLAT_IS_UNDEFINED) ? FLAT_FALSE : x;
    case FLAT_IS_UNDEFINED:
        return other_atom_holds(v, x, FLAT_TRUTH) ? FLAT_FALSE : x;
    default:
        return x;
    }
}

/* ---- And, or ---- */

static uint32_t and_literal(struct values *v, uint32_t g, uint32_t x)
{
    int effort = EFFORT;
    uint32_t now;

    if (g == FLAT_FALSE)
        return g;
    mark(v, g);
    now = under(v, x, &effort);
    if (now == FLAT_TRUE)
        return g;
    if (now == FLAT_FALSE || g == FLAT_TRUE)
        return now;
    if (v->list[now].op == FLAT_AND)
        return guard_and(v, g, now);
    return values_add(v,
                      &(struct flat_value){.op = FLAT_AND, .a = g, .b = now});
}

uint32_t guard_and(struct values *v, uint32_t g, uint32_t h)
{
    if (g == FLAT_FALSE || h == FLAT_FALSE)
        return FLAT_FALSE;
    if (h == FLAT_TRUE || g == h)
        return g;
    if (g == FLAT_TRUE)
        return h;
    /* Literals from the left: the chain's parent first. */
    if (v->list[h].op == FLAT_AND)
        g = guard_and(v, g, parent(v, h));
    return and_literal(v, g, literal(v, h));
}

uint32_t guard_common(const struct values *v, uint32_t g, uint32_t h)
{
    while (g != h) {
        unsigned x = depth(v, g), y = depth(v, h);

        if (x >= y)
            g = parent(v, g);
        if (y >= x)
            h = parent(v, h);
    }
    return g;
}

uint32_t guard_beyond(struct values *v, uint32_t common, uint32_t g)
{
    uint32_t before;

    if (g == common)
        return FLAT_TRUE;
    before = guard_beyond(v, common, parent(v, g));
    if (before == FLAT_TRUE)
        return literal(v, g);
    return values_add(v, &(struct flat_value){
                             .op = FLAT_AND, .a = before, .b = literal(v, g)});
}

uint32_t guard_or(struct values *v, uint32_t g, uint32_t h)
{
    uint32_t common, s, t, neither;
    bool aside = v->aside;

    if (g == FLAT_FALSE || h == FLAT_FALSE)
        return g == FLAT_FALSE ? h : g;
    common = guard_common(v, g, h);
    if (common == g || common == h)
        return common;
    s = guard_beyond(v, common, g);
    t = guard_beyond(v, common, h);
    if (depth(v, t) == 1) { /* a literal decides what it is in */
        uint32_t swap = s;

        s = t;
        t = swap;
    }
    v->aside = true;
    s = guard_not(v, s);
    neither = guard_and(v, s, guard_not(v, t));
    v->aside = aside;
    return guard_and(v, common, guard_not(v, neither));
}

uint32_t guard_decide(struct values *v, uint32_t g, uint32_t value)
{
    while (v->list[value].op == FLAT_ITE) {
        int effort = EFFORT;
        uint32_t condition;

        mark(v, g);
        condition = under(v, v->list[value].a, &effort);
        if (condition != FLAT_TRUE && condition != FLAT_FALSE)
            break;
        value = condition == FLAT_TRUE ? v->list[value].b : v->list[value].c;
    }
    return value;
}
