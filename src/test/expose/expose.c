/* SPDX-License-Identifier: MIT
 *
 * From the program to the verdicts, in order.
 */
#include "expose/expose.h"

#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "base/seconds.h"
#include "expose/expose_inside.h"
#include "session/progress.h"

/* ---- Before the models ---- */

static void take_predicted(struct expose *x)
{
    const struct cycle *cycles;
    size_t count;

    /* The most suspicious first: those of which something was swapped in an
     * execution that failed.  The others stay in their order. */
    cycles = predict_cycles(x->predict, &count);
    for (size_t i = 0; i < count; i++) {
        if (drawn_has_pair(x, &cycles[i]))
            judge_know(x, &cycles[i]);
    }
    for (size_t i = 0; i < count; i++)
        judge_know(x, &cycles[i]);
    x->r->races = predict_races(x->predict, &x->r->race_count);
    x->r->cut = predict_cut(x->predict);
}

static bool watch_and_predict(struct expose *x, struct err *e)
{
    double begun;
    bool ok;

    x->looks_first = true;
    ok = first_look(x, e);
    x->looks_first = false;
    if (ok && x->o->looked)
        x->o->looked(x->o->context);
    if (!ok)
        return false;
    progress_tell("watching the program on SC");
    if (!record_sc(x, e))
        return false;
    x->watched = !stop_now(&x->r->stop);
    point_reached("test.watched");
    if (stop_now(&x->r->stop))
        return true;
    progress_tell("predicting cycles");
    begun = seconds_worked();
    predict_run(x->predict);
    x->r->predict_seconds = seconds_worked() - begun;
    take_predicted(x);
    point_reached("test.predicted");
    return store_watched(x, e);
}

/* ---- One model ---- */

static void note_done(struct expose *x, size_t model, bool all)
{
    struct expose_model *m = &x->r->models[model];

    judge_rest(x, model, all,
               x->r->stop.why
                   ? x->r->stop.why
                   : arena_printf(x->arena, "search cut after %llu executions",
                                  (unsigned long long)x->o->budget));
    m->done.started = m->counts.executions > 0;
    m->done.exhausted = all;
    m->done.ended = m->counts.complete > 0;
    m->done.cut = m->counts.cut > 0;
    m->done.unfinished = stop_now(&x->r->stop) && !x->r->stop.own_came;
}

/* For now, or for good. */
static bool end_model(struct expose *x, size_t model, uint64_t begun, bool all,
                      struct err *e)
{
    x->r->models[model].counts.seconds +=
        (double)(worker_now_ms() - begun) / 1000;
    if (x->model_cut)
        return true; /* it has another turn */
    note_done(x, model, all);
    point_reached("test.model");
    return store_phase(x, model, PHASE_DONE, e);
}

static bool do_model(struct expose *x, size_t model, struct err *e)
{
    struct expose_model *m = &x->r->models[model];
    uint64_t begun = worker_now_ms();
    bool all = false, ok;

    judge_inherit(x, model);
    if (!model_has_machine(m->model)) {
        ok = told_model(x, model, &all, e);
        return ok && end_model(x, model, begun, all, e);
    }
    ok = m->phase >= PHASE_ENUMERATED || enumerate_model(x, model, &all, e);
    if (ok && m->phase < PHASE_ENUMERATED && !all)
        ok = store_phase(x, model, PHASE_ENUMERATED, e);
    if (ok && !all && !stop_now(&x->r->stop))
        ok = search_model(x, model, e);
    return ok && end_model(x, model, begun, all, e);
}

static bool is_left(const struct expose *x, size_t model)
{
    return x->o->models[model] != &model_sc &&
           x->r->models[model].phase != PHASE_DONE;
}

static size_t count_left(const struct expose *x, size_t from)
{
    size_t n = 0;

    for (size_t i = from; i < x->o->model_count; i++)
        n += is_left(x, i);
    return n;
}

/* First each has its share of the time, then those that it was not enough for
 * have the rest. */
static bool do_models(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->o->model_count; i++) {
        share_of_model(x, count_left(x, i));
        if (is_left(x, i) && !do_model(x, i, e))
            return false;
    }
    for (size_t i = 0; i < x->o->model_count; i++) {
        share_of_model(x, 0);
        if (is_left(x, i) && !do_model(x, i, e))
            return false;
    }
    return true;
}

/* ---- Sums ---- */

/* Is there a harmful execution to show, on that model or a stronger one? */
static bool shows_harm(const struct expose_result *r, const struct model *m)
{
    for (size_t i = 0; i < r->causes.count; i++) {
        if (r->causes.list[i].harmful &&
            model_told_number(r->causes.list[i].model) <= model_told_number(m))
            return true;
    }
    return false;
}

/* Was there an execution that could not be run, or that did not come again? */
static bool left_out(const struct expose_result *r)
{
    return r->trouble || r->not_again || r->unsteady;
}

static void sum_up_sc(const struct expose *x, struct expose_model *m)
{
    const struct expose_result *r = x->r;

    m->done = (struct done){.started = r->sc_executions > 0,
                            .exhausted = r->sc_complete,
                            .ended = m->counts.complete > 0,
                            .cut = m->counts.cut || left_out(r),
                            .unfinished = !x->watched || r->trouble,
                            .failed = r->sc.count > 0,
                            .only_sc = true};
}

static void sum_up(struct expose *x, size_t model)
{
    struct expose_model *m = &x->r->models[model];

    if (m->model == &model_sc) {
        sum_up_sc(x, m);
        return;
    }
    for (size_t i = 0; i < x->known.count; i++) {
        const struct verdict *v = &x->known.list[i].verdicts[model];

        m->cycles.predicted += v->class != VERDICT_NONE;
        m->cycles.confirmed += v->confirmed;
        m->cycles.harmful += v->class == VERDICT_HARMFUL;
        m->cycles.benign += v->class == VERDICT_BENIGN;
        m->cycles.infeasible += v->class == VERDICT_INFEASIBLE;
        m->cycles.undecided += v->class == VERDICT_UNDECIDED;
        m->cycles.beside_harm += v->class == VERDICT_UNDECIDED && v->confirmed;
    }
    m->done.failed =
        ((m->done.failed || m->cycles.harmful) && shows_harm(x->r, m->model)) ||
        x->r->sc.count > 0;
    m->done.left_sc = m->cycles.confirmed > 0;
    m->done.cut = m->done.cut || left_out(x->r);
    m->done.unfinished = m->done.unfinished || x->r->trouble;
}

/* What failed by chance is shown, be there time for the search or not. */
static void judge_drawn(struct expose *x)
{
    for (size_t i = 0; i < x->o->model_count; i++) {
        struct expose_model *m = &x->r->models[i];

        if (m->done.exhausted)
            continue;
        search_drawn(x, i);
        judge_suspects(x);
        counts_add(&m->counts, &x->drawn[i].counts);
        if (m->phase != PHASE_DONE && m->model != &model_sc)
            note_done(x, i, false);
    }
}

/* ---- The result ---- */

static void hand_over(struct expose *x)
{
    struct expose_result *r = x->r;
    size_t models = x->o->model_count;
    struct cycle *cycles =
        arena_array(x->arena, x->known.count + 1, sizeof(*cycles));
    struct verdict *verdicts =
        arena_array(x->arena, x->known.count * models + 1, sizeof(*verdicts));
    struct race *races =
        arena_array(x->arena, r->race_count + 1, sizeof(*races));

    for (size_t i = 0; i < x->known.count; i++) {
        cycles[i] = x->known.list[i].cycle;
        memcpy(&verdicts[i * models], x->known.list[i].verdicts,
               models * sizeof(*verdicts));
    }
    for (size_t i = 0; i < r->race_count; i++) {
        races[i] = r->races[i];
        races[i].object = arena_copy(x->arena, r->races[i].object);
    }
    r->cycles = cycles;
    r->cycle_count = x->known.count;
    r->verdicts = verdicts;
    r->races = races;
}

static void let_go(struct expose *x)
{
    predict_free(x->predict);
    for (size_t i = 0; i < x->suspects.count; i++)
        shown_free(x->suspects.list[i].shown);
    VEC_FREE(&x->suspects);
    VEC_FREE(&x->doubts);
    VEC_FREE(&x->announced);
    drawn_free(x);
    VEC_FREE(&x->known);
    index_free(&x->known_index);
    map_free(&x->sc_outcomes);
}

/* Which pairs a processor keeps in order depends on how C is compiled. */
static void predict_told(struct expose *x)
{
    for (size_t i = 0; i < x->o->model_count; i++) {
        const struct model *list[MODEL_ASKED_MAX];
        size_t count = told_mappings(x, x->o->models[i], list);

        for (size_t k = 0; k < count; k++)
            if (!model_has_machine(list[k]))
                predict_also(x->predict, list[k]);
    }
}

bool expose_run(const struct expose_options *o, struct arena *a,
                struct expose_result *r, struct err *e)
{
    struct expose x = {.o = o, .arena = a, .r = r};
    bool ok;

    CHECK(o->model_count <= CYCLE_MODELS_MAX);
    memset(r, 0, sizeof(*r));
    r->stop.until_ms = o->until_ms;
    r->stop.own = o->own_time;
    r->models = arena_array(a, o->model_count, sizeof(*r->models));
    for (size_t i = 0; i < o->model_count; i++)
        r->models[i].model = o->models[i];
    x.predict = predict_new(o->max_length, o->max_instances);
    predict_told(&x);
    told_ahead_begin(&x);
    ok = store_load(&x, e) && (x.watched || watch_and_predict(&x, e));
    x.looks_ahead = x.looks_ahead || r->sc_complete; /* in a run before */
    if (ok && !r->stop.refused)
        ok = do_models(&x, e);
    every_ahead_end(&x);
    told_ahead_end(&x);
    if (ok) {
        judge_drawn(&x);
        causes_sort(&x);
        confirm_all(&x);
        for (size_t i = 0; i < o->model_count; i++)
            sum_up(&x, i);
        progress_tell("looking for what mends it");
        ok = (!o->mend || o->mend(o->context, e)) && causes_cure(&x, e);
        point_reached("test.cured");
    }
    pool_dismiss(&x.pool);
    hand_over(&x);
    let_go(&x);
    return ok;
}

void expose_free(struct expose_result *r)
{
    for (size_t i = 0; i < r->causes.count; i++)
        shown_free(r->causes.list[i].shown);
    for (size_t i = 0; i < r->sc.count; i++)
        shown_free(r->sc.list[i]);
    VEC_FREE(&r->causes);
    VEC_FREE(&r->sc);
}
