/* SPDX-License-Identifier: MIT
 *
 * A search that was cut is lost in one corner of the tree: all of it may be
 * rounds of one loop.  Before it is said that nothing is known of SC, some
 * executions are drawn by chance, for what fails in any corner they find soon.
 */
#include "base/log.h"
#include "verify/verify_inside.h"

#define CHANCE_RUNS 500
#define CHANCE_EVENTS 20000 /* of one execution; longer ones are cut */
#define CHANCE_MS 2000
#define CHANCE_LATE_MS 400 /* when there is no time left */

static struct job random_job(const struct verify_options *o)
{
    struct job j = steps_job(o, &model_sc);

    j.flags &= ~(uint32_t)CHANNEL_LOG;
    j.flags |= CHANNEL_RECORD;
    j.strategy = STRATEGY_RANDOM;
    j.count = CHANCE_RUNS;
    if (!j.max_events || j.max_events > CHANCE_EVENTS)
        j.max_events = CHANCE_EVENTS;
    return j;
}

static bool is_found(const struct worker *w)
{
    struct channel_failure f;

    return w->end != WORKER_STOPPED && w->end != WORKER_BAD &&
           worker_failure(w, &f) && f.kind != FAIL_UNSUPPORTED;
}

bool chance_try_sc(struct verify *v, struct err *e)
{
    struct job j = random_job(v->o);
    uint64_t ms = v->r->stop.why ? CHANCE_LATE_MS : CHANCE_MS;
    struct shown *shown = NULL;
    struct worker w;

    if (!worker_run(&w, &j, worker_now_ms() + ms, e))
        return false;
    if (is_found(&w))
        shown = shown_of(v, &w, class_of_failure(&model_sc));
    LOG(VERIFY, "sc: by chance %s", shown ? "one fails" : "none fails");
    worker_free(&w);
    return !shown || shown_add(v, shown, e);
}
