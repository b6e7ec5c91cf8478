/* SPDX-License-Identifier: MIT
 *
 * Small programs: every execution on a model, so that every cycle is decided.
 */
#include <string.h>

#include "expose/expose_inside.h"

struct walk {
    struct expose *x;
    size_t model;
    bool cut; /* some execution could not be looked at */
};

/* An execution of a batch as one to show; its decisions come later, if it is
 * shown at all: `run` says which it was. */
static bool expose_nth(const struct walk *k, const struct worker *w, size_t n,
                       struct shown *e)
{
    struct err ignored;

    *e = (struct shown){.finding.model = k->x->o->models[k->model]};
    if (!trace_from_channel_nth(w->channel, n, k->x->o->tables, &e->arena,
                                &e->trace, &ignored)) {
        arena_free(&e->arena);
        return false;
    }
    e->finding.failure = e->trace.failure;
    e->finding.run = e->trace.run;
    e->finding.output = "";
    e->finding.outcome = finding_outcome(w->channel, n);
    return true;
}

static bool look_at_all(struct walk *k, const struct worker *w, struct err *e)
{
    uint64_t count = w->channel->execution_count;

    if (count > CHANNEL_EXECUTIONS_MAX)
        count = CHANNEL_EXECUTIONS_MAX;
    for (size_t i = 0; i < count && !stop_now(&k->x->r->stop); i++) {
        struct shown s;

        if (!expose_nth(k, w, i, &s)) {
            k->cut = true;
            continue;
        }
        if (!judge_cycles(k->x, k->model, &s, judge_harm(k->x, &s)))
            k->cut = true;
        arena_free(&s.arena);
        trace_forget_nth(w->channel, i);
        if (!batch_poll(k->x, i, e))
            return false;
    }
    return true;
}

/* The shown execution again, for its decisions. */
static bool fetch(struct expose *x, const struct every *v, struct cause *c,
                  struct err *e)
{
    struct job j = every_run(v, c->shown->finding.run, 1);
    struct worker w;

    j.flags |= CHANNEL_RECORD;
    if (!batch_run(x, &j, &w, e))
        return false;

    struct shown *whole = expose_again(x, &w, e);

    pool_release(&x->pool, &w);
    if (!whole)
        return batch_was_stopped(x);
    whole->sought = c->shown->sought;
    whole->witness = c->shown->witness;
    whole->error = c->shown->error;
    shown_free(c->shown);
    c->shown = whole;
    return true;
}

static bool fetch_all(struct expose *x, const struct every *v, struct err *e)
{
    for (size_t i = 0; i < x->r->causes.count; i++) {
        struct cause *c = &x->r->causes.list[i];

        if (c->shown && c->shown->finding.model == v->model &&
            !c->shown->finding.decision_count && !fetch(x, v, c, e))
            return false;
    }
    return true;
}

bool enumerate_model(struct expose *x, size_t model, bool *all, struct err *e)
{
    struct walk k = {.x = x, .model = model};
    struct every v;
    struct worker w;
    bool few, ok;

    *all = false; /* until every trace was looked at */
    if (!x->r->sc_complete)
        return true;
    share_begin(x, every_share_ms(x));
    ok = batch_every(x, x->o->models[model], &v, &w, &few, e);
    share_end(x);
    if (ok && few) {
        ok = look_at_all(&k, &w, e);
        judge_suspects(x);
        *all = !k.cut && batch_is_whole(x, &v, &w);
        pool_release(&x->pool, &w);
        ok = ok && fetch_all(x, &v, e);
    }
    every_free(&v);
    return ok;
}
