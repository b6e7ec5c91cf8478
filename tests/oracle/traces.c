/* SPDX-License-Identifier: MIT
 *
 * The relations of the states in which a walk over the machine ends, as
 * accesses.
 */
#include "traces.h"

#include <stdlib.h>
#include <string.h>

#include "walk.h"

static void add_access(struct trace *out, size_t t, const struct micro *m,
                       const struct relations *r)
{
    struct access *a = &out->accesses[out->count];
    const uint8_t *place = r->place + m->slot, *source = r->source + m->slot;

    if (!m->slot || (!place[0] && !source[0]))
        return; /* nobody asks, or a branch went past it */
    REQUIRE(out->count < MAX_ACCESSES && m->count <= MAX_ACCESS_ATOMS,
            "too many accesses");
    out->count++;
    a->thread = (uint8_t)t;
    a->op = m->origin;
    if (m->kind == M_CHOOSE) {
        a->chosen = (uint8_t)(source[0] - 1);
        return;
    }
    a->first = m->first;
    a->count = m->count;
    a->synchronises = micro_synchronises(m);
    a->reads = source[0] != 0;
    a->writes = place[0] != 0;
    for (size_t i = 0; i < m->count; i++) {
        REQUIRE(!(source[i] & WAITS), "a store that never came to memory");
        REQUIRE(!source[i] == !a->reads && !place[i] == !a->writes,
                "an access made in part");
        a->place[i] = place[i];
        a->source[i] = a->reads ? (uint8_t)(source[i] - 1) : 0;
    }
}

/* The trace that ends in n; they are compared as bytes. */
static void trace_of(struct trace *t, const struct walk *w,
                     const struct node *n)
{
    const struct lowered *l = &w->machine.l;

    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < l->program->thread_count; i++)
        for (size_t k = 0; k < l->micro_count[i]; k++)
            if (l->micros[i][k].kind <= M_CHOOSE)
                add_access(t, i, &l->micros[i][k], &n->relations);
}

static void add_trace(struct walk *w, const struct node *n)
{
    struct traces *all = w->context;

    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 64;
        all->list = realloc(all->list, all->room * sizeof *all->list);
        REQUIRE(all->list, "out of memory");
    }
    trace_of(&all->list[all->count++], w, n);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct trace));
}

/* Two states at the end may have one trace: memory's past differs. */
static void keep_one_of_each(struct traces *t)
{
    size_t kept = 0;

    if (t->count)
        qsort(t->list, t->count, sizeof *t->list, by_bytes);
    for (size_t i = 0; i < t->count; i++)
        if (!kept || by_bytes(&t->list[kept - 1], &t->list[i]))
            t->list[kept++] = t->list[i];
    t->count = kept;
}

static struct walk *walk_new(const struct traces_wish *wish)
{
    struct walk *w = calloc(1, sizeof *w);

    REQUIRE(w, "out of memory");
    w->max_states = wish->max_states;
    w->with_relations = true;
    w->with_sync = wish->with_sync;
    w->with_stuck = wish->with_stuck;
    w->bounded = wish->bounded;
    w->bound = wish->bound;
    return w;
}

bool traces_find(struct traces *out, const struct program *p, enum model model,
                 const struct traces_wish *wish)
{
    struct walk *w = walk_new(wish);
    bool complete;

    memset(out, 0, sizeof *out);
    w->ended = add_trace;
    w->context = out;
    complete = walk_all(w, p, model, &wish->options);
    out->states = w->states;
    out->stuck = w->stuck;
    free(w);
    keep_one_of_each(out);
    return complete;
}

struct comparison {
    const struct traces *known;
    bool differs;
};

static void compare_trace(struct walk *w, const struct node *n)
{
    struct comparison *c = w->context;
    struct trace t;

    trace_of(&t, w, n);
    c->differs = w->enough = !traces_have(c->known, &t);
}

bool traces_leave(const struct traces *those, const struct program *p,
                  enum model model, const struct traces_wish *wish,
                  bool *do_they)
{
    struct comparison c = {those, false};
    struct walk *w = walk_new(wish);
    bool complete;

    w->ended = compare_trace;
    w->context = &c;
    complete = walk_all(w, p, model, &wish->options);
    free(w);
    *do_they = c.differs;
    return complete || c.differs;
}

void traces_free(struct traces *t)
{
    free(t->list);
    memset(t, 0, sizeof *t);
}

bool traces_have(const struct traces *t, const struct trace *one)
{
    return t->count &&
           bsearch(one, t->list, t->count, sizeof *one, by_bytes) != NULL;
}
