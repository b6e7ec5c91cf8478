/* SPDX-License-Identifier: MIT
 *
 * As draw_graphs.h says.
 */
#include "cmd/draw_graphs.h"

#include "cmd/sample_graphs.h"
#include "verify/verify.h"

struct drawing {
    const struct draw_graphs *all;
    const struct model *mapping;
    struct job job;
};

/* Its axioms judge it. */
static bool take_found(void *context, const struct worker *w, struct err *e)
{
    const struct drawing *d = context;
    struct call *call = d->all->call;
    const struct verify_options o = {.base = d->job,
                                     .tables = &call->target.tables,
                                     .until_ms = call->until_ms};
    struct shown *s = verify_tell_found(&o, d->mapping, w, &call->arena);

    (void)e;
    if (!s) {
        lines_add(&call->limits,
                  "an execution on %s failed, but is not reported: the model "
                  "does not allow it",
                  d->all->model->words);
        return true;
    }
    s->fence_count = 0;
    d->all->found(d->all->context, s);
    return true;
}

static bool draw_mapping(const struct draw_graphs *d,
                         const struct model *mapping, size_t share,
                         struct sample *sum, struct err *e)
{
    struct call *call = d->call;
    struct drawing drawing = {d, mapping,
                              target_job(call->options, &call->target)};
    struct sample_graphs g = {.base = &drawing.job,
                              .first = d->first / share,
                              .runs = d->runs / share,
                              .keep_going = true,
                              .until_ms = worker_now_ms() + d->ms / share,
                              .arena = &call->arena,
                              .found = take_found,
                              .context = &drawing};
    struct sample s;

    drawing.job.model = mapping->name;
    drawing.job.strategy = STRATEGY_MIXED;
    if (call->until_ms && call->until_ms < g.until_ms)
        g.until_ms = call->until_ms;
    if (!sample_graphs(&g, &s, e))
        return false;
    if (s.end == SAMPLE_STOPPED) { /* as it was meant to */
        s.end = SAMPLE_DONE;
        s.why = NULL;
    }
    sample_add(sum, &s, &call->arena);
    return true;
}

bool draw_graphs(const struct draw_graphs *d, struct sample *sum, struct err *e)
{
    const struct options *o = d->call->options;
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = model_mappings(d->model, (unsigned)o->arm, o->rcpc, list);

    *sum = (struct sample){.end = SAMPLE_DONE};
    for (size_t i = 0; i < count && sum->end == SAMPLE_DONE; i++)
        if (!draw_mapping(d, list[i], count, sum, e))
            return false;
    return true;
}
