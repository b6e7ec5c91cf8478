/* SPDX-License-Identifier: MIT
 *
 * Every execution of a program on a machine: one search lists them, then the
 * machine takes their steps, traced.  As soon as it is known that there are few
 * on SC, both are done ahead for the model that is next, while the tool has
 * SC's traces to look at.  What comes of a job depends on nothing that others
 * find.  One that turns out not to be needed is dropped, and counts nothing.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/log.h"
#include "expose/expose_inside.h"

#define ENUMERATE_PART 6 /* of the time */

enum stage { LISTS, RUNS, ENDED };

/* Jobs point into it. */
struct every_ahead {
    enum stage stage;
    struct every every;
    struct counts counts; /* of the list */
    struct task task;     /* until it has ended */
};

static bool start_list(struct expose *x, struct every_ahead *a, struct err *e)
{
    struct job j = every_job(&a->every, x->o->enumerate);

    j.stay = true;
    a->stage = LISTS;
    return pool_start(&x->pool, &a->task, &j, e);
}

static bool begin(struct expose *x, const struct model *m,
                  struct every_ahead **to, struct err *e)
{
    struct every_ahead *a = calloc(1, sizeof(*a));

    CHECK(a != NULL);
    *to = a;
    every_begin(&a->every, &x->o->base, m, EVERY_LIST, 0);
    return start_list(x, a, e);
}

uint64_t every_share_ms(const struct expose *x)
{
    return x->o->time_ms / ENUMERATE_PART;
}

static struct job run_of(const struct every *v)
{
    struct job j = every_run(v, 0, v->list_count);

    j.flags |= CHANNEL_TRACE;
    j.stay = true;
    return j;
}

static bool start_run(struct expose *x, struct every_ahead *a, struct err *e)
{
    struct job j = run_of(&a->every);

    a->stage = RUNS;
    return pool_start(&x->pool, &a->task, &j, e);
}

/* The list is there, or was given up.  Perhaps it is to be made otherwise. */
static bool take_list(struct expose *x, struct every_ahead *a, struct err *e)
{
    struct every *v = &a->every;
    bool again = every_take(v, &a->task.worker, x->arena);

    if (!again)
        counts_take(&a->counts, &a->task.worker, NULL, x->arena);
    pool_release(&x->pool, &a->task.worker);
    if (again && !stop_now(&x->r->stop))
        return start_list(x, a, e);
    LOG(EXPOSE, "%s: %llu executions%s%s", v->model->name,
        (unsigned long long)v->count, v->why_not ? ", not all: " : "",
        v->why_not ? v->why_not : "");
    a->stage = ENDED;
    return v->why_not || !v->count || stop_now(&x->r->stop) ||
           start_run(x, a, e);
}

static void drop(struct expose *x, struct every_ahead *a)
{
    if (a->stage != ENDED) {
        pool_stop(&x->pool, &a->task);
        pool_release(&x->pool, &a->task.worker);
    }
    every_free(&a->every);
    free(a);
}

/* ---- Ahead ---- */

static const struct model *next_model(struct expose *x)
{
    while (x->every_next < x->o->model_count) {
        size_t i = x->every_next++;
        const struct model *m = x->o->models[i];

        if (m != &model_sc && model_has_machine(m) &&
            x->r->models[i].phase < PHASE_ENUMERATED)
            return m;
    }
    return NULL;
}

static bool begin_next(struct expose *x, struct err *e)
{
    const struct model *m = next_model(x);

    return !m || begin(x, m, &x->every_ahead, e);
}

/* No longer than if somebody waited for it. */
static void stop_long_one(struct expose *x, struct every_ahead *a)
{
    if (x->o->until_ms && a->task.running &&
        worker_worked_ms(&a->task.worker) >= every_share_ms(x))
        pool_stop(&x->pool, &a->task);
}

bool every_ahead_fill(struct expose *x, struct err *e)
{
    struct every_ahead *a = x->every_ahead;

    if (stop_now(&x->r->stop))
        return true;
    if (a) {
        stop_long_one(x, a);
        return a->task.running || a->stage != LISTS || take_list(x, a, e);
    }
    if (!x->looks_ahead || pool_running(&x->pool) >= x->o->jobs)
        return true;
    return begin_next(x, e);
}

void every_ahead_end(struct expose *x)
{
    if (x->every_ahead)
        drop(x, x->every_ahead);
    x->every_ahead = NULL;
}

/* ---- When it is that model's turn ---- */

static bool is_begun(const struct expose *x, const struct model *m)
{
    return x->every_ahead && x->every_ahead->every.model == m;
}

static void skip_model(struct expose *x, const struct model *m)
{
    for (size_t i = x->every_next; i < x->o->model_count; i++)
        if (x->o->models[i] == m)
            x->every_next = i + 1;
}

static bool take_or_begin(struct expose *x, const struct model *m,
                          struct every_ahead **a, struct err *e)
{
    if (!is_begun(x, m)) {
        skip_model(x, m);
        return begin(x, m, a, e);
    }
    *a = x->every_ahead;
    x->every_ahead = NULL;
    return true;
}

/* Until the list was taken. */
static bool wait_for_list(struct expose *x, struct every_ahead *a,
                          struct err *e)
{
    struct worker w;

    while (a->stage == LISTS)
        if (!batch_wait(x, &a->task, &w, e) || !take_list(x, a, e))
            return false;
    return true;
}

/* Its jobs are done; what they point to moves to *v. */
static void hand_over(struct every_ahead *a, struct every *v, struct worker *w)
{
    *v = a->every;
    if (a->stage == RUNS)
        w->job = run_of(v);
    free(a);
}

bool batch_every(struct expose *x, const struct model *m, struct every *v,
                 struct worker *w, bool *few, struct err *e)
{
    struct every_ahead *a = NULL;
    bool ok;

    *few = false;
    every_begin(v, &x->o->base, m, EVERY_LIST, 0);
    if (!x->o->enumerate)
        return true;
    ok = take_or_begin(x, m, &a, e) && wait_for_list(x, a, e);
    if (ok) {
        batch_add_counts(x, m, &a->counts);
        *few = a->stage == RUNS;
        x->looks_ahead = x->looks_ahead || *few;
        ok = !*few || batch_wait(x, &a->task, w, e);
    }
    hand_over(a, v, w);
    return ok;
}

bool batch_is_whole(struct expose *x, const struct every *v,
                    const struct worker *w)
{
    bool whole = every_was_run(v, w);

    if (!whole)
        LOG(EXPOSE, "%s: not all of %llu executions could be run",
            v->model->name, (unsigned long long)v->count);
    return whole && !stop_now(&x->r->stop);
}
