/* SPDX-License-Identifier: MIT
 *
 * What to change in the source so that nothing fails any more, on every model
 * that was asked for.  Changes are put into a run, not into the program
 * (channel.h).  They grow: as long as an execution fails, those that it asks
 * for are added.  Then they shrink: what is not needed is taken back, the most
 * expensive first, and what is left is made as weak as it can be.  So each is
 * needed, and together they are enough; that is known of all executions or not
 * said.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "verify/verify_inside.h"

/* What an execution that fails asks for.  False: nothing more. */
typedef bool (*asks_for)(const struct shown *fails, struct changes *c);

struct mending {
    struct verify *v;
    struct changes changes;
    uint64_t left; /* executions that may still be tried */
    bool open;     /* a trial came to no end: nothing is known */
    size_t first;  /* the model that failed last: it is tried first */
};

/* ---- A trial ---- */

/* *differ: how C is compiled for that model matters to the program. */
static bool try_model(struct mending *m, const struct model *model,
                      struct shown **fails, bool *differ, struct err *e)
{
    struct counts counts = {.executions = 0};
    struct tally outcomes = {0};
    struct search s = {.v = m->v,
                       .model = model,
                       .counts = &counts,
                       .outcomes = &outcomes,
                       .most = m->left,
                       .fences = m->changes.list,
                       .fence_count = m->changes.count};
    bool done;

    if (!graphs_run(&s, &done, e))
        return false;
    m->left -= counts.executions < m->left ? counts.executions : m->left;
    *fails = s.last;
    *differ = counts.mappings_differ;
    m->open = !s.last && (!done || !m->left || !search_is_complete(&counts) ||
                          counts.unprotected);
    return true;
}

static bool try_mappings(struct mending *m, const struct model *model,
                         struct shown **fails, struct err *e)
{
    const struct verify_options *o = m->v->o;
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = model_mappings(model, o->arm, o->rcpc, list);
    bool differ = true;

    for (size_t i = 0; i < count && differ && !*fails && !m->open; i++) {
        if (!try_model(m, list[i], fails, &differ, e))
            return false;
    }
    return true;
}

static bool is_to_mend(const struct shown *s)
{
    return s->class == CLASS_RACE ||
           (s->class == CLASS_HARMFUL && shown_failed(s));
}

static bool fails_on(const struct verify *v, const struct model *model)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (is_to_mend(v->r->shown[i]) &&
            v->r->shown[i]->finding.model == model)
            return true;
    }
    return false;
}

/* What cannot be explored says nothing of a change, either.  (Who only asks for
 * changes has explored nothing.)  Where the program fails it is tried all the
 * same: what cannot be explored may be what the mistake leads to. */
static bool is_left_out(const struct verify *v, const struct model *model)
{
    for (size_t i = 0; v->r->models && i < v->o->model_count; i++) {
        if (v->o->models[i] == model && v->r->models[i].refused)
            return !fails_on(v, model);
    }
    return false;
}

/* *fails: an execution that does, or NULL. */
static bool try_models(struct mending *m, struct shown **fails, struct err *e)
{
    const struct verify_options *o = m->v->o;

    *fails = NULL;
    for (size_t i = 0; i < o->model_count && !*fails && !m->open; i++) {
        size_t at = (m->first + i) % o->model_count;

        if (o->models[at] == &model_sc || is_left_out(m->v, o->models[at]))
            continue;
        if (!try_mappings(m, o->models[at], fails, e))
            return false;
        if (*fails)
            m->first = at;
        m->open = m->open || stop_now(&m->v->r->stop);
    }
    return true;
}

/* ---- Growing, shrinking ---- */

static bool grow(struct mending *m, const struct shown *first, asks_for more,
                 struct err *e)
{
    const struct shown *fails = first;

    m->changes.count = 0;
    m->open = false;
    while (fails && !m->open) {
        struct shown *next = NULL;

        m->open = !more(fails, &m->changes);
        if (!m->open && !try_models(m, &next, e))
            return false;
        fails = next;
    }
    return true;
}

/* Fences cost more than orders, and seq_cst more than others. */
static unsigned cost(const struct channel_fence *f)
{
    if (!(f->bits & CHANNEL_FENCE_ORDER))
        return f->bits & (FENCE_SL | FENCE_FULL) ? 40 : 30;
    return f->bits & EVF_ORDER;
}

static int by_cost(const void *x, const void *y)
{
    const struct channel_fence *a = x, *b = y;
    unsigned i = cost(a), k = cost(b);

    if (i != k)
        return i > k ? -1 : 1;
    return (a->site > b->site) - (a->site < b->site);
}

static bool shrink(struct mending *m, struct err *e)
{
    struct changes *c = &m->changes;

    qsort(c->list, c->count, sizeof(*c->list), by_cost);
    for (size_t i = 0; i < c->count && c->count > 1;) {
        struct changes all = *c;
        struct shown *fails;

        c->count--;
        memmove(&c->list[i], &c->list[i + 1],
                (c->count - i) * sizeof(*c->list));
        if (!try_models(m, &fails, e))
            return false;
        if (fails || m->open) {
            *c = all;
            i++;
        }
        m->open = false; /* with all of them it is known */
    }
    return true;
}

/* ---- Weakening ----
 *
 * An order asked for by one execution may be stronger than what another, whose
 * pair is the one to blame, would have asked for: a store that is late beyond
 * the next load is late beyond the next store, too.  So each change that is
 * left is tried weaker. */

#define WEAKER_MAX 3

struct weaker {
    uint32_t bits[WEAKER_MAX]; /* weakest first */
    size_t count;
};

static void add_weaker_fences(uint32_t bits, struct weaker *w)
{
    if (!(bits & (FENCE_SL | FENCE_FULL)))
        return;
    w->bits[w->count++] = FENCE_LL;
    w->bits[w->count++] = FENCE_SS;
}

static void add_weaker_orders(uint32_t kind, uint32_t bits, struct weaker *w)
{
    static const enum event_order orders[] = {ORDER_ACQUIRE, ORDER_RELEASE,
                                              ORDER_ACQ_REL};
    enum event_order from = bits >> CHANNEL_FENCE_FROM & EVF_ORDER;
    enum event_order now = bits & EVF_ORDER;
    bool fails = bits & CHANNEL_FENCE_FAILURE;

    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        enum event_order o = orders[i];

        if (o >= now || order_join(from, o) != o || o == from ||
            (order_acquires(o) && kind == EV_STORE) ||
            (order_releases(o) && (kind == EV_LOAD || fails)))
            continue;
        w->bits[w->count++] = (bits & ~(uint32_t)EVF_ORDER) | o;
    }
}

static struct weaker weaker_than(const struct mending *m,
                                 const struct channel_fence *f)
{
    struct weaker w = {.count = 0};

    if (f->bits & CHANNEL_FENCE_ORDER)
        add_weaker_orders(m->v->o->tables->sites[f->site].kind, f->bits, &w);
    else
        add_weaker_fences(f->bits, &w);
    return w;
}

static bool weaken_one(struct mending *m, struct channel_fence *f,
                       struct err *e)
{
    struct weaker w = weaker_than(m, f);
    uint32_t strong = f->bits;

    for (size_t i = 0; i < w.count; i++) {
        struct shown *fails;
        bool enough;

        f->bits = w.bits[i];
        if (!try_models(m, &fails, e))
            return false;
        enough = !fails && !m->open;
        m->open = false; /* with the stronger it is known */
        if (enough)
            return true;
        f->bits = strong;
    }
    return true;
}

static bool weaken(struct mending *m, struct err *e)
{
    for (size_t i = 0; i < m->changes.count; i++)
        if (!weaken_one(m, &m->changes.list[i], e))
            return false;
    return true;
}

/* ---- Two ways ---- */

static unsigned cost_of_all(const struct changes *c)
{
    unsigned sum = 0;

    for (size_t i = 0; i < c->count; i++)
        sum += cost(&c->list[i]);
    return sum;
}

/* Are they enough, and cheaper than the best so far? */
static bool go_one_way(struct mending *m, const struct shown *first,
                       asks_for more, struct changes *best, struct err *e)
{
    if (!grow(m, first, more, e))
        return false;
    if (m->open)
        return true;
    if (!shrink(m, e) || !weaken(m, e))
        return false;
    if (!best->count || cost_of_all(&m->changes) < cost_of_all(best))
        *best = m->changes;
    return true;
}

/* One order at the place that was swapped is as cheap as it gets. */
static bool is_cheap(const struct changes *c)
{
    return c->count && cost_of_all(c) <= ORDER_ACQ_REL;
}

static bool find_changes(struct mending *m, const struct shown *first,
                         struct changes *best, struct err *e)
{
    best->count = 0;
    return go_one_way(m, first, shown_add_changes, best, e) &&
           (is_cheap(best) || stop_now(&m->v->r->stop) ||
            go_one_way(m, first, shown_add_orders, best, e));
}

/* ---- What it is for ---- */

/* The first that is to be mended; NULL: none, or it fails on SC as well. */
static const struct shown *worst(const struct verify *v)
{
    const struct shown *first = NULL;

    for (size_t i = 0; i < v->r->shown_count; i++) {
        const struct shown *s = v->r->shown[i];

        if (s->class == CLASS_SC || !graphs_can_run(v))
            return NULL;
        if (is_to_mend(s) && !first)
            first = s;
    }
    return first;
}

static bool has_orders(const struct changes *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].bits & CHANNEL_FENCE_ORDER)
            return true;
    }
    return false;
}

/* Fences alone are what its fences are, too. */
static void keep_in(struct shown *s, const struct changes *best)
{
    memcpy(s->cure, best->list, sizeof(s->cure));
    s->cure_count = best->count;
    if (has_orders(best))
        return;
    memcpy(s->fences, best->list, sizeof(s->fences));
    s->fence_count = best->count;
    s->cured = s->proved = true;
}

static void keep(struct verify_result *r, const struct changes *best)
{
    LOG(VERIFY, "%zu changes mend it", best->count);
    for (size_t i = 0; i < r->shown_count; i++) {
        if (is_to_mend(r->shown[i]))
            keep_in(r->shown[i], best);
    }
}

bool mend(struct verify *v, uint64_t executions, struct err *e)
{
    const struct shown *first = worst(v);
    struct mending m = {.v = v, .left = executions};
    const char *refused = v->refused;
    struct changes best;
    bool ok;

    if (!first || stop_now(&v->r->stop))
        return true;
    ok = find_changes(&m, first, &best, e);
    v->refused = refused; /* that a change was is another matter */
    if (ok && best.count)
        keep(v->r, &best);
    return ok;
}

bool verify_mend(const struct verify_options *o, struct shown **shown,
                 size_t count, uint64_t executions, struct arena *a,
                 struct err *e)
{
    struct verify_result r = {.shown = shown,
                              .shown_count = count,
                              .stop.until_ms = o->until_ms,
                              .limits.arena = a};
    struct verify v = {.o = o, .arena = a, .r = &r, .left.arena = a};

    return mend(&v, executions, e);
}
