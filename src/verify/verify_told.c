/* SPDX-License-Identifier: MIT
 *
 * Executions of a model without a machine.  The search has written one down as
 * a trace (runtime/native_tell.c); here it is compared with the axioms, and
 * only what they allow is told.  What it claims, a race or a cycle, has to be
 * in it.
 */
#include <string.h>

#include "base/log.h"
#include "finding/gate.h"
#include "verify/c11_axioms.h"
#include "verify/processor_axioms.h"
#include "verify/verify_inside.h"

/* ---- Races ---- */

static void put_access(const struct trace *t, uint32_t event, struct buf *out)
{
    const struct event *e = &t->events[event];
    const struct fencer_site *s = &t->sites[e->site];
    struct buf place = {0};

    buf_puts(&place, "");
    trace_place(t, e->object, e->offset, &place);
    buf_printf(out, "%s %s at %s:%u in T%u",
               e->kind == EV_STORE  ? "store to"
               : e->kind == EV_LOAD ? "load of"
               : e->kind == EV_FREE ? "free of"
                                    : "atomic update of",
               *s->name      ? s->name
               : place.count ? place.bytes
                             : "memory",
               s->file, s->line, e->thread);
    buf_free(&place);
}

static const char *race_words(const struct trace *t, const uint32_t *race,
                              struct arena *a)
{
    struct buf text = {0};
    const char *words;

    buf_puts(&text, "data race: ");
    put_access(t, race[0], &text);
    buf_puts(&text, " and ");
    put_access(t, race[1], &text);
    words = arena_copy(a, text.bytes);
    buf_free(&text);
    return words;
}

/* What is missing between the two. */
static const char *missing_words(const struct trace *t, const uint32_t *race,
                                 struct arena *a)
{
    struct buf text = {0};
    const char *words;

    c11_missing(t, race[0], race[1], &text);
    words = arena_copy(a, text.bytes);
    buf_free(&text);
    return words;
}

/* The two that the search names, if they are one. */
static bool take_race(const struct channel_graph *c, struct arena *a,
                      struct shown *s)
{
    const struct trace *t = &s->trace;

    if (!c->race[0] || !c->race[1] || c->race[0] > t->event_count ||
        c->race[1] > t->event_count ||
        !c11_races(t, c->race[0] - 1, c->race[1] - 1))
        return false;
    for (int i = 0; i < 2; i++)
        s->race[i] = c->race[i] - 1;
    s->class = CLASS_RACE;
    s->error = race_words(t, s->race, a);
    s->missing = missing_words(t, s->race, a);
    return true;
}

bool told_has_race(const struct verify *v, const struct shown *s)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (shown_same_race(v->r->shown[i], s))
            return true;
    }
    return false;
}

/* ---- Fences ---- */

static bool has_fence(const struct job *j, uint32_t site, uint32_t bits)
{
    for (size_t i = 0; i < j->fence_count; i++) {
        if (j->fences[i].site == site && j->fences[i].bits == bits)
            return true;
    }
    return false;
}

/* The weakest that may help; a full one where it was there and did not. */
static struct channel_fence fence_for(const struct job *j,
                                      const struct event *first,
                                      const struct event *second, bool is_kept)
{
    bool stores = second->kind == EV_STORE || second->kind == EV_RMW;
    struct channel_fence f = {first->site, stores ? FENCE_SS : FENCE_SL};

    if (first->kind == EV_LOAD || first->kind == EV_CAS_FAIL)
        f.bits = FENCE_LL;
    if (is_kept || f.bits == FENCE_SL || has_fence(j, f.site, f.bits))
        f.bits = FENCE_FULL;
    return f;
}

/* Between the accesses of its cycle that nothing keeps in order; if all are
 * kept, between all. */
static void add_fences(const struct job *j, struct shown *shown)
{
    const struct shown_cycle *c = &shown->cycle;

    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *e = shown->trace.events;

        if (c->pairs[i] != GOAL_FIRST ||
            (c->reordered && !(c->reordered >> i & 1)) ||
            shown->fence_count == CHANNEL_FENCES_MAX)
            continue;
        shown->fences[shown->fence_count++] =
            fence_for(j, &e[c->events[i]], &e[c->events[(i + 1) % c->length]],
                      !c->reordered);
    }
}

/* ---- From the channel ---- */

static bool holds(const struct model *m, const struct trace *t, struct err *e)
{
    return m->by_axioms ? processor_holds(m, t, e) : c11_holds(t, e);
}

bool verify_allows(const struct model *m, const struct trace *t, bool *racy,
                   struct err *why)
{
    *racy = m->by_language && c11_is_racy(t);
    return holds(m, t, why);
}

static bool take_trace(const struct verify_options *o, const struct worker *w,
                       struct arena *a, struct shown *shown, struct err *e)
{
    struct finding *f = &shown->finding;
    struct trace *t = &shown->trace;

    finding_of_job(&w->job, w->channel->run, o->tables, f);
    if (!f->strategy)
        f->strategy = "graph";
    f->binary = "";
    f->binary_size = f->binary_hash = 0;
    if (!trace_from_channel(w->channel, o->tables, a, t, e))
        return false;
    t->program = f->program;
    t->strategy = f->strategy;
    t->flags = f->flags;
    memset(&t->failure, 0, sizeof(t->failure));
    if (w->channel->graph.found != FOUND_FAILURE)
        return true;
    if (!worker_failure(w, &f->failure))
        return err_set(e, "it does not say how it fails");
    if (f->failure.site >= t->site_count)
        f->failure.site = 0;
    t->failure = f->failure;
    return true;
}

/* Is it what it claims to be? */
static bool take_claim(const struct worker *w, const struct model *m,
                       struct arena *a, struct shown *shown)
{
    const struct channel_graph *c = &w->channel->graph;
    bool cycle = c11_cycle(&shown->trace, &shown->cycle);

    if (cycle && m->by_axioms)
        processor_reordered(m, &shown->trace, &shown->cycle);
    shown->class = class_of_failure(m);
    if (c->found == FOUND_RACE) {
        if (!c->not_sc)
            shown->cycle.length = 0;
        return take_race(c, a, shown);
    }
    add_fences(&w->job, shown);
    if (c->found == FOUND_STRANGE)
        shown->error = STRANGE_ERROR;
    if (c->found == FOUND_NOT_SC)
        shown->class = CLASS_BENIGN;
    return c->found != FOUND_NOT_SC || cycle;
}

struct shown *verify_tell_found(const struct verify_options *o,
                                const struct model *m, const struct worker *w,
                                struct arena *a)
{
    struct shown *shown = arena_alloc(a, sizeof(*shown));
    struct err why;

    memset(shown, 0, sizeof(*shown));
    shown->cycles = 1;
    if (!take_trace(o, w, a, shown, &why) || !holds(m, &shown->trace, &why)) {
        LOG(VERIFY, "an execution on %s is none: %s", m->name, why.text);
        return NULL;
    }
    if (!take_claim(w, m, a, shown)) {
        LOG(VERIFY, "an execution on %s is not what it claims to be", m->name);
        return NULL;
    }
    shown->finding.model = model_asked(m);
    gate_accept_solution(shown);
    return shown;
}

bool told_race(const struct verify_options *o, const struct worker *w,
               struct arena *a, struct buf *out)
{
    struct shown shown = {.class = CLASS_NONE};
    struct err why;

    if (!take_trace(o, w, a, &shown, &why) || !c11_holds(&shown.trace, &why) ||
        !take_race(&w->channel->graph, a, &shown)) {
        LOG(VERIFY, "a data race that the execution does not have");
        return false;
    }
    buf_printf(out, "%s; %s", shown.error, shown.missing);
    return true;
}

bool told_passes(struct shown *s)
{
    struct err why;

    s->finding.binary = "";
    if (!holds(s->finding.model, &s->trace, &why) ||
        (s->class == CLASS_RACE &&
         !c11_races(&s->trace, s->race[0], s->race[1])))
        return false;
    gate_accept_solution(s);
    return true;
}
