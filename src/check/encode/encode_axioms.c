/* SPDX-License-Identifier: MIT
 *
 * Models that are more than one order: C11, POWER.  A solution has what each
 * load reads, and an order of the stores of each location.  The model's axioms
 * are evaluated over it as they are written, and what breaks one of them
 * becomes a clause: not all that leads there holds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_relate.h"

#define CLAUSES_MAX 24 /* of one axiom in one solution */

/* ---- The solution ---- */

static uint32_t meeting_of(const struct relate *r, uint32_t event)
{
    for (uint32_t i = 0; i < r->points.count; i++) {
        if (r->points.list[i].event == event && r->points.list[i].marks == 0)
            return i;
    }
    return NO_POINT;
}

static void add_meeting(struct relate *r, uint32_t from, uint32_t to)
{
    uint32_t a = meeting_of(r, from), b = meeting_of(r, to);

    if (a != NO_POINT && b != NO_POINT)
        relate_set(relate_row(r, r->asw, a), b);
}

/* Create to start, exit to join. */
static void find_meetings(struct relate *r)
{
    const struct flat *f = r->x->flat;

    r->asw = relate_new(r);
    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *e = &f->events[i];
        const struct flat_thread *t = &f->threads[e->other];

        if (e->kind == FLAT_CREATE)
            add_meeting(r, i, t->first);
        else if (e->kind == FLAT_JOIN)
            add_meeting(r, t->first + t->count - 1, i);
    }
}

static void open_solution(struct relate *r, struct encoding *x,
                          const struct depends *d)
{
    struct points points = {0};

    for (uint32_t t = 0; t < x->flat->thread_count; t++)
        points_add_thread(x, t, true, &points);
    relate_begin(r, x, d, points);
    find_meetings(r);
}

/* ---- Clauses ---- */

static void forbid(struct encoding *x, struct reasons *why)
{
    CHECK(why->count);
    for (size_t i = 0; i < why->count; i++)
        solver_add(x->solver, -why->list[i]);
    solver_end(x->solver);
    VEC_CLEAR(why);
}

/* A cycle through each point that lies on one, unless one before it had it. */
static size_t forbid_cycles(struct relate *r, const struct evaluated *v)
{
    uint32_t n = (uint32_t)r->points.count;
    uint32_t *way = arena_array(&r->arena, n + 2, sizeof *way);
    bool *used = arena_array(&r->arena, n + 1, sizeof *used);
    struct reasons why = {0};
    size_t added = 0;

    for (uint32_t a = 0; a < n && added < CLAUSES_MAX; a++) {
        uint32_t steps =
            used[a] ? 0 : relate_way(r, relate_whole(v), a, a, way);

        for (uint32_t i = 0; i < steps; i++) {
            used[way[i]] = true;
            relate_explain(r, v, way[i], way[i + 1], &why);
        }
        if (!steps)
            continue;
        forbid(r->x, &why);
        added++;
    }
    VEC_FREE(&why);
    return added;
}

static size_t forbid_pairs(struct relate *r, const struct evaluated *v,
                           bool loops)
{
    uint32_t n = (uint32_t)r->points.count;
    struct reasons why = {0};
    size_t added = 0;

    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n && added < CLAUSES_MAX; b++) {
            if ((loops && a != b) || !relate_has(r, relate_whole(v), a, b))
                continue;
            relate_explain(r, v, a, b, &why);
            forbid(r->x, &why);
            added++;
        }
    }
    VEC_FREE(&why);
    return added;
}

static bool uses_lets(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].op == RELATION_LET)
            return true;
    }
    return false;
}

static size_t forbid_broken(struct relate *r, const struct stated_axiom *x)
{
    const struct evaluated *v;

    if (!r->lets && uses_lets(&x->tree))
        relate_lets(r);
    v = relate_evaluate(r, &x->tree, 0);
    return x->test == RELATION_ACYCLIC
               ? forbid_cycles(r, v)
               : forbid_pairs(r, v, x->test == RELATION_IRREFLEXIVE);
}

size_t axioms_forbid(struct encoding *x)
{
    const struct statement *s = x->statement;
    struct depends *d = s->mapping ? depends_new(x) : NULL;
    struct relate r;
    size_t added = 0;

    open_solution(&r, x, d);
    for (size_t i = 0; i < s->axiom_count && !added; i++)
        added = forbid_broken(&r, &s->axioms[i]);
    if (!added) {
        const struct evaluated *before = relate_evaluate(&r, &s->before, 0);

        added = free_forbid(&r, before) + race_forbid(&r, before);
    }
    relate_end(&r);
    depends_free(d);
    return added;
}

/* ---- An order to tell it in ---- */

/* In it each load finds what it returns; and each thread's accesses come in
 * program order where that is possible. */
struct sorter {
    struct relate *r;
    uint64_t *before; /* what must come first */
    bool *placed;
};

static bool is_ready(const struct sorter *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->r->points.count; k++) {
        if (!s->placed[k] && relate_has(s->r, s->before, k, i))
            return false;
    }
    return true;
}

/* How many of its thread, and of what made its thread, it overtakes. */
static uint32_t overtakes(const struct sorter *s, uint64_t *hb, uint32_t i)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->r->points.count; k++)
        n += !s->placed[k] && relate_has(s->r, hb, k, i);
    return n;
}

static uint32_t next_point(const struct sorter *s, uint64_t *hb)
{
    uint32_t best = NO_POINT, least = UINT32_MAX;

    for (uint32_t i = 0; i < s->r->points.count && least; i++) {
        uint32_t n;

        if (s->placed[i] || !is_ready(s, i))
            continue;
        n = overtakes(s, hb, i);
        if (n < least) {
            least = n;
            best = i;
        }
    }
    return best;
}

/* A free has no location: only what is said of it and a store counts. */
static void order_frees(struct sorter *s)
{
    struct encoding *x = s->r->x;

    for (size_t i = 0; i < x->pairs.count; i++) {
        uint32_t a = x->node_events[x->node_first[x->pairs.list[i].x]];
        uint32_t b = x->node_events[x->node_first[x->pairs.list[i].y]];
        uint32_t p = s->r->point_of[a], q = s->r->point_of[b];
        int lit = order_lit(x, a, b);

        if (p == NO_POINT || q == NO_POINT ||
            (x->flat->events[a].kind != FLAT_FREE &&
             x->flat->events[b].kind != FLAT_FREE) ||
            value_found(x, x->flat->events[a].address).base !=
                value_found(x, x->flat->events[b].address).base)
            continue;
        if (solver_value(x->solver, lit))
            relate_set(relate_row(s->r, s->before, p), q);
        else
            relate_set(relate_row(s->r, s->before, q), p);
    }
}

static void sort(struct sorter *s, struct flat_run *run)
{
    struct relation_tree text;
    uint64_t *hb;
    size_t at;

    CHECK(relation_read("po-loc|rf|co|fr", NULL, &text, &at));
    s->before = relate_whole(relate_evaluate(s->r, &text, 0));
    order_frees(s);
    hb = relate_new(s->r);
    relate_unite(s->r, hb, relate_base(s->r, BASE_PO));
    relate_unite(s->r, hb, s->r->asw);
    for (uint32_t i; (i = next_point(s, hb)) != NO_POINT;) {
        s->placed[i] = true;
        if (s->r->points.list[i].marks & (MARK_R | MARK_W))
            run->order[run->order_count++] = s->r->points.list[i].event;
    }
}

void axioms_sort(struct encoding *x, struct arena *a, struct flat_run *run)
{
    struct relate r;
    struct sorter s = {.r = &r};

    open_solution(&r, x, NULL);
    s.placed = arena_array(&r.arena, r.points.count + 1, sizeof *s.placed);
    run->order = arena_array(a, x->flat->event_count + 1, sizeof *run->order);
    run->order_count = 0;
    sort(&s, run);
    relate_end(&r);
}
