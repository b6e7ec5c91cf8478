/* SPDX-License-Identifier: MIT
 *
 * Models that reorder loads, and loads of several parts that take some part
 * from a store of their own thread.
 *
 * Such a load L looks back to one moment for all that it takes from memory.  If
 * the store S was in the buffer when L's turn came, all that the thread had
 * done by then comes before S.  If it was in memory already, the moment is not
 * before S.  So S comes before L, or after every event between S and L that is
 * done when its turn comes.  (Of a load of one part nothing else follows from
 * either.)  Which of the two it was the graph does not say: an execution needs
 * an order that has one for each.  Nearly always one is known.
 */
#include <string.h>

#include "graph/rules.h"

struct pair {
    int store, load;
    row between; /* what was done between the two */
};

struct orders {
    const struct graph *g;
    row *before;
};

/* ---- An order that grows ---- */

static void put_before(struct orders *o, row first, int then)
{
    rules_put_before(o->g, o->before, first, then);
}

static bool is_before(const struct orders *o, int first, int then)
{
    return row_has(o->before[then], first);
}

/* ---- Pairs ---- */

enum verdict { HOLDS, FAILS, CHANGED, OPEN };

/* What is known of a pair; what follows from that is added. */
static enum verdict look_at(struct orders *o, const struct pair *p)
{
    row done = o->before[p->store] & p->between;
    bool late = false;
    int e;

    if (is_before(o, p->store, p->load))
        return HOLDS;
    ROW_EACH (e, p->between)
        late = late || is_before(o, p->store, e);
    if (late && is_before(o, p->load, p->store))
        return FAILS;
    if (late) {
        put_before(o, row_of(p->store), p->load);
        return CHANGED;
    }
    if (!row_any(p->between & ~done))
        return HOLDS;
    if (!is_before(o, p->load, p->store))
        return OPEN;
    put_before(o, p->between, p->store);
    return CHANGED;
}

static struct pair pair_of(const struct graph *g, int part, int load)
{
    int store = g->events[part].rf;
    row done = g->prompt | g->rmws | g->joins | g->frees;

    return (struct pair){
        store, load, graph_po_before(g, load) & done & ~row_below(store + 1)};
}

/* Looks at all pairs until nothing changes.  FAILS, HOLDS; OPEN: `*open`. */
static enum verdict look_at_all(struct orders *o, struct pair *open)
{
    const struct graph *g = o->g;
    enum verdict all = CHANGED;
    int e;

    while (all == CHANGED) {
        all = HOLDS;
        if (!rules_order_everybody(g, o->before))
            return FAILS;
        ROW_EACH (e, g->torn) {
            struct pair p = pair_of(g, e, e - g->events[e].part);
            enum verdict v = look_at(o, &p);

            if (v == FAILS)
                return FAILS;
            if (v == OPEN)
                *open = p;
            if (v == CHANGED || all == HOLDS)
                all = v;
        }
    }
    return all;
}

bool rules_order_torn(const struct graph *g, row *before)
{
    row tried[GRAPH_EVENTS_MAX];
    struct orders o = {g, before}, other = {g, tried};
    struct pair open = {0};
    enum verdict v = look_at_all(&o, &open);

    if (v != OPEN)
        return v == HOLDS;
    memcpy(tried, before, (size_t)g->count * sizeof *tried);
    put_before(&other, row_of(open.store), open.load);
    if (rules_order_torn(g, tried)) {
        memcpy(before, tried, (size_t)g->count * sizeof *tried);
        return true;
    }
    put_before(&o, open.between, open.store);
    return rules_order_torn(g, before);
}
