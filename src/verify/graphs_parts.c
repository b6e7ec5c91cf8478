/* SPDX-License-Identifier: MIT
 *
 * The parts of a tree that are left, in their order, and what came of them so
 * far.  A part that is done, and found nothing, is made one with the next: so
 * there are few more of them than workers, however long it takes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "verify/verify_graphs.h"

/* ---- The list ---- */

struct graphs_part *part_add(struct graphs *g, struct graphs_part *after)
{
    struct graphs_part *k = calloc(1, sizeof(*k));
    struct graphs_part **at = after ? &after->next : &g->parts;

    CHECK(k != NULL);
    k->graphs = g;
    k->task.owner = k;
    k->next = *at;
    *at = k;
    return k;
}

void part_drop(struct graphs *g, struct graphs_part *k)
{
    struct graphs_part **at = &g->parts;

    while (*at != k) {
        CHECK(*at != NULL);
        at = &(*at)->next;
    }
    *at = k->next;
    if (k->task.running) {
        pool_stop(&g->pool, &k->task);
        pool_release(&g->pool, &k->task.worker);
    }
    buf_free(&k->now.state);
    buf_free(&k->before.state);
    arena_free(&k->arena);
    free(k);
}

void parts_drop_after(struct graphs *g, const struct graphs_part *k)
{
    while (k->next)
        part_drop(g, k->next);
}

bool part_is_ready(const struct graphs_part *k)
{
    return !k->task.running && !k->over && !k->is_last;
}

/* ---- What came of them ---- */

void parts_forget_counts(struct graphs *g)
{
    *g->s->counts = (struct counts){.executions = 0};
    *g->s->outcomes = (struct tally){0};
}

static void add_outcomes(struct tally *to, const struct tally *from,
                         struct arena *a)
{
    for (size_t i = 0; i < from->count; i++)
        tally_add(to, from->list[i].text, from->list[i].count, a);
    tally_sort(to);
}

/* Moves what one part came to, to another. */
static void move_counts(struct counts *to, struct tally *outcomes,
                        struct arena *a, struct counts *from,
                        struct tally *from_outcomes)
{
    counts_add(to, from);
    add_outcomes(outcomes, from_outcomes, a);
    *from = (struct counts){.executions = 0};
    *from_outcomes = (struct tally){0};
}

/* On processors a job that stopped halfway says which loads may be late; who
 * ends the search looks at all of it again, and knows better. */
static struct counts *counts_with_doubts(struct graphs_part *k)
{
    if (k->graphs->s->counts->unprotected)
        return k->graphs->s->counts;
    if (k->before.counts.unprotected)
        return &k->before.counts;
    for (struct graphs_found *f = k->found; f; f = f->next) {
        if (f->counts.unprotected)
            return &f->counts;
    }
    return k->now.counts.unprotected ? &k->now.counts : NULL;
}

bool part_has_doubts(struct graphs_part *k)
{
    return counts_with_doubts(k) != NULL;
}

static void settle_doubts(struct graphs_part *k)
{
    struct counts *n;

    while ((n = counts_with_doubts(k)))
        n->unprotected = 0;
}

/* What is left is told by the parts, not by their counts. */
static void take_counts(struct graphs_part *k)
{
    const struct worker *w = &k->task.worker;
    uint32_t sites = (uint32_t)k->graphs->s->v->o->tables->site_count;

    if (w->channel->graph.settled && !k->graphs->shared)
        settle_doubts(k);
    counts_take(&k->now.counts, w, &k->now.outcomes, &k->arena);
    tally_sort(&k->now.outcomes);
    k->now.counts.exhausted = 0;
    if (k->now.counts.unroll_site >= sites)
        k->now.counts.unroll_site = 0;
}

static void take_state(struct graphs_part *k)
{
    const struct channel *c = k->task.worker.channel;

    buf_clear(&k->now.state);
    buf_add(&k->now.state, (const char *)c + CHANNEL_SEARCH_AT,
            c->graph.state_size);
    k->now.only_learns = false;
}

/* What was given away comes after what is left. */
static void take_given(struct graphs_part *k)
{
    const struct channel *c = k->task.worker.channel;
    struct graphs_part *new;

    k->asked = false;
    if (!c->graph.given_size)
        return;
    new = part_add(k->graphs, k);
    new->task.ended = k->task.ended;
    new->given = true;
    buf_add(&new->now.state, (const char *)c + CHANNEL_GIVEN_AT,
            c->graph.given_size);
    if (!k->graphs->shared) {
        buf_clear(&k->graphs->known);
        buf_add(&k->graphs->known, new->now.state.bytes, new->now.state.count);
    }
    k->graphs->shared = true;
}

/* How it was before the first of those that do not count yet. */
static void keep_before(struct graphs_part *k)
{
    buf_clear(&k->before.state);
    buf_add(&k->before.state, k->now.state.bytes, k->now.state.count);
    k->before.only_learns = k->now.only_learns;
    k->before.counts = k->now.counts;
    tally_copy(&k->before.outcomes, &k->now.outcomes, &k->arena);
}

static void add_found(struct graphs_part *k, struct graphs_found *f)
{
    struct graphs_found **at = &k->found;

    f->counts = k->now.counts;
    f->outcomes = k->now.outcomes;
    k->now.counts = (struct counts){.executions = 0};
    k->now.outcomes = (struct tally){0};
    while (*at)
        at = &(*at)->next;
    *at = f;
}

/* What it begins with counts before whatever it found. */
static void give_counts_to_next(struct graphs_part *k)
{
    struct graphs_part *next = k->next;
    struct counts counts = k->now.counts;
    struct tally outcomes = {0};

    tally_copy(&outcomes, &k->now.outcomes, &next->arena);
    if (next->found) {
        move_counts(&next->found->counts, &next->found->outcomes, &next->arena,
                    &counts, &outcomes);
        counts = k->now.counts;
        move_counts(&next->before.counts, &next->before.outcomes, &next->arena,
                    &counts, &k->now.outcomes);
        return;
    }
    move_counts(&next->now.counts, &next->now.outcomes, &next->arena, &counts,
                &k->now.outcomes);
}

void part_take(struct graphs_part *k, struct graphs_found *found)
{
    struct graphs *g = k->graphs;
    const struct channel *c = k->task.worker.channel;

    if (found && !k->found)
        keep_before(k);
    take_counts(k);
    take_state(k);
    take_given(k);
    k->over = c->exhausted;
    if (found)
        add_found(k, found);
    if (found && found_is_last(g, found)) {
        k->is_last = k->next || !k->over;
        parts_drop_after(g, k);
    }
    if (k->over && !k->found && k->next && k != g->parts) {
        give_counts_to_next(k);
        part_drop(g, k);
    }
}

/* ---- What they rely on ---- */

static int by_place(const void *x, const void *y)
{
    const struct channel_fact *a = x, *b = y;

    if (a->loop != b->loop)
        return a->loop < b->loop ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

static void add_fact(struct channel_fact *to, const struct channel_fact *from)
{
    to->live |= from->live;
    to->relied |= from->relied;
    to->known |= from->known;
}

/* Those of one place become one. */
static void join_facts(struct graphs *g)
{
    struct channel_fact *list = g->facts.list;
    size_t n = 0;

    if (!g->facts.count)
        return;
    qsort(list, g->facts.count, sizeof(*list), by_place);
    for (size_t i = 1; i < g->facts.count; i++) {
        if (by_place(&list[n], &list[i]) == 0)
            add_fact(&list[n], &list[i]);
        else
            list[++n] = list[i];
    }
    g->facts.count = n + 1;
}

bool parts_agree(struct graphs *g, const struct graphs_part *k)
{
    const struct channel *c = k->task.worker.channel;
    const struct channel_fact *from =
        (const struct channel_fact *)((const char *)c + CHANNEL_FACTS_AT);

    for (uint64_t i = 0; i < c->graph.fact_count; i++)
        VEC_PUSH(&g->facts, from[i]);
    join_facts(g);
    for (size_t i = 0; i < g->facts.count; i++) {
        const struct channel_fact *f = &g->facts.list[i];

        if (f->live & f->relied & ~f->known)
            return false;
    }
    return true;
}

/* ---- In their order ---- */

static void count(struct graphs *g, struct counts *counts,
                  struct tally *outcomes)
{
    move_counts(g->s->counts, g->s->outcomes, g->s->v->arena, counts, outcomes);
    g->s->counts->as_graphs = 1;
}

/* Nothing of it waits any more. */
static void forget_waiting(struct graphs_part *k)
{
    k->before.outcomes = (struct tally){0};
    arena_free(&k->arena);
}

static bool tell_first(struct graphs *g, struct graphs_part *k, struct err *e)
{
    struct graphs_found *f = k->found;

    k->found = f->next;
    count(g, &f->counts, &f->outcomes);
    return found_tell(g, f, e);
}

static bool settle_in_order(struct graphs *g, struct err *e)
{
    struct graphs_part *k;

    while ((k = g->parts)) {
        while (k->found) {
            if (!tell_first(g, k, e))
                return false;
            if (g->enough && (k->found || k->next || !k->over))
                return true;
        }
        count(g, &k->now.counts, &k->now.outcomes);
        forget_waiting(k);
        if (!k->over || k->is_last)
            return true;
        part_drop(g, k);
    }
    return true;
}

/* It is time to stop, and how far it came is kept: what waits for parts before
 * it counts now. */
bool parts_tell_waiting(struct graphs *g, struct err *e)
{
    for (struct graphs_part *k = g->parts; k; k = k->next) {
        while (k->found)
            if (!tell_first(g, k, e))
                return false;
        count(g, &k->now.counts, &k->now.outcomes);
    }
    return true;
}

bool parts_settle(struct graphs *g, struct err *e)
{
    bool ok = settle_in_order(g, e);

    if (g->missed) {
        g->s->counts->cuts |= CUT_ENGINE;
        counts_set_text(g->s->counts->why,
                        "one of them could not be brought about");
    }
    return ok;
}
