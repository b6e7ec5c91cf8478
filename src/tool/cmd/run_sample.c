/* SPDX-License-Identifier: MIT
 *
 * The executions 0..runs-1 are cut into as many ranges as there are workers.
 * A worker that dies is replaced, behind the execution that killed it.
 *
 * Without --keep-going the answer is that of the earliest failing execution:
 * ranges behind a failure are dropped, those before it run to their end.  So
 * the counts are the same for any number of workers.
 *
 * `every` is one search, which cannot be cut into ranges: one worker.
 */
#include "cmd/run_sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct range {
    uint64_t next, end;
    struct worker worker;
    bool running, finished;
    struct sample sum; /* of its workers so far; outcomes unsorted */
};

struct sampling {
    const struct job *base;
    struct range *ranges;
    unsigned count;
    bool keep_going;
    uint64_t until_ms;
    struct arena *arena;
};

/* ---- Counts ---- */

/* A wild store may have hit a count: none is above what was asked for. */
static uint64_t sane(const struct range *r, uint64_t count)
{
    return count < r->worker.job.count ? count : r->worker.job.count;
}

static void take_counts(struct range *r, struct arena *a)
{
    const struct channel *c = r->worker.channel;
    struct sample *s = &r->sum;

    s->executions += sane(r, c->done);
    s->complete += sane(r, c->complete);
    s->failed += sane(r, c->failed);
    s->cut += sane(r, c->cut);
    s->assumed += sane(r, c->assumed);
    s->exhausted = c->exhausted;
    for (int i = 0; i < FAIL_KIND_COUNT; i++)
        s->by_kind[i] += sane(r, c->failures_by_kind[i]);
    for (size_t i = 0; i < 8; i++)
        s->extern_hits[i] |= c->extern_hits[i];
    if (c->by_process && !s->by_process) {
        s->by_process = true;
        s->by_process_why =
            arena_copy_n(a, c->by_process_why,
                         strnlen(c->by_process_why, sizeof(c->by_process_why)));
    }
    s->outcomes_lost += worker_outcomes(&r->worker, &s->outcomes, a);
}

static void note_failure(struct range *r, const struct channel_failure *f)
{
    if (!r->sum.first.kind)
        r->sum.first = *f;
    r->sum.last = *f;
}

/* ---- Workers ---- */

static bool start(struct sampling *s, struct range *r, struct err *e)
{
    struct job j = *s->base;

    j.first = r->next;
    j.count = r->end - r->next;
    /* With KEEP_GOING the channel keeps the last failure only, so the first is
     * looked for without. */
    if (s->keep_going && r->sum.first.kind)
        j.flags |= CHANNEL_KEEP_GOING;
    r->running = worker_start(&r->worker, &j, e);
    return r->running;
}

/* The process ended by itself in the middle of an execution, or was ended for
 * making no progress: that execution failed, the next one follows. */
static void take_death(struct range *r)
{
    struct channel_failure f;

    if (!worker_failure(&r->worker, &f))
        return;
    note_failure(r, &f);
    r->sum.by_kind[f.kind]++;
    r->sum.executions++;
    r->sum.failed++;
    r->next = r->worker.channel->run + 1;
}

static void take_done(struct range *r)
{
    const struct channel *c = r->worker.channel;
    struct channel_failure f;

    if (worker_failure(&r->worker, &f)) {
        note_failure(r, &f);
        if (!(c->flags & CHANNEL_KEEP_GOING)) {
            r->next = f.run + 1;
            return;
        }
    }
    r->next = r->end;
}

static void take_bad(struct sampling *s, struct range *r)
{
    struct buf why = {0};

    worker_complaint(&r->worker, &why);
    r->sum.end = SAMPLE_BAD;
    r->sum.why = arena_copy_n(s->arena, why.bytes, why.count);
    buf_free(&why);
}

/* A range never goes back, whatever a damaged channel says. */
static void move_on(struct sampling *s, struct range *r, uint64_t before)
{
    if (r->next <= before || r->next > r->end)
        r->next = r->end;
    if (r->sum.last.kind == FAIL_UNSUPPORTED) {
        r->sum.end = SAMPLE_UNSUPPORTED;
        r->finished = true;
    }
    r->finished = r->finished || r->next >= r->end ||
                  (r->sum.first.kind && !s->keep_going);
}

static void take_end(struct sampling *s, struct range *r)
{
    uint64_t before = r->next;

    take_counts(r, s->arena);
    switch (r->worker.end) {
    case WORKER_DONE:
        take_done(r);
        move_on(s, r, before);
        break;
    case WORKER_DIED:
    case WORKER_HUNG:
        take_death(r);
        move_on(s, r, before);
        break;
    case WORKER_BAD:
        take_bad(s, r);
        r->finished = true;
        break;
    case WORKER_STOPPED:
    case WORKER_RUNS:
        r->sum.end = worker_interrupted() ? SAMPLE_INTERRUPTED : SAMPLE_TIME;
        r->finished = true;
        break;
    }
    worker_free(&r->worker);
    r->running = false;
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

static void drop_behind(struct sampling *s)
{
    for (unsigned i = that_count(s); i < s->count; i++) {
        struct range *r = &s->ranges[i];

        if (r->running)
            worker_free(&r->worker);
        r->running = false;
        r->finished = true;
    }
}

static void stop_all(struct sampling *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct range *r = &s->ranges[i];

        if (r->running) {
            worker_stop(&r->worker);
            take_end(s, r);
        }
        if (!r->finished)
            r->sum.end =
                worker_interrupted() ? SAMPLE_INTERRUPTED : SAMPLE_TIME;
        r->finished = true;
    }
}

/* One round: start what can start, wait, take what ended.  *more is false when
 * all is finished. */
static bool step(struct sampling *s, bool *more, struct err *e)
{
    struct worker *workers[256];
    size_t n = 0;

    for (unsigned i = 0; i < s->count; i++) {
        struct range *r = &s->ranges[i];

        if (!r->finished && !r->running && !start(s, r, e))
            return false;
        if (r->running)
            workers[n++] = &r->worker;
    }
    *more = n > 0;
    if (n == 0)
        return true;
    if (!worker_wait(workers, n, s->until_ms)) {
        stop_all(s);
        return true;
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (s->ranges[i].running && s->ranges[i].worker.end != WORKER_RUNS)
            take_end(s, &s->ranges[i]);
    }
    drop_behind(s);
    return true;
}

/* ---- The sum ---- */

static void add_range(struct sample *s, const struct range *r, struct arena *a)
{
    s->executions += r->sum.executions;
    s->complete += r->sum.complete;
    s->failed += r->sum.failed;
    s->cut += r->sum.cut;
    s->assumed += r->sum.assumed;
    s->exhausted = r->sum.exhausted;
    s->outcomes_lost += r->sum.outcomes_lost;
    for (int i = 0; i < FAIL_KIND_COUNT; i++)
        s->by_kind[i] += r->sum.by_kind[i];
    for (size_t i = 0; i < 8; i++)
        s->extern_hits[i] |= r->sum.extern_hits[i];
    if (r->sum.by_process && !s->by_process) {
        s->by_process = true;
        s->by_process_why = r->sum.by_process_why;
    }
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
static void forget_unsupported(struct sample *s)
{
    uint64_t n = s->by_kind[FAIL_UNSUPPORTED];

    if (n > s->failed)
        n = s->failed;
    s->failed -= n;
    s->executions -= n;
    s->complete -= n < s->complete ? n : s->complete;
}

static void add_up(const struct sampling *all, struct sample *s)
{
    unsigned n = that_count(all);

    for (unsigned i = 0; i < n; i++)
        add_range(s, &all->ranges[i], all->arena);
    tally_sort(&s->outcomes);
    forget_unsupported(s);
}

bool sample_run(const struct job *base, uint64_t runs, unsigned jobs,
                bool keep_going, uint64_t until_ms, struct arena *a,
                struct sample *s, struct err *e)
{
    uint64_t start_ms = worker_now_ms();
    bool ok = true, more = true;

    if (jobs > runs)
        jobs = (unsigned)runs;
    if (base->strategy == STRATEGY_EVERY)
        jobs = 1;

    struct sampling all = {.base = base,
                           .ranges = arena_array(a, jobs, sizeof(struct range)),
                           .count = jobs,
                           .keep_going = keep_going,
                           .until_ms = until_ms,
                           .arena = a};

    memset(s, 0, sizeof(*s));
    for (unsigned i = 0; i < jobs; i++) {
        all.ranges[i].next = runs / jobs * i + runs % jobs * i / jobs;
        all.ranges[i].end =
            runs / jobs * (i + 1) + runs % jobs * (i + 1) / jobs;
    }
    while (ok && more)
        ok = step(&all, &more, e);
    for (unsigned i = 0; i < jobs; i++) {
        if (all.ranges[i].running)
            worker_free(&all.ranges[i].worker);
    }
    if (ok)
        add_up(&all, s);
    s->seconds = (double)(worker_now_ms() - start_ms) / 1000;
    return ok;
}
