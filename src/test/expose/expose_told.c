/* SPDX-License-Identifier: MIT
 *
 * Models without a machine: ARM, RISC-V, C11.  Their executions are graphs,
 * which the program writes down as traces (runtime/native_tell.c); those that
 * SC does not have are looked at for cycles here.  None of them is run again:
 * each has to be one that the model's axioms allow.
 *
 * Of a small program all are had, so that every cycle is decided.  Of others
 * some are drawn, and then for each cycle that is still open some that are
 * drawn to close it (graph/graph_goal.c).
 */
#include <string.h>

#include "base/log.h"
#include "expose/expose_inside.h"
#include "finding/gate.h"

#define ENUMERATE_PART 20 /* of the time: few executions take less */
#define DRAWN 2000        /* executions that no cycle is wanted of */
#define DRAWN_TOLD 256    /* those of them to look at */
#define GOAL_TOLD 4       /* of one cycle */
#define GOAL_MS 100       /* a cycle may take that, be there ever so many */

struct told {
    struct expose *x;
    size_t model;
    const struct model *mapping; /* of that model */
    bool cut;                    /* some execution was not looked at */
    bool differ;                 /* other mappings keep other pairs in order */
    bool is_last;                /* of the mappings */
};

/* ---- Executions that were told ---- */

static bool take_nth(const struct told *k, const struct worker *w, size_t n,
                     struct shown *s)
{
    struct finding *f = &s->finding;
    struct err why;

    *s = (struct shown){.class = CLASS_NONE};
    finding_of_job(&w->job, n, k->x->o->tables, f);
    f->binary = "";
    f->binary_size = f->binary_hash = 0;
    f->strategy = "graph";
    f->model = k->x->o->models[k->model];
    if (!trace_from_channel_nth(w->channel, n, k->x->o->tables, &s->arena,
                                &s->trace, &why)) {
        LOG(EXPOSE, "%s: %s", k->mapping->name, why.text);
        arena_free(&s->arena);
        return false;
    }
    s->trace.program = f->program;
    s->trace.strategy = f->strategy;
    s->trace.flags = f->flags;
    if (s->trace.failure.site >= s->trace.site_count)
        s->trace.failure.site = 0;
    f->failure = s->trace.failure;
    f->outcome = finding_observed(w->channel, n);
    return true;
}

/* Most executions of a program say what others said: of these nobody asks
 * whether they are allowed. */
static bool judge(struct told *k, struct shown *s, struct err *e)
{
    struct expose *x = k->x;
    struct err why;
    bool racy = false;

    if (!doubt_failure(x, s, e))
        return false;
    if (!judge_is_news(x, k->model, s, judge_harm(x, s)))
        return true;
    if (!x->o->allows(k->mapping, &s->trace, &racy, &why)) {
        LOG(EXPOSE, "an execution on %s is none: %s", k->mapping->name,
            why.text);
        k->cut = true;
        return true;
    }
    if (racy)
        judge_racy(x, k->model, s);
    else if (!judge_cycles(x, k->model, s, judge_harm(x, s)))
        k->cut = true;
    return true;
}

static bool look_at_all(struct told *k, const struct worker *w, struct err *e)
{
    uint64_t count = w->channel->execution_count;
    bool ok = true;

    for (size_t i = 0; ok && i < count && !stop_now(&k->x->r->stop); i++) {
        struct shown s;

        if (share_of_model_is_over(k->x)) {
            k->cut = true;
            break;
        }
        if (!take_nth(k, w, i, &s)) {
            k->cut = true;
            continue;
        }
        ok = judge(k, &s, e) && batch_poll(k->x, i, e);
        arena_free(&s.arena);
        trace_forget_nth(w->channel, i);
    }
    judge_suspects(k->x);
    return ok;
}

/* ---- Jobs ---- */

static void note_refusal(struct told *k, const struct worker *w)
{
    const char **to = &k->x->r->models[k->model].refused;

    if (*w->channel->graph.refused && !*to)
        *to = arena_copy(k->x->arena, w->channel->graph.refused);
}

/* The worker has done that job. */
static bool take(struct told *k, struct worker *w, bool *done, struct err *e)
{
    struct expose *x = k->x;
    bool ok;

    note_refusal(k, w);
    *done = w->end == WORKER_DONE && !w->channel->graph.lost &&
            !*w->channel->graph.refused;
    k->differ = k->differ || w->channel->graph.mappings_differ;
    if (*done)
        counts_take(&x->r->models[k->model].counts, w, NULL, x->arena);
    if (*done && w->job.strategy == STRATEGY_GRAPH)
        *done = w->channel->exhausted && !w->channel->cut &&
                !w->channel->full && !w->channel->graph.unprotected;
    ok = batch_fill(x, e) && look_at_all(k, w, e);
    pool_release(&x->pool, w);
    return ok;
}

static bool run(struct told *k, struct told_job *j, bool *done, struct err *e)
{
    struct worker w;

    return told_ahead_run(k->x, j, &w, e) && take(k, &w, done, e);
}

uint64_t told_share_ms(const struct expose *x, size_t cycle)
{
    return cycle == TOLD_ALL ? x->o->time_ms / ENUMERATE_PART : GOAL_MS;
}

/* ---- All executions ---- */

void told_job_all(const struct expose *x, size_t model,
                  const struct model *mapping, struct told_job *j)
{
    *j = (struct told_job){
        .model = model, .cycle = TOLD_ALL, .mapping = mapping};
    every_begin(&j->every, &x->o->base, mapping, EVERY_TOLD, 0);
    j->job = every_job(&j->every, x->o->enumerate);
}

static bool can_be_all(const struct expose *x, const struct model *mapping)
{
    return x->o->enumerate && x->r->sc_complete &&
           !every_is_of_machines(&x->o->base, mapping);
}

/* Every execution.  *all: there is none that was not looked at. */
static bool enumerate(struct told *k, bool *all, struct err *e)
{
    struct expose *x = k->x;
    struct told_job j;
    bool ok;

    *all = false;
    if (!can_be_all(x, k->mapping))
        return true;
    told_job_all(x, k->model, k->mapping, &j);
    share_begin(x, told_share_ms(x, TOLD_ALL));
    ok = run(k, &j, all, e);
    share_end(x);
    *all = *all && !k->cut;
    LOG(EXPOSE, "%s: %s its executions", k->mapping->name,
        *all ? "all of" : "not all of");
    return ok;
}

/* ---- Some by chance ---- */

static void job_of_draws(const struct expose *x, const struct model *mapping,
                         uint64_t seed, uint64_t count, uint32_t told,
                         struct told_job *j)
{
    j->mapping = mapping;
    j->orders = (struct channel_graph){
        .all_known = 1, .tells = told, .keeps_rounds = 1};
    j->job = x->o->base;
    j->job.model = mapping->name;
    j->job.strategy = STRATEGY_MIXED;
    j->job.seed = seed;
    j->job.count = count;
    j->job.graph = &j->orders;
}

static bool draw(struct told *k, uint64_t count, struct err *e)
{
    struct told_job j = {.model = k->model, .cycle = TOLD_ALL};
    struct worker w;
    bool done;

    job_of_draws(k->x, k->mapping, k->x->o->base.seed, count, DRAWN_TOLD, &j);
    return batch_run(k->x, &j.job, &w, e) && take(k, &w, &done, e);
}

/* ---- One cycle after the other ---- */

/* Does each of its threads read what another one wrote?  If it reads that
 * itself, and nothing that came in its place, no execution that grows event by
 * event has the cycle. */
static bool is_of_reads(const struct cycle *c)
{
    for (uint32_t i = 0; i < c->length; i++)
        if (c->nodes[i].pair != GOAL_FIRST &&
            (!c->nodes[i].writes || c->nodes[(i + 1) % c->length].writes))
            return false;
    return true;
}

void told_job_goal(const struct expose *x, size_t model,
                   const struct model *mapping, size_t cycle, uint64_t count,
                   struct told_job *j)
{
    struct job first = search_first_job(x, cycle, model, SEARCH_WHOLE);

    *j = (struct told_job){.model = model, .cycle = cycle};
    if (search_is_unlikely(x, cycle, model) ||
        is_of_reads(&x->known.list[cycle].cycle))
        count = (count + 3) / 4;
    job_of_draws(x, mapping, first.seed, count, GOAL_TOLD, j);
    j->goal = search_goal(x, cycle, model, SEARCH_WHOLE);
    j->job.goal = &j->goal;
}

static bool seek(struct told *k, size_t cycle, uint64_t count, struct err *e)
{
    struct expose *x = k->x;
    const struct counts *sum = &x->r->models[k->model].counts;
    uint64_t before = sum->executions;
    struct told_job j;
    struct verdict *v;
    bool ok, done;

    told_job_goal(x, k->model, k->mapping, cycle, count, &j);
    told_ahead_turn_to(x, k->model, k->mapping, cycle, count);
    share_begin(x, told_share_ms(x, cycle));
    ok = run(k, &j, &done, e);
    share_end(x);
    v = &x->known.list[cycle].verdicts[k->model];
    v->executions += sum->executions - before;
    v->searched = k->is_last && !stop_now(&x->r->stop);
    return ok && (!v->searched || store_verdict(x, cycle, k->model, e));
}

static bool seek_all(struct told *k, uint64_t count, struct err *e)
{
    struct expose *x = k->x;
    bool ok = true;

    for (size_t i = 0; ok && i < x->known.count; i++) {
        if (stop_now(&x->r->stop) || x->r->models[k->model].refused)
            break;
        if (share_of_model_is_over(x)) {
            x->model_cut = true;
            break;
        }
        if (search_is_wanted(x, i, k->model) &&
            !x->known.list[i].verdicts[k->model].confirmed)
            ok = seek(k, i, count, e);
    }
    told_ahead_turn_to(x, k->model, NULL, 0, 0);
    return ok;
}

/* Each mapping has its share, unless those that are drawn at first show that
 * the program has nothing for which they differ. */
static bool search_mappings(struct told *k, const struct model *const *list,
                            size_t count, struct err *e)
{
    struct expose *x = k->x;
    size_t share = count;

    for (size_t i = 0; i < share && !stop_now(&x->r->stop); i++) {
        k->mapping = list[i];
        k->differ = k->differ && i;
        if (!draw(k, DRAWN / count, e))
            return false;
        share = k->differ ? count : 1;
        k->is_last = i + 1 == share;
        if (!seek_all(k, x->o->budget / share, e))
            return false;
    }
    return true;
}

/* ---- The model ---- */

size_t told_mappings(const struct expose *x, const struct model *m,
                     const struct model *list[MODEL_ASKED_MAX])
{
    return model_mappings(m, x->o->arm, x->o->rcpc, list);
}

static bool enumerate_all(struct told *k, const struct model *const *list,
                          size_t count, bool *all, struct err *e)
{
    *all = true;
    for (size_t i = 0; i < count && *all && (!i || k->differ); i++) {
        k->mapping = list[i];
        if (!enumerate(k, all, e))
            return false;
    }
    return *all || store_phase(k->x, k->model, PHASE_ENUMERATED, e);
}

bool told_model(struct expose *x, size_t model, bool *all, struct err *e)
{
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = told_mappings(x, x->o->models[model], list);
    struct told k = {.x = x, .model = model};

    *all = false;
    if (x->r->models[model].phase < PHASE_ENUMERATED &&
        !enumerate_all(&k, list, count, all, e))
        return false;
    return *all || search_mappings(&k, list, count, e);
}

bool told_is_claimed(struct expose *x, struct shown *s)
{
    struct err why = {""};
    bool racy;

    s->finding.binary = "";
    s->finding.binary_size = s->finding.binary_hash = 0;
    if (!x->o->allows(s->finding.model, &s->trace, &racy, &why) ||
        (s->sought.length && !predict_find(&s->trace, &s->sought, &s->witness)))
        return false;
    if (s->sought.length)
        shown_set_cycle(s, &s->sought, &s->witness);
    if (!shown_check(s, &why))
        return false;
    gate_accept_solution(s);
    return true;
}
