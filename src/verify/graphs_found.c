/* SPDX-License-Identifier: MIT
 *
 * What a search over graphs found.  A job ends there, and the execution is
 * brought about at once, while its worker still has it; it is told when all
 * that comes before it in the tree is done, and shows nothing of the kind.
 * Until then jobs of this part, and of those after it, take it for known.
 */
#include <string.h>

#include "base/log.h"
#include "finding/gate.h"
#include "verify/verify_graphs.h"

#define FAILURES_MOST 16 /* on SC, where all are looked for */

/* ---- Executions ---- */

/* The steps, taken by the machine of the model.  NULL: it could not, or there
 * is no time left. */
static struct shown *bring_about(const struct search *s,
                                 const struct worker *found, struct err *e)
{
    struct verify *v = s->v;
    struct shown *shown = arena_alloc(v->arena, sizeof(*shown));
    struct job j = steps_job(v->o, s->model);
    bool done = false;

    /* What --deps forbids is not among the steps; the machine knows less of
     * dependencies than the graphs do, and would keep more in order. */
    j.flags &= ~(uint32_t)CHANNEL_DEPS;
    j.fences = s->fences;
    j.fence_count = s->fence_count;
    j.witness = (const struct witness_step *)((const char *)found->channel +
                                              CHANNEL_STEPS_AT);
    j.witness_count = found->channel->graph.step_count;
    if (!steps_take(v->o, &j, v->arena, shown, &done, e) &&
        stop_now(&v->r->stop))
        e->text[0] = '\0';
    return done ? shown : NULL;
}

static bool is_of_use(const struct shown *shown, enum graph_found what)
{
    if (what == FOUND_FAILURE)
        return shown_failed(shown);
    return what == FOUND_STRANGE || what == FOUND_RACE ||
           shown->cycle.length > 0;
}

static void classify(const struct search *s, struct shown *shown,
                     enum graph_found what)
{
    shown->class = class_of_failure(s->model);
    if (shown_failed(shown))
        return;
    if (what == FOUND_NOT_SC)
        shown->class = CLASS_BENIGN;
    if (what == FOUND_STRANGE)
        shown->error = STRANGE_ERROR;
}

/* NULL: it is not to be shown. */
static struct shown *make_shown(const struct search *s, const struct worker *w,
                                enum graph_found what, struct err *e)
{
    struct shown *shown;

    if (!model_has_machine(s->model))
        return verify_tell_found(s->v->o, s->model, w, s->v->arena);
    shown = bring_about(s, w, e);
    if (!shown)
        return NULL;
    classify(s, shown, what);
    if (s->fence_count) { /* of another program: it is not told */
        shown_explain(shown, VERIFY_CYCLE_LENGTH);
        return shown;
    }
    if (!shown_passes(s->v, shown))
        return NULL;
    if (s->model != &model_sc)
        shown_explain(shown, VERIFY_CYCLE_LENGTH);
    return is_of_use(shown, what) ? shown : NULL;
}

/* ---- What is known ---- */

static bool knows(const struct channel_graph *known, uint64_t signature)
{
    for (uint32_t i = 0; i < known->known_count; i++) {
        if (known->known[i] == signature)
            return true;
    }
    return false;
}

/* False: there are so many already. */
static bool learn(struct channel_graph *known, uint64_t signature,
                  uint32_t most)
{
    if (knows(known, signature))
        return true;
    if (known->known_count >= most)
        return false;
    known->known[known->known_count++] = signature;
    return true;
}

/* Was the execution found for its races on SC alone? */
static bool is_only_race(const struct search *s, const struct graphs_found *f)
{
    return f->what == FOUND_RACE && !s->model->by_language;
}

static bool has_new_race(const struct channel_graph *known,
                         const struct graphs_found *f)
{
    for (uint32_t i = 0; i < f->race_count; i++) {
        if (!knows(known, f->races[i].signature))
            return true;
    }
    return false;
}

static bool is_known(const struct search *s, const struct channel_graph *known,
                     const struct graphs_found *f)
{
    if (f->what == FOUND_LATE)
        return false;
    if (f->what == FOUND_NOT_SC)
        return !known->wants_not_sc;
    if (f->what == FOUND_UNORDERED)
        return known->knows_unordered;
    if (is_only_race(s, f) || has_new_race(known, f))
        return !has_new_race(known, f);
    return f->what != FOUND_STRANGE && knows(known, f->signature);
}

/* An execution that says that, too? */
static bool leaves_sc(const struct graphs_found *f)
{
    return f->what == FOUND_NOT_SC ||
           (f->what == FOUND_RACE && f->shown && f->shown->cycle.length);
}

/* The same execution, and others like it, are passed by from now on.  False:
 * there are too many to know them all. */
static bool learn_found(const struct search *s, const struct graphs_found *f,
                        struct channel_graph *known, uint32_t most)
{
    bool fits = true;

    if (f->what == FOUND_UNORDERED) {
        known->knows_unordered = 1;
        return true;
    }
    if (leaves_sc(f))
        known->wants_not_sc = 0;
    if (f->what != FOUND_NOT_SC && f->what != FOUND_STRANGE &&
        !is_only_race(s, f))
        fits = learn(known, f->signature, most);
    for (uint32_t i = 0; i < f->race_count; i++)
        fits = learn(known, f->races[i].signature, most) && fits;
    return fits;
}

void found_put_known(const struct graphs_part *k, struct channel_graph *orders)
{
    const struct graphs *g = k->graphs;

    for (const struct graphs_part *p = g->parts; p; p = p->next) {
        for (const struct graphs_found *f = p->found; f; f = f->next)
            learn_found(g->s, f, orders, CHANNEL_KNOWN_MAX);
        if (p == k)
            return;
    }
}

/* ---- What a job found ---- */

static struct graphs_found *copy_found(struct graphs_part *k)
{
    const struct channel_graph *c = &k->task.worker.channel->graph;
    struct graphs_found *f = arena_alloc(&k->arena, sizeof(*f));

    f->what = c->found;
    f->signature = c->signature;
    f->race_count = c->race_count;
    memcpy(f->races, c->races, sizeof(f->races));
    return f;
}

/* A data race of an execution that is none to the model. */
static struct graphs_found *take_unordered(struct graphs_part *k,
                                           struct graphs_found *f)
{
    struct buf text = {0};

    told_race(k->graphs->s->v->o, &k->task.worker, &k->arena, &text);
    f->race = arena_copy(&k->arena, text.bytes ? text.bytes : "");
    buf_free(&text);
    return f;
}

bool found_take(struct graphs_part *k, struct graphs_found **found, bool *late,
                struct err *e)
{
    const struct worker *w = &k->task.worker;
    const struct search *s = k->graphs->s;
    struct channel_graph known = k->graphs->orders;
    struct graphs_found *f;

    *late = false;
    *found = NULL;
    if (w->channel->graph.found == FOUND_NOTHING)
        return true;
    f = copy_found(k);
    found_put_known(k, &known);
    if (is_known(s, &known, f))
        return true;
    if (f->what == FOUND_UNORDERED) {
        *found = take_unordered(k, f);
        return true;
    }
    if (f->what == FOUND_LATE) {
        *found = f; /* it is not told */
        return true;
    }
    f->shown = make_shown(s, w, f->what, e);
    if (!f->shown && *e->text)
        return false;
    *late = !f->shown && stop_now(&s->v->r->stop);
    if (!*late)
        *found = f;
    return true;
}

bool found_is_last(const struct graphs *g, const struct graphs_found *f)
{
    if (f->what == FOUND_STRANGE)
        return true;
    return f->shown && (g->s->fence_count ||
                        (f->what != FOUND_NOT_SC && f->what != FOUND_RACE &&
                         g->s->model != &model_sc));
}

/* ---- What is told ---- */

/* The races of SC that this execution has. */
static bool tell_races(struct graphs *g, const struct graphs_found *f,
                       struct err *e)
{
    struct verify *v = g->s->v;

    for (uint32_t i = 0; i < f->race_count; i++) {
        struct sc_race r = {{f->races[i].first, f->races[i].second}, {0}};

        if (knows(&g->orders, f->races[i].signature))
            continue;
        if (r.sites[0] >= v->o->tables->site_count ||
            r.sites[1] >= v->o->tables->site_count ||
            !race_find(&f->shown->trace, &r)) {
            LOG(VERIFY, "a data race that the execution does not have");
            g->missed = true;
        } else if (!race_is_shown(v, &r) && !race_add(v, f->shown, &r, e)) {
            return false;
        }
    }
    return true;
}

/* A finding, unless the same was told before (a run that was killed finds it
 * again). */
static bool tell_shown(struct graphs *g, const struct graphs_found *f,
                       struct err *e)
{
    struct search *s = g->s;
    struct shown *shown = f->shown;

    s->last = shown;
    if (s->fence_count || (is_only_race(s, f) && !shown_failed(shown)) ||
        (shown->class == CLASS_RACE && told_has_race(s->v, shown)) ||
        (shown_failed(shown) &&
         shown_has_failure(s->v, s->model, &shown->finding.failure)))
        return true;
    return shown_add(s->v, shown, e);
}

bool found_tell(struct graphs *g, const struct graphs_found *f, struct err *e)
{
    uint32_t most;

    if (is_known(g->s, &g->orders, f))
        return true;
    if (f->what == FOUND_UNORDERED) {
        buf_puts(&g->race, f->race);
        return learn_found(g->s, f, &g->orders, CHANNEL_KNOWN_MAX);
    }
    if (f->shown && (!tell_shown(g, f, e) || !tell_races(g, f, e)))
        return false;
    most = g->orders.wants_races ? CHANNEL_KNOWN_MAX : FAILURES_MOST;
    g->enough = !learn_found(g->s, f, &g->orders, most) || found_is_last(g, f);
    if (!f->shown) {
        LOG(VERIFY, "%s: an execution could not be brought about",
            g->s->model->name);
        g->missed = true;
    }
    return true;
}
