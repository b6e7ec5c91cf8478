/* SPDX-License-Identifier: MIT
 *
 * What of a run is kept (session/store.h): cycles, verdicts, sums, and the
 * executions that show them.  A run that was killed continues where it was:
 * each verdict is there whole or not at all, with all that was counted until
 * then, and what is there is not done again.  A suspect, whose verdict depends
 * on others, is kept with its execution until all of them are known.
 *
 *   name      first, second       bytes
 *   watched                       struct watched
 *   outcomes                      keys of what SC executions observed
 *   race      number              struct race; words: its object
 *   cycle     number              struct cycle; words: its sites
 *   verdict   cycle, model        struct verdict; words: model, class, whether
 *                                 it was created, and why it is undecided
 *   model     number              struct expose_model; words: trouble
 *   doubts                        failures that SC had its chance at
 *   sc        number              an execution that fails on SC
 *   cause     sites of the pair   one that shows it; words: class
 *   suspect   cycle, model        one of which that is not known
 */
#include <string.h>

#include "expose/expose_inside.h"

/* What is known before the models. */
struct watched {
    uint64_t sc_executions;
    struct predict_cut cut;
    double predict_seconds;
    bool sc_complete;
};

uint32_t expose_store_layout(void)
{
    static const size_t sizes[] = {
        sizeof(struct watched),         sizeof(struct race),
        sizeof(struct cycle),           sizeof(struct verdict),
        sizeof(struct expose_model),    sizeof(struct counts),
        sizeof(struct channel_failure), sizeof(struct cycle_witness),
        sizeof(struct map_entry),       0};

    return store_layout(sizes);
}

/* ---- Putting ---- */

static bool put_shown(struct expose *x, struct shown *shown, struct record r,
                      struct err *e)
{
    if (shown->kept)
        return true;
    shown->class = CLASS_KEPT;
    shown->kept = store_put_shown(x->o->store, r, shown, e);
    return shown->kept;
}

static bool put_executions(struct expose *x, struct err *e)
{
    bool ok = true;

    for (size_t i = 0; ok && i < x->r->sc.count; i++)
        ok = put_shown(x, x->r->sc.list[i], (struct record){"sc", .first = i},
                       e);
    for (size_t i = 0; ok && i < x->r->causes.count; i++) {
        const struct cause *c = &x->r->causes.list[i];
        enum finding_class class = c->harmful ? CLASS_HARMFUL : CLASS_BENIGN;
        struct record r = {"cause",           c->first, c->second,
                           class_word(class), NULL,     0};

        if (c->shown &&
            (c->shown->finding.decision_count || !model_has_machine(c->model)))
            ok = put_shown(x, c->shown, r, e);
    }
    for (size_t i = 0; ok && i < x->suspects.count; i++) {
        const struct suspect *s = &x->suspects.list[i];

        ok = put_shown(x, s->shown,
                       (struct record){"suspect", s->cycle, s->model, 0, 0, 0},
                       e);
    }
    return ok;
}

static bool put_cycle(struct expose *x, size_t i, struct err *e)
{
    struct known *k = &x->known.list[i];
    struct buf sites = {0};
    bool ok;

    if (k->kept)
        return true;
    cycle_text(&k->cycle, x->o->tables->sites, &sites);
    ok = store_put(x->o->store,
                   (struct record){"cycle", i, 0, sites.bytes, &k->cycle,
                                   sizeof(k->cycle)},
                   e);
    k->kept = ok;
    buf_free(&sites);
    return ok;
}

static bool put_verdict(struct expose *x, size_t cycle, size_t model,
                        struct err *e)
{
    struct verdict v = x->known.list[cycle].verdicts[model];
    struct buf words = {0};
    bool ok;

    if (v.class == VERDICT_NONE && !v.searched)
        return true;
    buf_printf(&words, "%s %s %s\n%s", x->o->models[model]->name,
               verdict_words(v.class), v.confirmed ? "created" : "not-created",
               v.reason ? v.reason : "");
    v.reason = NULL;
    ok = put_cycle(x, cycle, e) &&
         store_put(x->o->store,
                   (struct record){"verdict", cycle, model, words.bytes, &v,
                                   sizeof(v)},
                   e);
    buf_free(&words);
    return ok;
}

/* What is counted so far, and the failures that SC had its chance at. */
static bool put_sums(struct expose *x, size_t model, struct err *e)
{
    struct expose_model m = x->r->models[model];

    m.model = NULL;
    m.refused = NULL;
    return store_put(
               x->o->store,
               (struct record){"model", model, 0, x->r->trouble, &m, sizeof(m)},
               e) &&
           store_put(x->o->store,
                     (struct record){"doubts", 0, 0, NULL, x->doubts.list,
                                     x->doubts.count * sizeof(*x->doubts.list)},
                     e);
}

static bool put_races(struct expose *x, struct err *e)
{
    bool ok = true;

    for (size_t i = 0; ok && i < x->r->race_count; i++) {
        struct race race = x->r->races[i];

        race.object = NULL;
        ok = store_put(x->o->store,
                       (struct record){"race", i, 0, x->r->races[i].object,
                                       &race, sizeof(race)},
                       e);
    }
    return ok;
}

static bool put_watched(struct expose *x, struct err *e)
{
    struct watched w = {.sc_executions = x->r->sc_executions,
                        .cut = x->r->cut,
                        .predict_seconds = x->r->predict_seconds,
                        .sc_complete = x->r->sc_complete};
    bool ok = true;

    for (size_t i = 0; ok && i < x->known.count; i++)
        ok = put_cycle(x, i, e);
    for (size_t i = 0; ok && i < x->o->model_count; i++) {
        if (x->o->models[i] == &model_sc)
            ok = put_sums(x, i, e);
    }
    return ok && put_executions(x, e) && put_races(x, e) &&
           store_put(x->o->store,
                     (struct record){
                         "outcomes", 0, 0, NULL, x->sc_outcomes.list,
                         x->sc_outcomes.count * sizeof(*x->sc_outcomes.list)},
                     e) &&
           store_put(x->o->store,
                     (struct record){"watched", 0, 0, NULL, &w, sizeof(w)}, e);
}

bool store_watched(struct expose *x, struct err *e)
{
    struct store *s = x->o->store;

    return !s || (store_begin(s, e) && store_commit(s, put_watched(x, e), e));
}

bool store_verdict(struct expose *x, size_t cycle, size_t model, struct err *e)
{
    struct store *s = x->o->store;

    return !s ||
           (store_begin(s, e) &&
            store_commit(s,
                         put_verdict(x, cycle, model, e) &&
                             put_executions(x, e) && put_sums(x, model, e),
                         e));
}

static bool put_phase(struct expose *x, size_t model, struct err *e)
{
    bool ok = store_forget(x->o->store, "suspect", e);

    for (size_t i = 0; i < x->suspects.count; i++)
        x->suspects.list[i].shown->kept = false;
    for (size_t i = 0; ok && i < x->known.count; i++)
        ok = put_verdict(x, i, model, e);
    return ok && put_executions(x, e) && put_sums(x, model, e);
}

bool store_phase(struct expose *x, size_t model, enum expose_phase phase,
                 struct err *e)
{
    struct store *s = x->o->store;

    if (stop_now(&x->r->stop))
        return true; /* it did not come to its end */
    x->r->models[model].phase = phase;
    return !s ||
           (store_begin(s, e) && store_commit(s, put_phase(x, model, e), e));
}

/* ---- Taking ---- */

static const char *text_of(struct expose *x, const char *words)
{
    return words && *words ? arena_copy(x->arena, words) : NULL;
}

static bool take_watched(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct watched w;

    if (!record_take(r, &w, sizeof(w)) ||
        w.cut.site >= x->o->tables->site_count)
        return false;
    x->r->sc_executions = w.sc_executions;
    x->r->cut = w.cut;
    x->r->predict_seconds = w.predict_seconds;
    x->r->sc_complete = w.sc_complete;
    x->watched = true;
    return true;
}

static bool take_outcomes(void *arg, const struct record *r)
{
    struct expose *x = arg;

    for (size_t i = 0; i < r->count / sizeof(struct map_entry); i++) {
        struct map_entry outcome;

        memcpy(&outcome, (const char *)r->bytes + i * sizeof(outcome),
               sizeof(outcome));
        map_put(&x->sc_outcomes, outcome.key);
    }
    return r->count % sizeof(struct map_entry) == 0;
}

static bool take_race(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct race race;

    if (!record_take(r, &race, sizeof(race)) || r->first != x->races.count)
        return false;
    race.object = r->words ? arena_copy(x->arena, r->words) : "";
    VEC_PUSH_IN(x->arena, &x->races, race);
    x->r->races = x->races.list;
    x->r->race_count = x->races.count;
    return true;
}

static bool take_cycle(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct cycle c;

    if (!record_take(r, &c, sizeof(c)) || r->first != x->known.count ||
        judge_know(x, &c) != r->first)
        return false;
    x->known.list[r->first].kept = true;
    return true;
}

static bool take_verdict(void *arg, const struct record *r)
{
    struct expose *x = arg;
    const char *reason = strchr(r->words ? r->words : "", '\n');
    struct verdict v;

    if (!record_take(r, &v, sizeof(v)) || r->first >= x->known.count ||
        r->second >= x->o->model_count || !reason)
        return false;
    v.reason = text_of(x, reason + 1);
    x->known.list[r->first].verdicts[r->second] = v;
    return true;
}

static bool take_model(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct expose_model m;

    if (r->first >= x->o->model_count || !record_take(r, &m, sizeof(m)))
        return false;
    m.model = x->o->models[r->first];
    m.refused = NULL;
    x->r->models[r->first] = m;
    if (!x->r->trouble)
        x->r->trouble = text_of(x, r->words);
    return true;
}

static bool take_doubts(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct channel_failure f;

    for (size_t i = 0; i < r->count / sizeof(f); i++) {
        memcpy(&f, (const char *)r->bytes + i * sizeof(f), sizeof(f));
        doubt_settle(x, &f);
    }
    return r->count % sizeof(f) == 0;
}

static struct shown *take_shown(struct expose *x, const struct record *r)
{
    struct shown *it = shown_new();

    if (!record_take_shown(r, &it->arena, it)) {
        shown_free(it);
        return NULL;
    }
    it->finding.binary = x->o->base.program;
    return it;
}

static bool take_sc(void *arg, const struct record *r)
{
    struct shown *it = take_shown(arg, r);

    if (it)
        record_keep_failure(arg, it);
    return it != NULL;
}

static bool take_cause(void *arg, const struct record *r)
{
    struct shown *it = take_shown(arg, r);

    if (it)
        cause_load(arg, it, (uint32_t)r->first, (uint32_t)r->second,
                   r->words && class_find(r->words) == CLASS_HARMFUL);
    return it != NULL;
}

static bool take_suspect(void *arg, const struct record *r)
{
    struct expose *x = arg;
    struct shown *it = take_shown(x, r);

    if (!it || r->first >= x->known.count || r->second >= x->o->model_count) {
        shown_free(it);
        return false;
    }
    suspect_load(x, it, r->first, r->second);
    return true;
}

bool store_load(struct expose *x, struct err *e)
{
    struct store *s = x->o->store;

    if (!s || !store_resumes(s))
        return true;
    return store_each(s, "watched", take_watched, x, e) &&
           store_each(s, "outcomes", take_outcomes, x, e) &&
           store_each(s, "race", take_race, x, e) &&
           store_each(s, "cycle", take_cycle, x, e) &&
           store_each(s, "verdict", take_verdict, x, e) &&
           store_each(s, "model", take_model, x, e) &&
           store_each(s, "doubts", take_doubts, x, e) &&
           store_each(s, "sc", take_sc, x, e) &&
           store_each(s, "cause", take_cause, x, e) &&
           store_each(s, "suspect", take_suspect, x, e);
}
