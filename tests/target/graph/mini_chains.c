/* SPDX-License-Identifier: MIT
 *
 * Random programs for what processors keep in order within a thread.  Two or
 * three threads go around a ring of places, as in the classical shapes.  All
 * but one have a strong fence on the way.  The first goes by a chain of
 * accesses, mostly to memory of its own, each tied to one before it by a
 * dependency, a selection, a fence, an order, or the location: so it depends on
 * that chain alone whether the shape is an execution.
 */
#include <string.h>

#include "mini_inside.h"

#define CHAIN_MAX 6    /* accesses of the chain, at most */
#define SELECTED 6     /* the register of what was selected */
#define NOWHERE 7      /* the register that nobody reads */
#define RING_EVENTS 13 /* of all threads: brute force has room for one more */

struct chain {
    struct mini *p;
    struct random *r;
    unsigned own; /* the first of its two locations */
    unsigned reads[CHAIN_MAX], read_count;
    unsigned events;
    bool wide; /* takes more_ways, too */
};

static struct mini_code *put_code(struct chain *x, unsigned t,
                                  enum mini_kind kind)
{
    struct mini_code *c = &x->p->code[t][x->p->length[t]++];

    *c = (struct mini_code){.kind = kind,
                            .to = NOWHERE,
                            .order = ORDER_RELAXED,
                            .failure_order = ORDER_RELAXED,
                            .first = {.from = -1},
                            .second = {.from = -1}};
    return c;
}

static enum event_order pick_order(struct random *r, enum mini_kind kind)
{
    static const enum event_order loads[] = {ORDER_ACQUIRE, ORDER_SEQ_CST},
                                  stores[] = {ORDER_RELEASE, ORDER_SEQ_CST},
                                  rmws[] = {ORDER_ACQUIRE, ORDER_RELEASE,
                                            ORDER_ACQ_REL, ORDER_SEQ_CST};

    return kind == MINI_LOAD    ? loads[random_below(r, 2)]
           : kind == MINI_STORE ? stores[random_below(r, 2)]
                                : rmws[random_below(r, 4)];
}

/* An access; mostly without an order. */
static struct mini_code *put_access(struct chain *x, unsigned t,
                                    unsigned location, enum mini_kind kind)
{
    static const enum event_order failure[] = {ORDER_RELAXED, ORDER_RELAXED,
                                               ORDER_ACQUIRE, ORDER_SEQ_CST};
    struct mini_code *c = put_code(x, t, kind);

    c->location = location;
    c->first.add = 1 + (random_below(x->r, 4) == 0);
    if (random_below(x->r, 5) == 0)
        c->order = pick_order(x->r, kind);
    if (kind == MINI_CAS) {
        c->failure_order = failure[random_below(x->r, 4)];
        c->second.add = location < x->own && random_below(x->r, 4) ? 1 : 0;
    }
    x->events += 1 + (kind >= MINI_ADD);
    return c;
}

static enum mini_kind pick_kind(struct random *r, unsigned rmws)
{
    unsigned what = random_below(r, 10);

    return what < rmws ? MINI_ADD + (int)random_below(r, 3)
                       : (what & 1 ? MINI_LOAD : MINI_STORE);
}

/* ---- Links ---- */

static bool stores(const struct mini_code *c)
{
    return c->kind >= MINI_STORE && c->kind <= MINI_CAS;
}

static unsigned pick_read(struct chain *x)
{
    return random_below(x->r, 6) ? x->reads[x->read_count - 1]
                                 : x->reads[random_below(x->r, x->read_count)];
}

static void put_fence(struct chain *x, unsigned t)
{
    static const enum event_order orders[] = {ORDER_ACQUIRE, ORDER_RELEASE,
                                              ORDER_ACQ_REL, ORDER_SEQ_CST};
    struct mini_code *c = put_code(x, t, MINI_FENCE);

    c->order = orders[random_below(x->r, 4)];
    c->fence = random_below(x->r, 3) ? 1u << random_below(x->r, 4) : 0;
    x->events++;
}

/* Before the next access of the chain: what comes between.  `tied`: something
 * that carries a value. */
enum link { LINK_NONE, LINK_ADDR, LINK_DATA, LINK_SELECT };

static enum link put_link(struct chain *x, bool tied)
{
    unsigned what = tied ? 3 + random_below(x->r, 9) : random_below(x->r, 12);
    struct mini_code *c;

    if (what == 0) {
        put_fence(x, 0);
        return LINK_NONE;
    }
    if (!x->read_count || what == 1)
        return LINK_NONE;
    if (what == 2) {
        c = put_code(x, 0, MINI_SKIP);
        c->first.from = (int)pick_read(x);
        return LINK_NONE;
    }
    if (what < 6) {
        c = put_code(x, 0, MINI_SELECT);
        c->to = SELECTED;
        c->first.from = (int)pick_read(x);
        if (random_below(x->r, 4) == 0)
            c->second.from = (int)pick_read(x);
        return LINK_SELECT;
    }
    return what < 8 ? LINK_ADDR : LINK_DATA;
}

static void tie(struct chain *x, struct mini_code *c, enum link link)
{
    unsigned from = link == LINK_SELECT ? SELECTED + 1
                    : link != LINK_NONE ? pick_read(x) + 1
                                        : 0;
    bool by_data =
        stores(c) &&
        (link == LINK_DATA || (link == LINK_SELECT && random_below(x->r, 3)));

    if (by_data && c->kind == MINI_CAS && random_below(x->r, 4) == 0)
        c->second.from = (int)from - 1;
    else if (by_data)
        c->data = from;
    else
        c->pointer = from;
}

static void put_step(struct chain *x, unsigned location, enum mini_kind kind,
                     enum link link)
{
    struct mini_code *c = put_access(x, 0, location, kind);

    if (link != LINK_NONE)
        tie(x, c, link);
    if (kind != MINI_STORE) {
        c->to = x->read_count;
        x->reads[x->read_count++] = c->to;
    }
}

/* ---- Threads ---- */

/* What carries a value on: 's' a store of what was read, 'p' one of what it
 * selected, 'o' one that has nothing to do with it, 'l' a load of the same
 * memory, 'a' one that acquires, 'u' an RMW of it, 'x' an RMW elsewhere with
 * what was read, 'y' with what it selected, 'r' a load of where the chain
 * begins. */
static const char *const ways[] = {"sl", "pl",   "x",   "x",   "y", "sol",
                                   "xl", "plsl", "pua", "plx", "r", "r"};
/* With more accesses also these: 'q' a load elsewhere from an address that was
 * selected, 'b' a branch on what was, 'c' a CAS of the same memory that fails.
 */
static const char *const more_ways[] = {"q", "b", "pc", "qa"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static enum link put_selection(struct chain *x)
{
    struct mini_code *c = put_code(x, 0, MINI_SELECT);

    c->to = SELECTED;
    c->first.from = (int)x->reads[x->read_count - 1];
    return LINK_SELECT;
}

static void put_way(struct chain *x, const char *way)
{
    unsigned location = x->own;

    for (; *way; way++) {
        bool rmw = strchr("xyu", *way) != NULL;
        struct mini_code *c;
        enum link link = LINK_NONE;

        if (*way == 's' || *way == 'x')
            link = LINK_DATA;
        else if (strchr("pyqb", *way))
            link = put_selection(x);
        if (*way == 'b') {
            put_code(x, 0, MINI_SKIP)->first.from = SELECTED;
            continue;
        }
        if (link != LINK_NONE)
            location = 2 * x->own + 1 - location;
        put_step(x, *way == 'r' ? 0 : location,
                 rmw                    ? MINI_ADD + random_below(x->r, 3)
                 : *way == 'c'          ? MINI_CAS
                 : strchr("larq", *way) ? MINI_LOAD
                                        : MINI_STORE,
                 link);
        c = &x->p->code[0][x->p->length[0] - 1];
        if (*way == 'a')
            c->order = ORDER_ACQUIRE;
        if (*way == 'c')
            c->second.add = 9;
    }
}

/* Often what was just written is read again, or overwritten. */
static void put_inner(struct chain *x)
{
    const struct mini_code *last = &x->p->code[0][x->p->length[0] - 1];
    bool again = random_below(x->r, 2);
    unsigned location = again && last->kind <= MINI_CAS
                            ? last->location
                            : x->own + random_below(x->r, 2);
    enum mini_kind kind = pick_kind(x->r, 3);

    if (again && stores(last) && random_below(x->r, 3))
        kind = MINI_LOAD;
    put_step(x, location, kind, put_link(x, false));
}

static const char *pick_way(struct chain *x)
{
    if (x->wide && random_below(x->r, 2))
        return more_ways[random_below(x->r, COUNT(more_ways))];
    return ways[random_below(x->r, COUNT(ways))];
}

static void put_chain(struct chain *x, unsigned inner)
{
    bool by_way;

    put_step(x, 0, pick_kind(x->r, 4), LINK_NONE);
    by_way = inner && x->read_count && random_below(x->r, 3);
    if (by_way)
        put_way(x, pick_way(x));
    while (!by_way && inner-- && x->events < RING_EVENTS - 6)
        put_inner(x);
    if (by_way && random_below(x->r, 4) == 0)
        put_step(x, 1, pick_kind(x->r, 2), LINK_NONE);
    else
        put_step(x, 1, pick_kind(x->r, 2), put_link(x, by_way));
}

/* What meets an access of the chain: a write, or, if that writes, a read. */
static enum mini_kind pick_rival(struct chain *x, const struct mini_code *c)
{
    return stores(c) && random_below(x->r, 2) ? MINI_LOAD : MINI_STORE;
}

static void put_strong(struct chain *x, unsigned t, enum mini_kind first,
                       enum mini_kind last)
{
    struct mini_code *c;

    put_access(x, t, t, first)->to = 0;
    c = put_code(x, t, MINI_FENCE);
    c->order = ORDER_SEQ_CST;
    c->fence = random_below(x->r, 4) ? FENCE_FULL : 0;
    x->events++;
    put_access(x, t, (t + 1) % x->own, last)->to = 1;
}

static void put_others(struct chain *x)
{
    const struct mini_code *code = x->p->code[0];
    enum mini_kind to_first = pick_rival(x, &code[0]);
    enum mini_kind to_last = pick_rival(x, &code[x->p->length[0] - 1]);

    if (x->own == 2) {
        put_strong(x, 1, to_last, to_first);
        return;
    }
    put_strong(x, 1, to_last, pick_kind(x->r, 0));
    put_strong(x, 2, pick_kind(x->r, 0), to_first);
}

void mini_random_chains(struct mini *p, unsigned accesses, struct random *r)
{
    bool three = random_below(r, 8) == 0;
    struct chain x = {
        .p = p, .r = r, .own = three ? 3 : 2, .wide = accesses > CHAIN_MAX};

    memset(p, 0, sizeof *p);
    p->threads = p->started = x.own;
    p->locations = x.own + 2;
    p->depends = true;
    if (accesses > CHAIN_MAX)
        accesses = CHAIN_MAX;
    put_chain(&x, random_below(r, three ? 2 : accesses > 2 ? accesses - 1 : 1));
    put_others(&x);
}
