/* SPDX-License-Identifier: MIT
 *
 * The fences that cure a harmful finding.  They are put where its accesses were
 * swapped, though not into the program (channel.h), and the model is explored
 * again: if some execution still fails, fences where that one swaps are added,
 * until none fails.  For large programs that is not tried to the end.
 */
#include <string.h>

#include "base/log.h"
#include "verify/verify_inside.h"

#define EXECUTIONS 20000 /* of one exploration */

/* The worker's last execution again, with the fences that were there. */
static bool replay(struct verify *v, const struct worker *w, struct finding *f,
                   struct arena *a, struct replayed *again, struct err *e)
{
    struct worker other;
    struct job j = w->job;

    finding_of_job(&w->job, w->channel->run, v->o->tables, f);
    finding_take_decisions(w, a, &f->decisions, &f->decision_count);
    j.strategy = STRATEGY_REPLAY;
    j.flags = (j.flags & FINDING_FLAGS) | CHANNEL_TRACE;
    j.explore = NULL;
    j.first = w->channel->run;
    j.count = 1;
    j.schedule = f->decisions;
    j.schedule_count = f->decision_count;
    if (!worker_run(&other, &j, v->o->until_ms, e))
        return false;
    finding_results(&other, f, v->o->tables, a, again);
    worker_free(&other);
    return true;
}

static bool add_fence(struct finding *f, struct channel_fence fence)
{
    for (size_t i = 0; i < f->fence_count; i++) {
        if (f->fences[i].site == fence.site && f->fences[i].bits == fence.bits)
            return false;
    }
    if (f->fence_count == CHANNEL_FENCES_MAX)
        return false;
    f->fences[f->fence_count++] = fence;
    return true;
}

/* Fences where the worker's last execution swapped accesses.  *more: there are
 * some that were not there. */
static bool add_fences(struct verify *v, const struct worker *w,
                       struct finding *to, bool *more, struct err *e)
{
    struct arena scratch = ARENA_INIT;
    struct replayed again;
    struct finding f;
    bool ok = replay(v, w, &f, &scratch, &again, e);

    *more = false;
    if (ok && again.traced && !again.misfit &&
        finding_explain(&f, &again.trace, VERIFY_CYCLE_LENGTH)) {
        for (size_t i = 0; i < f.fence_count; i++)
            *more = add_fence(to, f.fences[i]) || *more;
    }
    arena_free(&scratch);
    return ok;
}

static bool cure(struct verify *v, struct verify_shown *s, struct err *e)
{
    struct finding *f = &s->finding;
    bool more = f->fence_count > 0, ok = true;

    while (ok && more && !verify_stopped(v)) {
        struct piece p = {.model = s->model,
                          .count = EXECUTIONS,
                          .to_failure = true,
                          .fences = f->fences,
                          .fence_count = f->fence_count};
        struct worker w;

        if (!search_piece(v, &p, &w, e))
            return false;
        more = w.channel->failed;
        f->cured = f->proved = !more && w.channel->exhausted;
        LOG(VERIFY, "%s with %zu fences: %llu executions, %s", s->model->name,
            f->fence_count, (unsigned long long)w.channel->done,
            more        ? "one fails"
            : f->proved ? "none fails"
                        : "not all");
        if (more)
            ok = add_fences(v, &w, f, &more, e);
        worker_free(&w);
    }
    return ok;
}

bool cure_all(struct verify *v, struct err *e)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        struct verify_shown *s = v->r->shown[i];

        if (s->failed && strcmp(s->finding.class, "harmful") == 0 &&
            !cure(v, s, e))
            return false;
    }
    return true;
}
