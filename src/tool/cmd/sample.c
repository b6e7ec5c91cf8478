/* SPDX-License-Identifier: MIT
 *
 * The executions 0..runs-1 are cut into as many ranges as there are workers.
 * A worker that dies is replaced, after the execution that killed it.
 *
 * Without --keep-going the answer is that of the earliest failing execution:
 * ranges after a failure are dropped, those before it run to their end.  So
 * the counts are the same for any number of workers.
 *
 * `every` is one search, which cannot be cut into ranges: one worker.
 */
#include "cmd/sample.h"

#include <inttypes.h>

#include "model/model.h"
#include "session/progress.h"
#include "worker/pool.h"
#include "worker/stop.h"

struct range {
    struct sampling *all;
    uint64_t next, end;
    struct task task;
    bool finished;
    struct sample sum; /* of its workers so far; outcomes unsorted */
};

struct sampling {
    const struct job *base;
    struct range *ranges;
    unsigned count;
    bool keep_going;
    struct stop stop;
    struct pool pool;
    struct arena *arena;
};

/* ---- The end of a worker ---- */

static void note_failure(struct range *r, const struct channel_failure *f)
{
    if (!r->sum.first.kind)
        r->sum.first = *f;
    r->sum.last = *f;
}

/* The process ended by itself in the middle of an execution, or was ended for
 * making no progress: that execution failed, the next one follows. */
static void take_death(struct range *r)
{
    const struct worker *w = &r->task.worker;
    struct channel_failure f;

    if (!worker_failure(w, &f))
        return;
    note_failure(r, &f);
    r->sum.counts.by_kind[f.kind]++;
    r->sum.counts.executions++;
    r->sum.counts.failed++;
    r->next = w->channel->run + 1;
}

static void take_done(struct range *r)
{
    const struct worker *w = &r->task.worker;
    struct channel_failure f;

    r->next = r->end;
    if (!worker_failure(w, &f))
        return;
    note_failure(r, &f);
    if (!(w->job.flags & CHANNEL_KEEP_GOING))
        r->next = f.run + 1;
}

static void take_bad(struct range *r)
{
    struct buf why = {0};

    worker_complaint(&r->task.worker, &why);
    r->sum.end = SAMPLE_BAD;
    r->sum.why = arena_copy_n(r->all->arena, why.bytes, why.count);
    r->finished = true;
    buf_free(&why);
}

/* A range never goes back, whatever a damaged channel says. */
static void move_on(struct range *r, uint64_t before)
{
    if (r->next <= before || r->next > r->end)
        r->next = r->end;
    if (r->sum.last.kind == FAIL_UNSUPPORTED) {
        r->sum.end = SAMPLE_UNSUPPORTED;
        r->finished = true;
    }
    r->finished = r->finished || r->next >= r->end ||
                  (r->sum.first.kind && !r->all->keep_going);
}

static bool take_end(struct task *t, struct err *e)
{
    struct range *r = t->owner;
    uint64_t before = r->next;

    (void)e;
    counts_take(&r->sum.counts, &t->worker, &r->sum.outcomes, r->all->arena);
    switch (t->worker.end) {
    case WORKER_DONE:
        take_done(r);
        move_on(r, before);
        break;
    case WORKER_DIED:
    case WORKER_HUNG:
        take_death(r);
        move_on(r, before);
        break;
    case WORKER_BAD:
        take_bad(r);
        break;
    case WORKER_STOPPED: /* stop_all says why */
    case WORKER_RUNS:
        break;
    }
    return true;
}

/* ---- All ranges ---- */

static bool start(struct sampling *s, struct range *r, struct err *e)
{
    struct job j = *s->base;

    j.first = r->next;
    j.count = r->end - r->next;
    /* With KEEP_GOING the channel keeps the last failure only, so the first is
     * looked for without. */
    if (s->keep_going && r->sum.first.kind)
        j.flags |= CHANNEL_KEEP_GOING;
    return pool_start(&s->pool, &r->task, &j, e);
}

/* The ranges up to and with the first that has the answer. */
static unsigned that_count(const struct sampling *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct range *r = &s->ranges[i];

        if (!r->finished)
            continue;
        if (r->sum.end == SAMPLE_BAD || r->sum.end == SAMPLE_UNSUPPORTED ||
            (r->sum.first.kind && !s->keep_going))
            return i + 1;
    }
    return s->count;
}

static void end_range(struct sampling *s, struct range *r)
{
    bool ran = r->task.running;

    pool_stop(&s->pool, &r->task);
    if (ran)
        pool_release(&s->pool, &r->task.worker);
    r->finished = true;
}

static void drop_later(struct sampling *s)
{
    for (unsigned i = that_count(s); i < s->count; i++)
        end_range(s, &s->ranges[i]);
}

static void stop_all(struct sampling *s, struct err *e)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct range *r = &s->ranges[i];

        if (r->task.running) {
            worker_stop(&r->task.worker);
            take_end(&r->task, e);
        }
        if (!r->finished) {
            r->sum.end = SAMPLE_STOPPED;
            r->sum.why = s->stop.why;
        }
        end_range(s, r);
    }
}

static void tell_progress(const struct sampling *s)
{
    const struct model *m = model_find(s->base->model);
    uint64_t done = 0, failed = 0, asked = s->ranges[s->count - 1].end;

    if (!m || !progress_begin(m->words))
        return;
    for (unsigned i = 0; i < s->count; i++) {
        const struct range *r = &s->ranges[i];

        done += r->sum.counts.executions;
        failed += r->sum.counts.failed;
        if (r->task.running)
            done +=
                ((volatile const struct channel *)r->task.worker.channel)->done;
    }
    progress_put(": %" PRIu64 " of %" PRIu64 " executions", done, asked);
    progress_put_rate(done);
    if (failed)
        progress_put(", %" PRIu64 " failed", failed);
    progress_put_left((double)done / (double)asked);
    progress_flush();
}

/* One round: start what can start, wait, take what ended. */
static bool take_turn(struct sampling *s, struct err *e)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct range *r = &s->ranges[i];

        if (!r->finished && !r->task.running && !start(s, r, e))
            return false;
    }
    if (!pool_wait(&s->pool, progress_next_ms(s->stop.until_ms), e))
        return false;
    tell_progress(s);
    drop_later(s);
    if (s->pool.running && stop_now(&s->stop))
        stop_all(s, e);
    return true;
}

static bool is_finished(const struct sampling *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        if (!s->ranges[i].finished)
            return false;
    }
    return true;
}

/* ---- The sum ---- */

static void add_range(struct sample *s, const struct range *r, struct arena *a)
{
    counts_add(&s->counts, &r->sum.counts);
    if (r->sum.first.kind && !s->first.kind)
        s->first = r->sum.first;
    if (r->sum.last.kind)
        s->last = r->sum.last;
    if (s->end == SAMPLE_DONE) {
        s->end = r->sum.end;
        s->why = r->sum.why;
    }
    for (size_t i = 0; i < r->sum.outcomes.count; i++) {
        const struct tally_entry *o = &r->sum.outcomes.list[i];

        tally_add(&s->outcomes, o->text, o->count, a);
    }
}

/* An execution that we could not run to its end says nothing about the
 * program. */
static void forget_unsupported(struct counts *n)
{
    uint64_t lost = n->by_kind[FAIL_UNSUPPORTED];

    if (lost > n->failed)
        lost = n->failed;
    n->failed -= lost;
    n->executions -= lost;
    n->complete -= lost < n->complete ? lost : n->complete;
}

static void add_up(const struct sampling *all, struct sample *s)
{
    unsigned n = that_count(all);

    for (unsigned i = 0; i < n; i++)
        add_range(s, &all->ranges[i], all->arena);
    tally_sort(&s->outcomes);
    forget_unsupported(&s->counts);
}

static void cut_ranges(struct sampling *s, uint64_t runs)
{
    unsigned n = s->count;

    for (unsigned i = 0; i < n; i++) {
        struct range *r = &s->ranges[i];

        r->all = s;
        r->task.owner = r;
        r->task.ended = take_end;
        r->next = runs / n * i + runs % n * i / n;
        r->end = runs / n * (i + 1) + runs % n * (i + 1) / n;
    }
}

bool sample_run(const struct job *base, uint64_t runs, unsigned jobs,
                bool keep_going, uint64_t until_ms, struct arena *a,
                struct sample *s, struct err *e)
{
    uint64_t start_ms = worker_now_ms();
    bool ok = true;

    if (jobs > runs)
        jobs = (unsigned)runs;
    if (base->strategy == STRATEGY_EVERY)
        jobs = 1;

    struct sampling all = {.base = base,
                           .ranges = arena_array(a, jobs, sizeof(struct range)),
                           .count = jobs,
                           .keep_going = keep_going,
                           .stop = {.until_ms = until_ms},
                           .arena = a};

    *s = (struct sample){.end = SAMPLE_DONE, .asked = runs};
    cut_ranges(&all, runs);
    while (ok && !is_finished(&all))
        ok = take_turn(&all, e);
    pool_dismiss(&all.pool);
    if (ok)
        add_up(&all, s);
    s->counts.seconds = (double)(worker_now_ms() - start_ms) / 1000;
    return ok;
}
