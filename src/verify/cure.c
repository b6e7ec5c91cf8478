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

/* Of one exploration: one by one, and as graphs. */
#define EXECUTIONS 20000
#define GRAPHS 2000000

/* The worker's last execution again, with the fences that were there. */
static bool replay(struct verify *v, const struct worker *w, struct shown *s,
                   struct arena *a, struct replayed *again, struct err *e)
{
    struct finding *f = &s->finding;
    struct worker other;
    struct job j;

    finding_again(w, v->o->tables, a, f, &j);
    if (!worker_run(&other, &j, v->o->until_ms, e))
        return false;
    finding_results(&other, f, v->o->tables, a, again);
    s->trace = again->trace;
    worker_free(&other);
    return true;
}

static bool add_fence(struct shown *s, struct channel_fence fence)
{
    for (size_t i = 0; i < s->fence_count; i++) {
        if (s->fences[i].site == fence.site && s->fences[i].bits == fence.bits)
            return false;
    }
    if (s->fence_count == CHANNEL_FENCES_MAX)
        return false;
    s->fences[s->fence_count++] = fence;
    return true;
}

/* Fences where the worker's last execution swapped accesses.  *more: there are
 * some that were not there. */
static bool add_fences(struct verify *v, const struct worker *w,
                       struct shown *to, bool *more, struct err *e)
{
    struct arena scratch = ARENA_INIT;
    struct shown s = {.class = CLASS_NONE};
    struct replayed again;
    bool ok = replay(v, w, &s, &scratch, &again, e);

    *more = false;
    if (ok && again.traced && !again.misfit &&
        shown_explain(&s, VERIFY_CYCLE_LENGTH)) {
        for (size_t i = 0; i < s.fence_count; i++)
            *more = add_fence(to, s.fences[i]) || *more;
    }
    arena_free(&scratch);
    return ok;
}

/* ---- As graphs ---- */

/* One exploration with the fences.  *more: some that were not there are. */
static bool try_fences(struct verify *v, struct shown *s, bool *more,
                       struct err *e)
{
    struct counts counts = {.executions = 0};
    struct tally outcomes = {0};
    struct search search = {.v = v,
                            .model = s->finding.model,
                            .counts = &counts,
                            .outcomes = &outcomes,
                            .most = GRAPHS,
                            .fences = s->fences,
                            .fence_count = s->fence_count};
    bool done;

    *more = false;
    if (!graphs_run(&search, &done, e))
        return false;
    s->cured = s->proved = done && !search.last && search_is_complete(&counts);
    LOG(VERIFY, "%s with %zu fences: %llu executions, %s",
        s->finding.model->name, s->fence_count,
        (unsigned long long)counts.executions,
        search.last ? "one fails"
        : s->proved ? "none fails"
                    : "not all");
    for (size_t i = 0; search.last && i < search.last->fence_count; i++)
        *more = add_fence(s, search.last->fences[i]) || *more;
    return true;
}

static bool cure_by_graphs(struct verify *v, struct shown *s, struct err *e)
{
    bool more = s->fence_count > 0;

    while (more && !stop_now(&v->r->stop)) {
        if (!try_fences(v, s, &more, e))
            return false;
    }
    return true;
}

/* ---- Execution by execution ---- */

static bool cure(struct verify *v, struct shown *s, struct err *e)
{
    bool more = s->fence_count > 0, ok = true;

    while (ok && more && !stop_now(&v->r->stop)) {
        struct piece p = {.model = s->finding.model,
                          .count = EXECUTIONS,
                          .to_failure = true,
                          .fences = s->fences,
                          .fence_count = s->fence_count};
        struct worker w;

        if (!search_piece(v, &p, &w, e))
            return false;
        more = w.channel->failed;
        s->cured = s->proved = !more && w.channel->exhausted;
        LOG(VERIFY, "%s with %zu fences: %llu executions, %s",
            s->finding.model->name, s->fence_count,
            (unsigned long long)w.channel->done,
            more        ? "one fails"
            : s->proved ? "none fails"
                        : "not all");
        if (more)
            ok = add_fences(v, &w, s, &more, e);
        worker_free(&w);
    }
    return ok;
}

static bool cure_one(struct verify *v, struct shown *s, struct err *e)
{
    if (!shown_failed(s) || s->class != CLASS_HARMFUL ||
        s->finding.model->by_axioms)
        return true;
    if (graphs_can_run(v))
        return cure_by_graphs(v, s, e);
    return !model_has_machine(s->finding.model) || cure(v, s, e);
}

/* What C11 does not keep in order tells less about the cure than what a machine
 * has swapped: there only what was proved is named. */
bool cure_all(struct verify *v, struct err *e)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        struct shown *s = v->r->shown[i];

        if (!cure_one(v, s, e))
            return false;
        if (!model_has_machine(s->finding.model) && !s->proved)
            s->fence_count = 0;
    }
    return true;
}
