/* SPDX-License-Identifier: MIT
 *
 * Equal threads.  Two threads are equal if to change their names leads from
 * every execution to an execution: then one of the two need not be explored
 * (graph_twins.c).  That is so if
 *
 *   - each does what the other does, for the same values;
 *   - nobody tells them apart: who joins one joins the other at once, and does
 *     not look at what they return.  What others read is the same.
 *
 * Nobody knows it beforehand.  Threads that were made one after the other are
 * taken for equal, until that is refuted: wherever one of them is asked what it
 * does, the others are asked, too.  So the same questions are asked as in a
 * search that knows nothing of equals, and at its end all of them have been
 * answered alike.
 *
 * Values may have names of threads in them: the state of a mutex says who holds
 * it.  The caller knows how these change (renames).
 */
#include <string.h>

#include "graph/behaviour.h"

enum { BEFORE, AFTER };

static struct behaviour_entry *entry(struct behaviour *b, uint32_t n)
{
    return &b->entries[n];
}

static void refute(struct behaviour *b, unsigned x, unsigned y)
{
    b->twins.unequal[x] |= 1u << y;
    b->twins.unequal[y] |= 1u << x;
    b->twins.refuted = true;
}

void behaviour_refute(struct behaviour *b)
{
    memset(b->twins.unequal, 0xff, sizeof b->twins.unequal);
    b->twins.refuted = true;
}

/* What is returned matters only to who looks at it. */
bool behaviour_is_same(const struct op *x, const struct op *y)
{
    return x->kind == y->kind && x->rmw == y->rmw && x->order == y->order &&
           x->failure_order == y->failure_order && x->size == y->size &&
           x->fence == y->fence && x->locks == y->locks &&
           x->ghost == y->ghost && x->why == y->why && x->thread == y->thread &&
           x->round == y->round && x->site == y->site &&
           x->depends == y->depends &&
           (x->kind == OP_END || x->operand == y->operand) &&
           x->expected == y->expected && x->depends == y->depends;
}

/* Children of theirs would have to be equal, too. */
static bool is_same(const struct behaviour *b, const struct behaviour_entry *x,
                    const struct behaviour_entry *y)
{
    if (x->op.kind == OP_CREATE)
        return false;
    return b->twins.equals ? b->twins.equals(b->context, x, y)
                           : behaviour_is_same(&x->op, &y->op) &&
                                 x->op.location == y->op.location;
}

static void compare(struct behaviour *b, const struct behaviour_entry *x,
                    const struct behaviour_entry *y)
{
    if (!is_same(b, x, y))
        refute(b, x->thread, y->thread);
}

/* ---- What one does ---- */

/* The twin's value where the thread of n read its own. */
static uint64_t renamed(const struct behaviour *b, uint32_t n, unsigned to)
{
    const struct behaviour_entry *e = &b->entries[n];

    return b->twins.renames
               ? b->twins.renames(b->context, &b->entries[e->parent].op,
                                  e->value, e->thread, to)
               : e->value;
}

static bool are_refuted(const struct behaviour *b, uint32_t n, uint32_t m)
{
    unsigned thread = b->entries[m].thread;

    return b->twins.unequal[b->entries[n].thread] >> thread & 1;
}

/* The same of the twin on that side: it is run, if it was not yet.  One that
 * does something else here is not told what the other read: a value of an int
 * is no state of a mutex. */
static void ask_beside(struct behaviour *b, uint32_t n, int side)
{
    uint32_t parent = entry(b, n)->parent, beside, m;

    beside = entry(b, parent)->twins[side];
    if (!beside || entry(b, n)->twins[side] || b->full ||
        are_refuted(b, parent, beside))
        return;
    m = behaviour_step(b, (behaviour_node){beside},
                       renamed(b, n, entry(b, beside)->thread))
            .ix;
    if (b->full)
        return;
    entry(b, n)->twins[side] = m;
    entry(b, m)->twins[!side] = n;
    compare(b, entry(b, n), entry(b, m));
}

/* Those that are next to each other are not equal; what of the others? */
static void compare_all(struct behaviour *b, uint32_t n)
{
    while (entry(b, n)->twins[BEFORE])
        n = entry(b, n)->twins[BEFORE];
    for (; n; n = entry(b, n)->twins[AFTER]) {
        uint32_t m = entry(b, n)->twins[AFTER];

        for (; m; m = entry(b, m)->twins[AFTER])
            compare(b, entry(b, n), entry(b, m));
    }
}

/* ---- Who joins them ---- */

/* Are all equals of that thread among these? */
static void look_for_others(struct behaviour *b, unsigned thread,
                            uint32_t joined)
{
    for (int side = BEFORE; side <= AFTER; side++) {
        unsigned other = b->twins.beside[side][thread];

        if (other && !(joined >> (other - 1) & 1))
            refute(b, thread, other - 1);
    }
}

static bool is_join(const struct behaviour *b, uint32_t n)
{
    return b->entries[n].op.kind == OP_JOIN;
}

/* The node's parent is a JOIN.  With those before it, between which nothing
 * happens, it joins all of its thread's equals; and nobody looks at what they
 * returned. */
static void look_at_joins(struct behaviour *b, uint32_t n)
{
    uint32_t joined = 0, at = entry(b, n)->parent;

    if (entry(b, at)->op.operand)
        look_for_others(b, entry(b, at)->op.thread, 0);
    if (is_join(b, n))
        return;
    for (; is_join(b, at); at = entry(b, at)->parent)
        joined |= 1u << entry(b, at)->op.thread;
    for (unsigned t = 0; joined >> t; t++)
        if (joined >> t & 1)
            look_for_others(b, t, joined);
}

void behaviour_look_at_twins(struct behaviour *b, behaviour_node node)
{
    uint32_t n = node.ix;

    if (!b->twins.linked)
        return;
    if (is_join(b, entry(b, n)->parent))
        look_at_joins(b, n);
    ask_beside(b, n, BEFORE);
    ask_beside(b, n, AFTER);
    if (b->twins.refuted)
        compare_all(b, n);
}

/* What comes after a JOIN that was never done?  Its thread may be stuck where
 * its equals are not: with other names it is done.  What it returns is known,
 * unless somebody looks at it. */
void behaviour_look_behind_joins(struct behaviour *b)
{
    for (uint32_t n = 1; n < b->count && b->twins.linked && !b->full; n++) {
        behaviour_node at = {n};

        if (entry(b, n)->child)
            continue;
        while (is_join(b, at.ix) && !entry(b, at.ix)->op.operand && !b->full)
            at = behaviour_step(b, at, 0);
        if (is_join(b, at.ix))
            look_for_others(b, entry(b, at.ix)->op.thread, 0);
    }
}

/* ---- From the beginning ---- */

/* What was found of one of two before they were linked. */
static void ask_below(struct behaviour *b, uint32_t n, int side)
{
    uint32_t child;

    for (child = entry(b, n)->child; child; child = entry(b, child)->sibling) {
        ask_beside(b, child, side);
        ask_below(b, child, side);
    }
}

bool behaviour_link(struct behaviour *b, behaviour_node older,
                    behaviour_node younger)
{
    struct behaviour_entry *x = entry(b, older.ix), *y = entry(b, younger.ix);
    struct behaviour_twins *t = &b->twins;

    if (t->unequal[x->thread] >> y->thread & 1)
        return false;
    if (t->beside[AFTER][x->thread] || t->beside[BEFORE][y->thread])
        return y->twins[BEFORE] == older.ix;
    if (!is_same(b, x, y)) {
        t->unequal[x->thread] |= 1u << y->thread;
        t->unequal[y->thread] |= 1u << x->thread;
        return false;
    }
    t->linked = true;
    t->beside[AFTER][x->thread] = (uint8_t)(y->thread + 1);
    t->beside[BEFORE][y->thread] = (uint8_t)(x->thread + 1);
    x->twins[AFTER] = younger.ix;
    y->twins[BEFORE] = older.ix;
    ask_below(b, older.ix, AFTER);
    ask_below(b, younger.ix, BEFORE);
    return true;
}
