/* SPDX-License-Identifier: MIT
 *
 * Executions worth showing.  Each was run again in a fresh process, from its
 * decisions, or it is not here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/vec.h"
#include "finding/gate.h"
#include "verify/verify_inside.h"

/* ---- Making one ---- */

void shown_note_unsteady(struct verify *v, const char *source)
{
    v->r->unsteady = true;
    if (source && !v->r->source)
        v->r->source = arena_copy(v->arena, source);
}

bool shown_passes(struct verify *v, struct shown *s)
{
    struct gate g = {.binary = v->o->base.program,
                     .tables = v->o->tables,
                     .arena = v->arena};
    struct err why;

    if (!model_has_machine(s->finding.model))
        return told_passes(s);
    if (gate_replay(&g, s, &why))
        return true;
    LOG(VERIFY, "an execution on %s does not come again: %s",
        s->finding.model->name, why.text);
    if (g.unsteady)
        shown_note_unsteady(v, g.source);
    return false;
}

struct shown *shown_of(struct verify *v, const struct worker *w,
                       enum finding_class class)
{
    const struct verify_options *o = v->o;
    struct shown *s = arena_alloc(v->arena, sizeof(*s));
    struct finding *f = &s->finding;

    finding_of_job(&w->job, w->channel->run, o->tables, f);
    finding_take_decisions(w, v->arena, &f->decisions, &f->decision_count);
    if (!worker_failure(w, &f->failure) || f->failure.run != w->channel->run)
        memset(&f->failure, 0, sizeof(f->failure));
    if (f->failure.site >= o->tables->site_count)
        f->failure.site = 0;
    s->class = class;
    if (!shown_passes(v, s))
        return NULL;
    if (f->model != &model_sc)
        shown_explain(s, VERIFY_CYCLE_LENGTH);
    return s;
}

/* ---- The list ---- */

/* Its place in the order in which findings are told. */
static size_t shown_model(const struct shown *s)
{
    return model_told_number(s->finding.model);
}

/* Has m all that x has? */
static bool is_within(const struct model *x, const struct model *m)
{
    if (x->by_axioms || m->by_axioms)
        return x == &model_sc || model_asked(x) == model_asked(m);
    return model_number(x) <= model_number(m);
}

bool shown_has_failure(const struct verify *v, const struct model *m,
                       const struct channel_failure *f)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        const struct finding *x = &v->r->shown[i]->finding;

        if (shown_failed(v->r->shown[i]) && is_within(x->model, m) &&
            finding_same_sort(&x->failure, f))
            return true;
    }
    return false;
}

void shown_put(struct verify *v, struct shown *shown)
{
    struct verify_result *r = v->r;

    r->shown = vec_fit(v->arena, r->shown, r->shown_count, &v->shown_room,
                       r->shown_count + 1, sizeof(struct shown *));
    r->shown[r->shown_count++] = shown;
}

bool shown_add(struct verify *v, struct shown *shown, struct err *e)
{
    shown_put(v, shown);
    LOG(VERIFY, "%s on %s: %s", class_word(shown->class),
        shown->finding.model->name,
        shown_failed(shown) ? shown->finding.failure.message : "no failure");
    return store_save_shown(v, v->r->shown_count - 1, e);
}

struct shown *shown_find(const struct verify *v, const struct model *m,
                         enum finding_class class)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        struct shown *s = v->r->shown[i];

        if (s->finding.model == m && s->class == class)
            return s;
    }
    return NULL;
}

/* ---- Which of them are told ---- */

/* Were the same accesses swapped in both? */
static bool same_swaps(const struct shown *x, const struct shown *y)
{
    const struct shown_cycle *a = &x->cycle, *b = &y->cycle;

    if (a->length != b->length || a->reordered != b->reordered)
        return false;
    for (uint32_t i = 0; i < a->length; i++) {
        if (x->trace.events[a->events[i]].site !=
            y->trace.events[b->events[i]].site)
            return false;
    }
    return true;
}

/* A finding is told under the strongest model that shows it.  A benign one says
 * nothing where its model, or a stronger one, is broken, or where its model
 * calls the program's behaviour undefined. */
static bool tells_of(const struct shown *other, const struct shown *s)
{
    if (other == s || shown_model(other) > shown_model(s))
        return false;
    if (other->class == CLASS_HARMFUL && s->class == CLASS_BENIGN)
        return true;
    if (other->class == CLASS_RACE && s->class == CLASS_BENIGN)
        return other->finding.model == s->finding.model;
    if (other->finding.model == s->finding.model)
        return false;
    if (other->class == CLASS_BENIGN && s->class == CLASS_BENIGN)
        return same_swaps(other, s);
    return other->class == CLASS_HARMFUL && s->class == CLASS_HARMFUL &&
           finding_same_sort(&other->finding.failure, &s->finding.failure);
}

/* What fails on SC in the same way is not a weaker model's fault. */
static void acquit(const struct verify *v, struct shown *s)
{
    for (size_t i = 0; s->class == CLASS_HARMFUL && i < v->r->shown_count;
         i++) {
        const struct shown *other = v->r->shown[i];

        if (other->finding.model == &model_sc && shown_failed(other) &&
            finding_same_sort(&other->finding.failure, &s->finding.failure))
            s->class = CLASS_BENIGN;
    }
}

static bool is_told_elsewhere(const struct verify *v, const struct shown *s)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (tells_of(v->r->shown[i], s))
            return true;
    }
    return false;
}

/* Classes are numbered by weight: fails on SC, harmful, race, benign. */
static int by_weight(const void *x, const void *y)
{
    const struct shown *a = *(struct shown *const *)x;
    const struct shown *b = *(struct shown *const *)y;
    size_t am = shown_model(a), bm = shown_model(b);
    bool af = shown_failed(a), bf = shown_failed(b);

    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (af != bf)
        return af ? -1 : 1;
    return (am > bm) - (am < bm);
}

void shown_settle(struct verify *v)
{
    struct verify_result *r = v->r;
    struct shown **kept =
        arena_array(v->arena, r->shown_count + 1, sizeof(*kept));
    size_t n = 0;

    for (size_t i = 0; i < r->shown_count; i++)
        acquit(v, r->shown[i]);
    for (size_t i = 0; i < r->shown_count; i++) {
        if (!is_told_elsewhere(v, r->shown[i]))
            kept[n++] = r->shown[i];
    }
    if (n)
        qsort(kept, n, sizeof(struct shown *), by_weight);
    r->shown = kept;
    r->shown_count = n;
}
