/* SPDX-License-Identifier: MIT
 *
 * Models without a machine are asked one after the other, and so are their
 * cycles, because what one finds decides what is asked next.  Meanwhile workers
 * that this leaves idle run the next jobs ahead, as ahead.c does it for
 * machines: every execution of the models that are to come, then the searches
 * for the cycles that are open so far.  What a job gives depends on nothing but
 * the job.  One that turns out not to be needed is dropped, and counts nothing.
 */
#include <stdlib.h>

#include "base/check.h"
#include "expose/expose_inside.h"

#define AHEAD_MAX 16

/* A job that runs, or did; struct job points into it. */
struct ahead_job {
    struct told_job j;
    struct task task;
    struct ahead_job *next;
};

struct told_ahead {
    struct ahead_job *list;
    size_t count;
    size_t next_model; /* to have all executions of */
    /* Cycles: those of this model, from that one on. */
    size_t model, next_cycle;
    const struct model *mapping; /* NULL: none is sought */
    uint64_t executions;
};

static struct ahead_job **find_job(struct told_ahead *a,
                                   const struct told_job *j)
{
    struct ahead_job **at = &a->list;

    while (*at && ((*at)->j.model != j->model || (*at)->j.cycle != j->cycle ||
                   (*at)->j.mapping != j->mapping ||
                   (*at)->j.job.count != j->job.count))
        at = &(*at)->next;
    return at;
}

static void drop(struct expose *x, struct ahead_job **at)
{
    struct ahead_job *k = *at;

    *at = k->next;
    x->told_ahead->count--;
    pool_stop(&x->pool, &k->task);
    pool_release(&x->pool, &k->task.worker);
    free(k);
}

/* ---- What may run ahead ---- */

/* Every execution of a model that is to come, by its first mapping. */
static bool next_model(struct expose *x, struct told_job *j)
{
    struct told_ahead *a = x->told_ahead;

    while (x->looks_ahead && a->next_model < x->o->model_count) {
        size_t i = a->next_model++;
        const struct model *list[MODEL_ASKED_MAX];

        if (model_has_machine(x->o->models[i]) ||
            x->r->models[i].phase >= PHASE_ENUMERATED)
            continue;
        told_mappings(x, x->o->models[i], list);
        if (every_is_of_machines(&x->o->base, list[0]))
            continue;
        told_job_all(x, i, list[0], j);
        return true;
    }
    return false;
}

static bool next_cycle(struct expose *x, struct told_job *j)
{
    struct told_ahead *a = x->told_ahead;

    while (a->mapping && a->next_cycle < x->known.count) {
        size_t i = a->next_cycle++;

        if (!search_is_wanted(x, i, a->model) ||
            x->known.list[i].verdicts[a->model].confirmed)
            continue;
        told_job_goal(x, a->model, a->mapping, i, a->executions, j);
        return true;
    }
    return false;
}

/* A job points into what it is part of, so it is made where it stays. */
static bool start_next(struct expose *x, bool *started, struct err *e)
{
    struct told_ahead *a = x->told_ahead;
    struct ahead_job *k = calloc(1, sizeof(*k));

    CHECK(k != NULL);
    *started = next_cycle(x, &k->j) || next_model(x, &k->j);
    if (!*started) {
        free(k);
        return true;
    }
    k->j.job.stay = true;
    if (!pool_start(&x->pool, &k->task, &k->j.job, e)) {
        free(k);
        return false;
    }
    k->next = a->list;
    a->list = k;
    a->count++;
    return true;
}

/* No longer than if somebody waited for it. */
static void stop_long_ones(struct expose *x)
{
    struct ahead_job *k = x->told_ahead->list;

    for (; k && x->o->until_ms; k = k->next)
        if (k->task.running &&
            worker_worked_ms(&k->task.worker) >= told_share_ms(x, k->j.cycle))
            pool_stop(&x->pool, &k->task);
}

bool told_ahead_fill(struct expose *x, struct err *e)
{
    bool ok = true, more = x->told_ahead && x->o->jobs > 1;

    if (more)
        stop_long_ones(x);
    while (ok && more && x->told_ahead->count < AHEAD_MAX &&
           pool_running(&x->pool) < x->o->jobs && !stop_now(&x->r->stop))
        ok = start_next(x, &more, e);
    return ok;
}

/* ---- The way through ---- */

void told_ahead_begin(struct expose *x)
{
    x->told_ahead = calloc(1, sizeof(*x->told_ahead));
    CHECK(x->told_ahead != NULL);
}

/* What is for cycles that are confirmed by now, or that another model or
 * mapping was asked about, is not needed. */
static void drop_cycles(struct expose *x, size_t before)
{
    struct ahead_job **at = &x->told_ahead->list;

    while (*at) {
        if ((*at)->j.cycle < before)
            drop(x, at);
        else
            at = &(*at)->next;
    }
}

void told_ahead_turn_to(struct expose *x, size_t model,
                        const struct model *mapping, size_t cycle,
                        uint64_t count)
{
    struct told_ahead *a = x->told_ahead;

    if (a->model != model || a->mapping != mapping || a->executions != count) {
        drop_cycles(x, TOLD_ALL);
        a->model = model;
        a->mapping = mapping;
        a->executions = count;
        a->next_cycle = cycle;
    }
    drop_cycles(x, cycle);
    if (a->next_cycle <= cycle)
        a->next_cycle = cycle + 1;
}

bool told_ahead_run(struct expose *x, struct told_job *j, struct worker *w,
                    struct err *e)
{
    struct ahead_job **at = find_job(x->told_ahead, j), *k = *at;
    bool ok;

    if (!k)
        return batch_run(x, &j->job, w, e);
    *at = k->next;
    x->told_ahead->count--;
    ok = batch_wait(x, &k->task, w, e);
    w->job = j->job;
    w->job.stay = true;
    free(k);
    return ok;
}

void told_ahead_end(struct expose *x)
{
    while (x->told_ahead->list)
        drop(x, &x->told_ahead->list);
    free(x->told_ahead);
    x->told_ahead = NULL;
}
