/* SPDX-License-Identifier: MIT
 *
 * The first second: executions by chance on each model, before anything is
 * recorded or predicted.  Most mistakes show in a few hundred of them.  What
 * fails is told as soon as it has passed the gate; whose fault it is comes out
 * later, when the cycles in it have been sought one by one.
 *
 * The executions, and so what is found, depend on the seed alone.  A run that
 * was killed draws them again.
 */
#include "base/log.h"
#include "base/point.h"
#include "expose/expose_inside.h"
#include "session/progress.h"

#define FIRST_MS 1000  /* on each model */
#define FIRST_PART 20  /* of the time, at most */
#define LOOK_PART 10   /* to look at one that fails */
#define FAILURES_MAX 8 /* to look at, on each model */
#define FIRST_FAILURES 2

struct drawing {
    uint32_t strategy;
    uint64_t first, all; /* executions at first, and later */
};

static const struct drawing drawings[DRAWINGS] = {
    {STRATEGY_RANDOM, 1000, 2000},
    {STRATEGY_PCT, 500, 500},
};

static uint64_t first_ms(const struct expose *x)
{
    uint64_t most = x->o->time_ms / FIRST_PART;

    return most < FIRST_MS ? most : FIRST_MS;
}

/* An execution that fails: SC gets its chance to fail likewise. */
static bool look_at(struct expose *x, size_t model, const struct worker *w,
                    struct err *e)
{
    struct share mine = x->share;
    struct shown *found;
    bool ok;

    share_begin(x, x->o->time_ms / LOOK_PART);
    found = expose_again(x, w, e);
    ok = found ? doubt_failure(x, found, e) : batch_was_stopped(x);
    x->share = mine;
    if (!found)
        return ok;
    if (ok && judge_harm(x, found) == HARM_YES) {
        announce(x, found);
        VEC_PUSH(&x->drawn[model].failed, found);
    } else {
        shown_free(found);
    }
    return ok;
}

/* Up to the execution of that number, until so many have failed. */
static bool draw(struct expose *x, size_t model, size_t how, uint64_t end,
                 unsigned most, struct err *e)
{
    struct drawn *d = &x->drawn[model];
    struct job j = x->o->base;

    j.model = x->o->models[model]->name;
    j.strategy = drawings[how].strategy;
    j.flags |= CHANNEL_RECORD;
    while (d->next[how] < end && d->failed.count < most && !d->useless &&
           !batch_was_stopped(x)) {
        struct channel_failure f;
        struct worker w;
        bool failed, ok = true;

        j.first = d->next[how];
        j.count = end - j.first;
        if (!batch_run(x, &j, &w, e))
            return false;
        counts_take(&d->counts, &w, NULL, x->arena);
        failed = w.end != WORKER_HUNG && w.end != WORKER_STOPPED &&
                 worker_failure(&w, &f) && f.run == w.channel->run;
        d->next[how] = failed ? f.run + 1 : end;
        d->useless = !failed && w.end != WORKER_DONE && w.end != WORKER_STOPPED;
        if (failed)
            ok = look_at(x, model, &w, e);
        pool_release(&x->pool, &w);
        if (!ok)
            return false;
    }
    return true;
}

static bool draw_first(struct expose *x, size_t model, struct err *e)
{
    bool ok = true;

    if (x->drawn[model].begun)
        return true;
    x->drawn[model].begun = true;
    share_begin(x, first_ms(x));
    x->share.needs_one = true;
    for (size_t i = 0; ok && i < DRAWINGS; i++)
        ok = draw(x, model, i, drawings[i].first, FIRST_FAILURES, e);
    share_end(x);
    LOG(EXPOSE, "%s: %llu executions by chance, %zu to look at",
        x->o->models[model]->name,
        (unsigned long long)x->drawn[model].counts.executions,
        x->drawn[model].failed.count);
    return ok;
}

/* On SC a failure is one at once. */
static bool draw_sc(struct expose *x, struct err *e)
{
    bool ok = true;

    share_begin(x, first_ms(x));
    for (size_t i = 0; ok && i < DRAWINGS; i++)
        ok = doubt_draw(x, drawings[i].strategy, drawings[i].first, e);
    share_end(x);
    for (size_t i = 0; ok && i < x->r->sc.count; i++)
        announce(x, x->r->sc.list[i]);
    return ok;
}

bool first_look(struct expose *x, struct err *e)
{
    bool ok;

    progress_tell("the first executions on each model");
    ok = draw_sc(x, e);
    for (size_t i = 0; ok && i < x->o->model_count; i++) {
        if (x->o->models[i] != &model_sc &&
            model_has_machine(x->o->models[i]) && !stop_now(&x->r->stop) &&
            !x->r->stop.refused)
            ok = draw_first(x, i, e);
    }
    point_reached("test.drawn");
    return ok;
}

bool draw_all(struct expose *x, size_t model, struct err *e)
{
    struct drawn *d = &x->drawn[model];
    bool ok = draw_first(x, model, e);

    for (size_t i = 0; ok && i < DRAWINGS; i++)
        ok = draw(x, model, i, drawings[i].all, FAILURES_MAX, e);
    counts_add(&x->r->models[model].counts, &d->counts);
    d->counts = (struct counts){0};
    return ok;
}

bool drawn_has_pair(struct expose *x, const struct cycle *c)
{
    for (size_t m = 0; m < x->o->model_count; m++) {
        for (size_t i = 0; i < x->drawn[m].failed.count; i++) {
            if (judge_has_pair(x, x->drawn[m].failed.list[i], c))
                return true;
        }
    }
    return false;
}

void drawn_free(struct expose *x)
{
    for (size_t m = 0; m < x->o->model_count; m++) {
        for (size_t i = 0; i < x->drawn[m].failed.count; i++)
            shown_free(x->drawn[m].failed.list[i]);
        VEC_FREE(&x->drawn[m].failed);
    }
}
