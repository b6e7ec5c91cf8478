/* SPDX-License-Identifier: MIT
 *
 * The terms of a model on a path.  A term is followed backwards, from the event
 * that was added last: the result is the set of what it comes after.
 */
#include <string.h>

#include "event/must.h"
#include "graph/thread_order_inside.h"

/* ---- Reading ---- */

static bool speaks_of(const struct relation_tree *t, enum relation_base base)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].op == RELATION_BASE && t->nodes[i].number == base)
            return true;
    }
    return false;
}

/* Nothing that a path does not know. */
static bool is_static(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct relation_node *n = &t->nodes[i];

        if (n->op == RELATION_INVERSE || n->op == RELATION_LET ||
            (n->op == RELATION_BASE &&
             (n->number == BASE_EXT || n->number >= BASE_RF)))
            return false;
    }
    return true;
}

void thread_orders_read(struct thread_orders *o, const struct model_axioms *a)
{
    thread_orders_read_lets(o, a);
    o->has_picks = o->has_unprotecting = false;
    for (o->term_count = 0; a->ppo[o->term_count]; o->term_count++) {
        unsigned i = o->term_count;
        struct relation_tree *t = &o->terms[i];
        size_t at;

        MUST(i < TERMS_MAX && relation_read(a->ppo[i], a->lets, t, &at) &&
             is_static(t));
        o->recursive[i] = speaks_of(t, BASE_PPO);
        o->unprotects[i] = a->lrs_unprotects && speaks_of(t, BASE_LRS);
        o->has_unprotecting = o->has_unprotecting || o->unprotects[i];
        o->has_picks = o->has_picks || speaks_of(t, BASE_PICK_DATA);
    }
}

/* ---- Base relations, backwards from one event ---- */

static void add_earlier_there(const struct path *p, unsigned e,
                              struct path_set *to)
{
    int location = p->events[e]->location;

    for (unsigned i = 0; location >= 0 && i + p->events[e]->part < e; i++) {
        if (p->events[i]->location == location)
            path_add(to, i);
    }
}

/* The store that a load could be forwarded from. */
static void add_lrs(const struct path *p, unsigned e, struct path_set *to)
{
    const struct path_event *load = p->events[e];

    for (unsigned i = e; load->marks & MARK_R && load->location >= 0 && i--;) {
        if (p->events[i]->marks & MARK_W &&
            p->events[i]->location == load->location) {
            path_add(to, i);
            return;
        }
    }
}

static void add_mate(const struct path *p, unsigned e, bool amo, bool pairs,
                     struct path_set *to)
{
    const struct path_event *w = p->events[e];

    if (w->mate >= 0 && (w->pair ? pairs : amo))
        path_add_some(to, (unsigned)w->mate, w->mates);
}

static void add_base(const struct path *p, enum relation_base base, unsigned e,
                     bool guarded, struct path_set *to)
{
    switch (base) {
    case BASE_PO:
        path_add_below(to, e - p->events[e]->part);
        return;
    case BASE_PO_LOC:
    case BASE_LOC: /* of what comes before: nothing else is asked for */
        add_earlier_there(p, e, to);
        return;
    case BASE_RMW:
        add_mate(p, e, true, true, to);
        return;
    case BASE_AMO:
        add_mate(p, e, true, false, to);
        return;
    case BASE_LXSX:
        add_mate(p, e, false, true, to);
        return;
    case BASE_LRS:
        add_lrs(p, e, to);
        return;
    case BASE_PPO:
        path_unite(to,
                   guarded ? &p->events[e]->guarded : &p->events[e]->closed);
        return;
    default:
        if (base >= BASE_RF)
            return; /* nobody has read anything yet */
        MUST(base >= BASE_ADDR && base <= BASE_PICK_CTRL);
        path_unite(to, &p->events[e]->depends[base - BASE_ADDR]);
    }
}

/* ---- Terms ---- */

_Static_assert(BASE_PICK_CTRL - BASE_ADDR + 1 == DEPENDS_KINDS,
               "dependencies in the order of graph/depends.h");

struct walk_back {
    const struct thread_orders *o;
    const struct path *p;
    const struct relation_tree *t;
    bool guarded;
};

static bool is_marked(const struct relation_tree *t, unsigned node,
                      uint32_t marks)
{
    const struct relation_node *n = &t->nodes[node];

    switch (n->op) {
    case RELATION_MARKED:
        return marks >> n->number & 1;
    case RELATION_UNION:
        return is_marked(t, n->a, marks) || is_marked(t, n->b, marks);
    case RELATION_BOTH:
        return is_marked(t, n->a, marks) && is_marked(t, n->b, marks);
    default:
        MUST(n->op == RELATION_WITHOUT);
        return is_marked(t, n->a, marks) && !is_marked(t, n->b, marks);
    }
}

static struct path_set before(const struct walk_back *w, unsigned node,
                              const struct path_set *from);

/* A relation that is none of sets: event by event. */
static struct path_set combine(const struct walk_back *w,
                               const struct relation_node *n,
                               const struct path_set *from)
{
    struct path_set all = {{0}};
    unsigned e;

    PATH_EACH(e, *from, w->p->count)
    {
        struct path_set one = {{0}}, a, b;

        path_add(&one, e);
        a = before(w, n->a, &one);
        b = before(w, n->b, &one);
        for (unsigned i = 0; i < PATH_EVENTS_MAX / 64; i++)
            all.word[i] |= n->op == RELATION_BOTH ? a.word[i] & b.word[i]
                                                  : a.word[i] & ~b.word[i];
    }
    return all;
}

static struct path_set close(const struct walk_back *w, unsigned node,
                             struct path_set all)
{
    for (;;) {
        struct path_set more = before(w, node, &all), old = all;

        path_unite(&all, &more);
        if (memcmp(&all, &old, sizeof all) == 0)
            return all;
    }
}

static struct path_set each_base(const struct walk_back *w, unsigned base,
                                 const struct path_set *from)
{
    struct path_set all = {{0}};
    unsigned e;

    PATH_EACH(e, *from, w->p->count)
    add_base(w->p, base, e, w->guarded, &all);
    return all;
}

static struct path_set those_marked(const struct walk_back *w, unsigned node,
                                    const struct path_set *from)
{
    struct path_set all = {{0}};
    unsigned e;

    PATH_EACH(e, *from, w->p->count)
    {
        if (is_marked(w->t, node, w->p->events[e]->marks))
            path_add(&all, e);
    }
    return all;
}

/* One that is defined by itself has nothing yet. */
static struct path_set before_let(const struct walk_back *w, unsigned let,
                                  const struct path_set *from)
{
    struct walk_back into = *w;

    if (w->o->lets[let].recursive)
        return (struct path_set){{0}};
    into.t = &w->o->let_trees[let];
    return before(&into, (unsigned)into.t->count - 1, from);
}

/* What the relation has before some of `from`. */
static struct path_set before(const struct walk_back *w, unsigned node,
                              const struct path_set *from)
{
    const struct relation_node *n = &w->t->nodes[node];
    struct path_set a, b;

    if (path_is_empty(from, w->p->count))
        return (struct path_set){{0}}; /* most terms end here */
    switch (n->op) {
    case RELATION_BASE:
        return each_base(w, n->number, from);
    case RELATION_SET:
        return those_marked(w, n->a, from);
    case RELATION_THEN:
        b = before(w, n->b, from);
        return before(w, n->a, &b);
    case RELATION_UNION:
        a = before(w, n->a, from);
        b = before(w, n->b, from);
        path_unite(&a, &b);
        return a;
    case RELATION_OPTIONAL:
        a = before(w, n->a, from);
        path_unite(&a, from);
        return a;
    case RELATION_PLUS:
        return close(w, n->a, before(w, n->a, from));
    case RELATION_STAR:
        return close(w, n->a, *from);
    case RELATION_EMPTY:
        return (struct path_set){{0}};
    case RELATION_LET:
        return before_let(w, n->number, from);
    default:
        return combine(w, n, from);
    }
}

struct path_set path_before(const struct thread_orders *o, const struct path *p,
                            const struct relation_tree *t, bool guarded,
                            unsigned event)
{
    struct walk_back w = {o, p, t, guarded};
    struct path_set from = {{0}};

    path_add(&from, event);
    return before(&w, (unsigned)t->count - 1, &from);
}

/* ---- One event ---- */

static struct path_set *order_of(struct path_event *e, bool guarded)
{
    return guarded ? &e->guarded : &e->closed;
}

/* What comes before those comes before it; events of one node go together. */
static void close_over(const struct path *p, bool guarded,
                       struct path_set *direct)
{
    struct path_set all = *direct;
    unsigned e;

    PATH_EACH(e, *direct, p->count)
    {
        path_unite(&all, order_of(p->events[e], guarded));
        if (p->events[e]->nodes > 1)
            path_add_some(&all, p->events[e]->node, p->events[e]->nodes);
    }
    *direct = all;
}

static void add_terms(struct thread_orders *o, const struct path *p,
                      unsigned event, bool guarded, bool again,
                      struct path_set *to)
{
    for (unsigned i = 0; i < o->term_count; i++) {
        struct path_set all;

        if ((guarded && o->unprotects[i]) || (again && !o->recursive[i]))
            continue;
        all = path_before(o, p, &o->terms[i], guarded, event);
        path_unite(to, &all);
    }
    path_drop(to, event);
}

/* A term may speak of the order itself: until nothing is new. */
static void fill_order(struct thread_orders *o, const struct path *p,
                       unsigned event, bool guarded)
{
    struct path_set *order = order_of(p->events[event], guarded), old;
    bool again = false;

    do {
        old = *order;
        add_terms(o, p, event, guarded, again, order);
        close_over(p, guarded, order);
        again = true;
    } while (memcmp(&old, order, sizeof old) != 0);
}

void order_event(struct thread_orders *o, struct path *p, unsigned event)
{
    struct path_event *e = p->events[event];

    if (o->by_lets) {
        protect_event(o, p, event);
        return;
    }
    fill_order(o, p, event, false);
    if (o->has_unprotecting)
        fill_order(o, p, event, true);
    else
        e->guarded = e->closed;
}

static void share(struct path *p, unsigned first, bool guarded)
{
    struct path_set all = {{0}};
    unsigned i;

    for (i = first; i < p->count; i++)
        path_unite(&all, order_of(p->events[i], guarded));
    for (i = first; i < p->count; i++)
        path_drop(&all, i);
    for (i = first; i < p->count; i++)
        *order_of(p->events[i], guarded) = all;
}

void share_order(struct path *p, unsigned first)
{
    share(p, first, false);
    share(p, first, true);
}

void merge_events(struct path *p, unsigned first)
{
    share_order(p, first);
    for (unsigned i = first; i < p->count; i++) {
        p->events[i]->node = (uint16_t)first;
        p->events[i]->nodes = (uint8_t)(p->count - first);
    }
}
