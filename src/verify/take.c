/* SPDX-License-Identifier: MIT
 *
 * What came of a job: counts, failures, reports, races; or the end of its
 * worker.
 */
#include "base/log.h"
#include "verify/crew.h"

#define REPEATS 16 /* failures of one sort, then they are passed by */
#define LOSSES 16  /* of workers, then it is enough */

static void take_counts(struct crew *c, const struct worker *w)
{
    struct counts *n = c->s->counts;

    counts_take(n, w, c->s->outcomes, c->s->v->arena);
    tally_sort(c->s->outcomes);
    if (n->unroll_site >= c->s->v->o->tables->site_count)
        n->unroll_site = 0;
}

static bool take_reports(struct crew *c, const struct worker *w, struct err *e)
{
    struct search *s = c->s;
    double seconds = crew_seconds(c);

    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        uint32_t bit = 1u << i;

        if (!w->channel->explore.reports[i].found || s->known & bit)
            continue;
        if (!(s->counts->reported & bit))
            s->counts->first_report[i] = seconds;
        s->counts->reported |= bit;
        if (!s->reported(s, w, (enum monitor_kind)i, e))
            return false;
    }
    return true;
}

static bool same_race(const struct channel_race *x,
                      const struct channel_race *y)
{
    return x->first == y->first && x->second == y->second;
}

static bool take_races(struct crew *c, const struct worker *w, struct err *e)
{
    struct search *s = c->s;
    struct counts *n = s->counts;
    size_t sites = s->v->o->tables->site_count;
    uint32_t count = w->channel->explore.race_count;

    for (uint32_t i = 0; i < count && i < CHANNEL_RACES_MAX; i++) {
        const struct channel_race *r = &w->channel->explore.races[i];
        uint32_t k = 0;

        while (k < n->race_count && !same_race(&n->races[k], r))
            k++;
        if (k < n->race_count || k == CHANNEL_RACES_MAX || r->first >= sites ||
            r->second >= sites)
            continue;
        n->races[n->race_count++] = *r;
        if (!s->raced(s, w, r, e))
            return false;
    }
    return true;
}

/* A program that does what we cannot run is verified without that path. */
static void take_unsupported(struct crew *c, const struct channel_failure *f)
{
    struct counts *n = c->s->counts;

    n->cuts |= CUT_ENGINE;
    counts_set_text(n->why, f->message);
    c->keep_going = true;
}

/* A worker died in a way that its execution does not explain: it comes to its
 * end when it is run again.  Somebody else killed it, perhaps in the middle of
 * a change to the tree. */
static void take_loss(struct crew *c, const char *how)
{
    struct counts *n = c->s->counts;

    LOG(VERIFY, "%s: a worker was lost: %s", c->s->model->name, how);
    if (c->copy.whole && ++c->losses < LOSSES) {
        c->astray = true;
        return;
    }
    n->cuts |= CUT_ENGINE;
    counts_set_text(n->why, "a worker was lost");
    c->finished = c->finished || c->losses >= LOSSES;
}

static bool take_failure(struct crew *c, const struct worker *w, struct err *e)
{
    struct search *s = c->s;
    struct channel_failure f;

    if (!worker_failure(w, &f))
        return true;
    if (f.kind == FAIL_UNSUPPORTED) {
        take_unsupported(c, &f);
        return true;
    }
    if (f.site >= s->v->o->tables->site_count)
        f.site = 0;
    if (w->job.flags & CHANNEL_KEEP_GOING && w->end == WORKER_DONE)
        return true; /* not its last execution */
    if (shown_has_failure(s->v, s->model, &f)) {
        c->keep_going = c->keep_going || ++c->repeats >= REPEATS;
        return true;
    }
    s->lost = false;
    if (!s->failed(s, w, e))
        return false;
    if (s->lost)
        take_loss(c, f.message);
    return true;
}

static void refuse(struct crew *c, const struct worker *w)
{
    struct verify *v = c->s->v;
    struct buf why = {0};

    worker_complaint(w, &why);
    v->r->stop.refused = arena_copy(v->arena, why.bytes);
    buf_free(&why);
}

/* A job without an execution: nothing is left. */
static void take_emptiness(struct crew *c)
{
    const struct channel *ch = c->task.worker.channel;

    if (ch->done || ch->redundant || c->asked)
        c->empty = 0;
    else if (++c->empty >= 2)
        c->finished = true;
}

static void take_end(struct crew *c)
{
    const struct worker *w = &c->task.worker;

    switch (w->end) {
    case WORKER_DONE:
        c->finished = c->finished || w->channel->exhausted;
        take_emptiness(c);
        return;
    case WORKER_BAD:
        refuse(c, w);
        return;
    case WORKER_HUNG:
        c->finished = true; /* it would hang again */
        return;
    default:
        return;
    }
}

bool crew_take(struct task *t, struct err *e)
{
    struct crew *c = t->owner;
    const struct worker *w = &t->worker;

    take_counts(c, w);
    take_end(c);
    return take_failure(c, w, e) &&
           (!c->s->reported || take_reports(c, w, e)) &&
           (!c->s->raced || take_races(c, w, e));
}
