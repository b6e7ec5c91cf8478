/* SPDX-License-Identifier: MIT
 *
 * Executions worth showing.  Each was run again in a fresh process, from its
 * decisions, or it is not here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "verify/verify_inside.h"

/* ---- Making one ---- */

static void take_replay(struct verify_shown *s, const struct replayed *again)
{
    s->trace = again->trace;
    s->failed = again->failed;
    s->finding.output = again->output;
    s->finding.output_lost = again->output_lost;
    if (!again->failed)
        memset(&s->trace.failure, 0, sizeof(s->trace.failure));
}

bool shown_of(struct verify *v, const struct model *m, const struct worker *w,
              const char *class, struct verify_shown **shown, struct err *e)
{
    const struct verify_options *o = v->o;
    struct verify_shown *s = arena_alloc(v->arena, sizeof(*s));
    struct finding *f = &s->finding;
    struct replayed again;
    struct err why = {""};

    (void)e;
    *shown = NULL;
    memset(s, 0, sizeof(*s));
    s->model = m;
    finding_of_job(&w->job, w->channel->run, o->tables, f);
    finding_take_decisions(w, v->arena, &f->decisions, &f->decision_count);
    if (!worker_failure(w, &f->failure) || f->failure.run != w->channel->run)
        memset(&f->failure, 0, sizeof(f->failure));
    if (f->failure.site >= o->tables->site_count)
        f->failure.site = 0;
    f->class = class;
    f->error = "";
    if (!finding_execute(f, o->base.program, true, 0, o->tables, v->arena,
                         &again, &why) ||
        !finding_came_again(f, &again)) {
        LOG(VERIFY, "an execution on %s does not come again: %s", m->name,
            *why.text ? why.text : "its decisions lead elsewhere");
        return true;
    }
    take_replay(s, &again);
    if (m != &model_sc)
        finding_explain(f, &s->trace, VERIFY_CYCLE_LENGTH);
    *shown = s;
    return true;
}

/* ---- The list ---- */

static size_t model_number(const struct model *m)
{
    size_t i = 0;

    while (model_all[i] != m)
        i++;
    return i;
}

bool shown_has_failure(const struct verify *v, const struct model *m,
                       const struct channel_failure *f)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (v->r->shown[i]->failed &&
            model_number(v->r->shown[i]->model) <= model_number(m) &&
            finding_same_sort(&v->r->shown[i]->finding.failure, f))
            return true;
    }
    return false;
}

void shown_put(struct verify *v, struct verify_shown *shown)
{
    struct verify_result *r = v->r;

    if (r->shown_count == v->shown_room) {
        size_t room = v->shown_room ? v->shown_room * 2 : 16;
        struct verify_shown **more =
            arena_array(v->arena, room, sizeof(struct verify_shown *));

        if (r->shown_count)
            memcpy(more, r->shown, r->shown_count * sizeof(*more));
        r->shown = more;
        v->shown_room = room;
    }
    r->shown[r->shown_count++] = shown;
}

bool shown_add(struct verify *v, struct verify_shown *shown, struct err *e)
{
    shown_put(v, shown);
    LOG(VERIFY, "%s on %s: %s", shown->finding.class, shown->model->name,
        shown->failed ? shown->finding.failure.message : "no failure");
    return store_save_shown(v, v->r->shown_count - 1, e);
}

struct verify_shown *shown_find(const struct verify *v, const struct model *m,
                                const char *class)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        struct verify_shown *s = v->r->shown[i];

        if (s->model == m && strcmp(s->finding.class, class) == 0)
            return s;
    }
    return NULL;
}

/* ---- Which of them are told ---- */

static bool is_benign(const struct verify_shown *s)
{
    return strcmp(s->finding.class, "benign") == 0;
}

/* Were the same accesses swapped in both? */
static bool same_swaps(const struct verify_shown *x,
                       const struct verify_shown *y)
{
    const struct finding_cycle *a = &x->finding.cycle, *b = &y->finding.cycle;

    if (a->length != b->length || a->reordered != b->reordered)
        return false;
    for (uint32_t i = 0; i < a->length; i++) {
        if (x->trace.events[a->events[i]].site !=
            y->trace.events[b->events[i]].site)
            return false;
    }
    return true;
}

static bool is_harmful(const struct verify_shown *s)
{
    return strcmp(s->finding.class, "harmful") == 0;
}

/* A finding is told under the strongest model that shows it.  A benign one says
 * nothing where its model, or a stronger one, is broken. */
static bool tells_of(const struct verify_shown *other,
                     const struct verify_shown *s)
{
    if (other == s || model_number(other->model) > model_number(s->model))
        return false;
    if (is_harmful(other) && is_benign(s))
        return true;
    if (other->model == s->model)
        return false;
    if (is_benign(other) && is_benign(s))
        return same_swaps(other, s);
    return is_harmful(other) && is_harmful(s) &&
           finding_same_sort(&other->finding.failure, &s->finding.failure);
}

/* What fails on SC in the same way is not a weaker model's fault. */
static void acquit(const struct verify *v, struct verify_shown *s)
{
    for (size_t i = 0; is_harmful(s) && i < v->r->shown_count; i++) {
        const struct verify_shown *other = v->r->shown[i];

        if (other->model == &model_sc && other->failed &&
            finding_same_sort(&other->finding.failure, &s->finding.failure))
            s->finding.class = "benign";
    }
}

static bool is_told_elsewhere(const struct verify *v,
                              const struct verify_shown *s)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (tells_of(v->r->shown[i], s))
            return true;
    }
    return false;
}

static int weight(const struct verify_shown *s)
{
    return is_harmful(s) ? 0 : is_benign(s) ? 2 : 1;
}

static int by_weight(const void *x, const void *y)
{
    const struct verify_shown *a = *(struct verify_shown *const *)x;
    const struct verify_shown *b = *(struct verify_shown *const *)y;
    size_t am = model_number(a->model), bm = model_number(b->model);

    if (weight(a) != weight(b))
        return weight(a) - weight(b);
    if (a->failed != b->failed)
        return a->failed ? -1 : 1;
    return (am > bm) - (am < bm);
}

void shown_settle(struct verify *v)
{
    struct verify_result *r = v->r;
    struct verify_shown **kept =
        arena_array(v->arena, r->shown_count + 1, sizeof(*kept));
    size_t n = 0;

    for (size_t i = 0; i < r->shown_count; i++)
        acquit(v, r->shown[i]);
    for (size_t i = 0; i < r->shown_count; i++) {
        if (!is_told_elsewhere(v, r->shown[i]))
            kept[n++] = r->shown[i];
    }
    if (n)
        qsort(kept, n, sizeof(struct verify_shown *), by_weight);
    r->shown = kept;
    r->shown_count = n;
}
