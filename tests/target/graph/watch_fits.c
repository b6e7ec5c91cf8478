/* SPDX-License-Identifier: MIT
 *
 * Does a graph fit together?  The search keeps its rows up to date event by
 * event, takes them back, and squeezes them where events are deleted.  Here
 * they are made anew from what is there: threads, sources, and places in co.
 * Brute force would notice most of what goes wrong with them, but only later,
 * and where it changes what is found.
 */
#include "watch.h"

#include "base/check.h"

/* po, rf, joins and twins, one step each. */
static row step_before(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    const struct op *op = behaviour_op(g->behaviour, n->before);
    int by = graph_predecessor(g, e), end;
    row all = graph_bundle(g, e) & ~row_of(e);

    if (by >= 0)
        all |= row_of(by);
    if (node_reads(n) && n->rf >= 0)
        all |= row_of(n->rf);
    if (n->kind == NODE_JOIN) {
        end = graph_end_of(g, op->thread);
        all |= end >= 0 ? row_of(end) : row_none();
    }
    return g->has_twins
               ? all | graph_prefix_by_twin(
                           g, n->thread, row_rank(g->of_thread[n->thread], e))
               : all;
}

static void check_porf(const struct graph *g)
{
    row porf[GRAPH_EVENTS_MAX];

    for (int e = 0; e < g->count; e++)
        porf[e] = step_before(g, e);
    for (int k = 0; k < g->count; k++) {
        for (int e = 0; e < g->count; e++)
            if (row_has(porf[e], k))
                porf[e] |= porf[k];
    }
    for (int e = 0; e < g->count; e++) {
        bool is_acyclic = g->events[e].parts > 1 || !row_has(porf[e], e);
        bool is_porf = !row_any((porf[e] ^ g->porf[e]) & ~graph_bundle(g, e));

        CHECK(is_acyclic);
        CHECK(is_porf);
    }
}

/* The writes of a location have one order, and who is last is the last one. */
static void check_co(const struct graph *g, unsigned location)
{
    row writes = g->writes[location], ranks = row_none();
    int w, last = INITIAL;

    ROW_EACH (w, writes) {
        row later = g->co_after[w];
        int x;

        CHECK(!row_any(later & ~writes) && !row_has(later, w));
        ROW_EACH (x, later)
            CHECK(!row_any(g->co_after[x] & ~later));
        ranks |= row_of(row_count(later));
        if (!row_any(later))
            last = w;
    }
    bool is_total = row_count(ranks) == row_count(writes);
    bool is_last = graph_co_last(g, location) == last;

    CHECK(is_total);
    CHECK(is_last);
}

static bool is_same(row a, row b)
{
    return !row_any(a ^ b);
}

/* Who accesses what, and reads from whom. */
static void check_accesses(const struct graph *g)
{
    row readers[GRAPH_EVENTS_MAX], writes[GRAPH_LOCATIONS_MAX],
        reads[GRAPH_LOCATIONS_MAX], reads_initial[GRAPH_LOCATIONS_MAX];

    for (int e = 0; e < g->count; e++)
        readers[e] = row_none();
    for (unsigned l = 0; l < g->location_count; l++)
        writes[l] = reads[l] = reads_initial[l] = row_none();
    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];

        if (node_writes(n))
            writes[n->location] |= row_of(e);
        if (!node_reads(n))
            continue;
        CHECK(n->rf >= INITIAL);
        reads[n->location] |= row_of(e);
        if (n->rf >= 0)
            readers[n->rf] |= row_of(e);
        else
            reads_initial[n->location] |= row_of(e);
    }
    for (int e = 0; e < g->count; e++)
        CHECK(!node_writes(&g->events[e]) ||
              is_same(readers[e], g->readers[e]));
    for (unsigned l = 0; l < g->location_count; l++) {
        CHECK(is_same(writes[l], g->writes[l]));
        CHECK(is_same(reads[l], g->reads[l]));
        CHECK(is_same(reads_initial[l], g->reads_initial[l]));
    }
}

/* Each event is in one thread, and comes from the one before it there. */
static void check_threads(const struct graph *g)
{
    row all = row_none();

    for (unsigned t = 0; t < g->thread_count; t++) {
        int e;

        CHECK(!row_any(all & g->of_thread[t]));
        all |= g->of_thread[t];
        ROW_EACH (e, g->of_thread[t])
            CHECK(g->events[e].thread == t);
    }
    CHECK(is_same(all, row_below(g->count)));
}

/* Kinds that follow from the events. */
static void check_kinds(const struct graph *g)
{
    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];
        bool is_complete = n->kind == NODE_RX && n->mate >= 0;

        CHECK(row_has(g->stores, e) <= node_writes(n));
        CHECK(n->mate < 0 || g->events[n->mate].mate == e);
        CHECK(row_has(g->complete, e) == is_complete);
        CHECK(row_has(g->bundles, e) >= (n->parts > 1));
    }
    for (int k = 0; k < GRAPH_KINDS; k++)
        CHECK(!row_any(g->kinds[k] & ~row_below(g->count)));
}

/* Of late loads there are cycles, and mates of another sort. */
void watch_fits(const struct graph *g)
{
    check_threads(g);
    check_kinds(g);
    check_accesses(g);
    for (unsigned l = 0; l < g->location_count; l++)
        check_co(g, l);
    check_porf(g);
}
