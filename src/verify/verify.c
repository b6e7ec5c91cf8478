/* SPDX-License-Identifier: MIT
 *
 * From the program to the answers.
 *
 * First every execution on SC, with the monitors watching: what fails there
 * fails on every model.  A model whose monitor reports nothing is *robust*: its
 * executions are those of SC, and nothing is left to do.  A report becomes an
 * execution that SC does not have (verify_witness.c).  Whether that breaks the
 * program only the model's own executions can tell: all of them are explored,
 * until one fails.  What one model shows, every weaker one has.
 */
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/point.h"
#include "verify/verify_inside.h"

/* Reports of one monitor to make an execution of, before it is given up. */
#define ATTEMPTS 8

/* Executions that may be tried to find out what to change. */
#define MENDING_MOST 4000000

/* Executions to see whether a verdict rests on dependencies, at most. */
#define WITHOUT_LEAST 10000
#define WITHOUT_TIMES 4

/* These allow what no monitor knows of. */
#define UNKNOWN_TO_MONITORS (CHANNEL_LOCKS_PAPER | CHANNEL_CAS_BUFFERABLE)

/* ---- Monitors ---- */

static uint32_t monitors_of(const struct verify_options *o,
                            const struct model *m)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (o->monitors >> i & 1 && monitor_model((enum monitor_kind)i) == m)
            bits |= 1u << i;
    }
    return bits;
}

/* Whose silence says that a model is robust. */
static bool is_exact(unsigned kind)
{
    return kind != MONITOR_SOBER;
}

static const char *doubt_words(uint32_t doubts)
{
    if (doubts & MONITOR_DOUBT_SIZES)
        return "accesses of different sizes overlap";
    if (doubts & MONITOR_DOUBT_THREADS)
        return "there are too many threads";
    return "there are too many addresses or writes";
}

static void limit_unsure(struct verify *v, const struct model *m)
{
    uint32_t bits = monitors_of(v->o, m);

    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (bits >> i & 1 && is_exact(i))
            return;
    }
    if (bits)
        lines_add(&v->r->limits,
                  "sober misses executions that leave SC: its silence proves "
                  "nothing");
    else
        lines_add(&v->r->limits, "no monitor watched for %s (--monitor)",
                  m->words);
}

/* Would an execution that leaves SC on that model have been reported? */
static bool monitors_are_sure(struct verify *v, const struct model *m)
{
    const struct counts *n = &v->r->sc;
    uint32_t bits = monitors_of(v->o, m);
    bool sure = false;

    limit_unsure(v, m);
    if (v->o->base.flags & UNKNOWN_TO_MONITORS) {
        lines_add(&v->r->limits,
                  "no monitor knows %s: whether an execution can leave "
                  "SC is not known",
                  v->o->base.flags & CHANNEL_LOCKS_PAPER ? "--locks paper"
                                                         : "--cas bufferable");
        return false;
    }
    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (!(bits >> i & 1) || !is_exact(i))
            continue;
        if (n->doubts[i])
            lines_add(&v->r->limits,
                      "the monitor for %s could not judge all of it: %s",
                      m->words, doubt_words(n->doubts[i]));
        else
            sure = true;
    }
    return sure;
}

/* ---- SC ---- */

static bool fails_on_sc(const struct verify *v)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (v->r->shown[i]->finding.model == &model_sc &&
            shown_failed(v->r->shown[i]))
            return true;
    }
    return false;
}

/* What fails on a relaxed model answers all that is asked of it. */
static bool take_failure(struct search *s, const struct worker *w,
                         struct err *e)
{
    struct shown *shown = shown_of(s->v, w, class_of_failure(s->model));

    s->lost = !shown;
    s->enough = shown && s->model != &model_sc;
    return !shown || shown_add(s->v, shown, e);
}

/* Makes an execution of the report.  If that does not work the monitor may
 * report others, but not for ever. */
static bool take_report(struct search *s, const struct worker *w,
                        enum monitor_kind kind, struct err *e)
{
    struct verify *v = s->v;
    const struct model *m = monitor_model(kind);
    struct shown *shown = arena_alloc(v->arena, sizeof(*shown));
    struct channel_report report = w->channel->explore.reports[kind];
    struct verify_witness made = {.o = v->o, .model = m, .report = &report};
    uint32_t *decisions;
    bool found = false;

    if (shown_find(v, m, CLASS_BENIGN) || shown_find(v, m, CLASS_HARMFUL)) {
        s->known |= 1u << kind;
        return true;
    }
    memset(shown, 0, sizeof(*shown));
    finding_take_decisions(w, v->arena, &decisions, &made.decision_count);
    made.decisions = decisions;
    if (!verify_witness(&made, v->arena, shown, &found, e)) {
        if (!stop_now(&v->r->stop))
            return false;
        e->text[0] = '\0';
    }
    if (made.unsteady)
        shown_note_unsteady(v, made.source);
    LOG(VERIFY, "%s reports execution %llu: %s", monitor_name(kind),
        (unsigned long long)report.run, found ? "shown" : "not brought about");
    if (found || ++v->attempts[kind] >= ATTEMPTS)
        s->known |= 1u << kind;
    if (!found)
        return true;
    return shown_add(v, shown, e);
}

static bool take_race(struct search *s, const struct worker *w,
                      const struct channel_race *race, struct err *e)
{
    struct sc_race r = {{race->first, race->second},
                        {race->first_thread, race->second_thread}};
    struct shown *shown =
        race_is_shown(s->v, &r) ? NULL : shown_of(s->v, w, CLASS_SC);

    return !shown || race_add(s->v, shown, &r, e);
}

/* On C11 a data race is a finding, and --races has them by another order. */
static bool wants_unordered(const struct verify_options *o)
{
    bool wants = !o->races;

    for (size_t i = 0; i < o->model_count; i++)
        wants = wants && !o->models[i]->by_language;
    return wants;
}

static bool explore_sc(struct verify *v, struct err *e)
{
    struct search s = {.v = v,
                       .model = &model_sc,
                       .phase = "exploring on SC",
                       .counts = &v->r->sc,
                       .outcomes = &v->r->sc_outcomes,
                       .failed = take_failure,
                       .reported = take_report,
                       .raced = v->o->races ? take_race : NULL,
                       .wants_unordered = wants_unordered(v->o),
                       .monitors = v->o->monitors};
    bool ok = search_run(&s, e);

    point_reached("verify.explored");
    return ok;
}

static const struct model *first_processor(const struct verify_options *o)
{
    for (size_t i = 0; i < o->model_count; i++) {
        if (model_weakest(o->models[i], o->arm, o->rcpc))
            return o->models[i];
    }
    return NULL;
}

/* If a processor is asked for, and the program is robust there, that answers
 * for SC, too (weakest.c). */
static bool explore_first(struct verify *v, struct err *e)
{
    const struct model *m = v->o->races ? NULL : first_processor(v->o);
    struct counts counts = {.executions = 0};
    struct tally outcomes = {0};

    v->asked = m;
    if (m && !weakest_try(v, m, &counts, &outcomes, wants_unordered(v->o),
                          &v->settled, e))
        return false;
    if (!v->settled)
        return explore_sc(v, e);
    v->r->sc = counts;
    v->r->sc_outcomes = outcomes;
    point_reached("verify.explored");
    return true;
}

/* ---- One model ---- */

static struct search search_of(struct verify *v, struct verify_model *m)
{
    return (struct search){
        .v = v,
        .model = m->mapping ? m->mapping : m->model,
        .phase = arena_printf(v->arena, "exploring on %s", m->model->words),
        .counts = &m->counts,
        .outcomes = &m->outcomes,
        .failed = take_failure};
}

static bool explore_model(struct verify *v, struct verify_model *m,
                          struct err *e)
{
    struct search s = search_of(v, m);

    m->explored = true;
    return search_run(&s, e);
}

/* ---- What was done ---- */

/* Cuts that the user asked for are no failure of ours. */
static uint32_t asked_for(const struct verify_options *o)
{
    return CUT_BOUND | (o->unroll_asked ? CUT_UNROLL : 0) |
           (o->base.max_events ? CUT_EVENTS : 0);
}

static struct done done_of(const struct verify *v, const struct counts *n)
{
    return (struct done){.started = n->executions > 0,
                         .exhausted = n->exhausted,
                         .ended = n->complete > 0,
                         .cut = n->cuts != 0,
                         .unfinished = n->cuts & ~asked_for(v->o)};
}

/* On every model SC's executions are among the model's own. */
static struct done done_on_sc(const struct verify *v)
{
    struct done d = done_of(v, &v->r->sc);

    d.failed = fails_on_sc(v);
    return d;
}

/* Not all was explored, though nobody interrupted it, and nothing failed. */
static bool is_open_on_sc(const struct verify *v)
{
    struct done d = done_on_sc(v);

    return !d.failed && answers_are_open(&d) &&
           (!v->r->stop.why || worker_time_is_up(v->o->until_ms));
}

/* Are there locals that others know when their function returns?  Graphs do
 * not see who uses them later. */
static bool leaves_locals(const struct verify *v)
{
    return v->r->sc.unwatched_local && !done_on_sc(v).failed && !v->r->stop.why;
}

static void do_sc(struct verify *v, struct verify_model *m)
{
    m->counts = v->r->sc;
    m->outcomes = v->r->sc_outcomes;
    m->explored = true;
    m->done = done_on_sc(v);
    m->done.only_sc = true;
    m->because = search_is_complete(&m->counts) ? "every execution explored"
                                                : "not all explored";
}

/* All that SC has, and nothing else. */
static void call_robust(struct verify *v, struct verify_model *m)
{
    do_sc(v, m);
    m->explored = false;
    m->because = "robust: no execution but SC's";
}

static bool answer_explored(struct verify *v, struct verify_model *m,
                            struct err *e)
{
    struct done *d = &m->done;
    bool left_sc = d->left_sc, unknown;
    struct shown *strange;

    *d = done_of(v, &m->counts);
    d->left_sc = left_sc;
    if (shown_find(v, m->model, CLASS_HARMFUL)) {
        d->failed = d->left_sc = true;
        m->because = "explored until a failure";
        return true;
    }
    m->because = search_is_complete(&m->counts) ? "every execution explored"
                 : d->started                   ? "not all was explored"
                                                : "not explored";
    if (!strange_find(v, m, &strange, &unknown, e))
        return false;
    if (unknown) {
        d->cut = d->unfinished = true;
        lines_add(&v->r->limits,
                  "whether executions on %s observe what none on SC does",
                  m->model->words);
    }
    if (!strange)
        return true;
    d->failed = d->left_sc = true;
    return shown_add(v, strange, e);
}

/* A stronger model's executions are this one's too. */
static const struct verify_model *
stronger(const struct verify *v, const struct verify_model *m, bool broken)
{
    for (const struct verify_model *s = v->r->models;
         !m->model->by_axioms && s < m; s++) {
        if (s->model != &model_sc && !s->model->by_axioms &&
            (broken ? s->done.failed : s->done.left_sc))
            return s;
    }
    return NULL;
}

/* A failure that a stronger model has; NULL: there is none. */
static const char *fails_elsewhere(struct verify *v,
                                   const struct verify_model *m)
{
    const struct verify_model *before = stronger(v, m, true);

    if (fails_on_sc(v))
        return "fails on SC already";
    if (before)
        return arena_printf(v->arena, "fails on %s already",
                            before->model->words);
    return NULL;
}

/* A failure that is known already; NULL: there is none. */
static const char *fails_because(struct verify *v, const struct verify_model *m)
{
    const char *elsewhere = fails_elsewhere(v, m);

    if (elsewhere)
        return elsewhere;
    if (shown_find(v, m->model, CLASS_HARMFUL))
        return "fails where it leaves SC";
    return NULL;
}

static bool answer_property(struct verify *v, struct verify_model *m,
                            struct err *e)
{
    m->because = fails_because(v, m);
    if (!m->because && (m->done.left_sc || search_is_complete(&v->r->sc)))
        return explore_model(v, m, e) && answer_explored(v, m, e);
    m->counts = v->r->sc;
    if (m->because) {
        m->done.failed = true;
        return true;
    }
    m->done = done_on_sc(v);
    m->because = "as far as SC was explored";
    return true;
}

/* ---- As graphs ---- */

/* What SC observes, if all of it is known. */
static void allow_outcomes_of_sc(struct verify *v, struct search *s)
{
    const struct tally *seen = &v->r->sc_outcomes;

    if (!search_is_complete(&v->r->sc) || v->r->sc.outcomes_lost)
        return;
    s->allowed = arena_array(v->arena, seen->count + 1, sizeof(*s->allowed));
    s->allowed_count = seen->count;
    for (size_t i = 0; i < seen->count; i++)
        snprintf(s->allowed[i].text, sizeof(s->allowed[i].text), "%s",
                 seen->list[i].text);
}

/* Is an execution with a race none of SC's? */
static bool race_leaves_sc(const struct verify *v, const struct model *m)
{
    for (size_t i = 0; i < v->r->shown_count; i++) {
        const struct shown *s = v->r->shown[i];

        if (s->finding.model == m && s->class == CLASS_RACE && s->cycle.length)
            return true;
    }
    return false;
}

/* With --cas bufferable others may come between the load of a CAS and its
 * store.  SC has no such execution, and no cycle of accesses shows that. */
static bool can_tell_from_sc(const struct verify *v, const struct model *m)
{
    return !(v->o->base.flags & CHANNEL_CAS_BUFFERABLE && m->delays_stores);
}

static void doubt_robustness(struct verify *v, struct verify_model *m)
{
    m->done.only_sc = false;
    if (!m->done.left_sc)
        lines_add(&v->r->limits,
                  "whether an execution on %s can leave SC is not known with "
                  "--cas bufferable",
                  m->model->words);
}

static void answer_by_graphs(struct verify *v, struct verify_model *m,
                             const struct search *s)
{
    const struct shown *race = shown_find(v, m->model, CLASS_RACE);
    bool left_sc = m->done.left_sc || shown_find(v, m->model, CLASS_BENIGN) ||
                   race_leaves_sc(v, m->model);
    bool failed = m->done.failed;
    bool all = search_is_complete(&m->counts);

    m->done = done_of(v, &m->counts);
    m->done.failed = failed || shown_find(v, m->model, CLASS_HARMFUL);
    m->done.left_sc = left_sc || (m->done.failed && !failed);
    m->done.failed = m->done.failed || race;
    m->done.only_sc = all && !m->done.left_sc;
    if (!can_tell_from_sc(v, m->model))
        doubt_robustness(v, m);
    if (!s->allowed && !v->o->base.allowed && m->outcomes.count) {
        m->done.cut = m->done.unfinished = true;
        lines_add(&v->r->limits,
                  "whether executions on %s observe what none on SC does",
                  m->model->words);
    }
    if (m->because)
        return;
    m->because = race              ? "a data race: undefined behaviour"
                 : m->done.failed  ? "explored until a failure"
                 : m->done.only_sc ? "robust: no execution but SC's"
                 : all && s->counts->symmetric
                     ? "explored: of equal threads one order"
                 : all             ? "every execution explored"
                 : m->done.started ? "not all was explored"
                                   : "not explored";
}

/* Both answers come from the model's own executions: is one of them none of
 * SC's, does one fail?  Races it has alone. */
static bool do_model_as_graphs(struct verify *v, struct verify_model *m,
                               bool *done, struct err *e)
{
    struct search s = search_of(v, m);

    m->done.left_sc = shown_find(v, m->model, CLASS_BENIGN) ||
                      shown_find(v, m->model, CLASS_HARMFUL) ||
                      stronger(v, m, false);
    m->because = fails_elsewhere(v, m);
    m->done.failed = m->because != NULL;
    if (m->done.failed && m->done.left_sc && !m->model->by_language) {
        m->counts = v->r->sc;
        return true;
    }
    s.wants_not_sc = !m->done.left_sc && can_tell_from_sc(v, m->model);
    s.wants_pairs = m->model->by_language;
    s.all_known = m->done.failed;
    allow_outcomes_of_sc(v, &s);
    m->explored = true;
    if (!search_run_graphs(&s, done, e))
        return false;
    if (*done)
        answer_by_graphs(v, m, &s);
    return true;
}

/* What cannot be explored so needs the monitors, on SC first. */
static bool explore_sc_again(struct verify *v, struct err *e)
{
    v->r->sc = (struct counts){.executions = 0};
    v->r->sc_outcomes = (struct tally){0};
    return explore_sc(v, e);
}

static bool do_model(struct verify *v, struct verify_model *m, struct err *e)
{
    uint32_t bits = monitors_of(v->o, m->model);
    bool reported = v->r->sc.reported & bits;
    bool sure = monitors_are_sure(v, m->model);

    m->done.left_sc = shown_find(v, m->model, CLASS_BENIGN) ||
                      shown_find(v, m->model, CLASS_HARMFUL) ||
                      stronger(v, m, false);
    if (!m->done.left_sc && !reported && sure &&
        search_is_complete(&v->r->sc)) {
        call_robust(v, m);
        return true;
    }
    if (!answer_property(v, m, e))
        return false;
    if (!m->done.left_sc && reported)
        lines_add(&v->r->limits,
                  "the monitor for %s reports an execution that could not "
                  "be brought about",
                  m->model->words);
    /* All was explored, and the monitor asked for cannot say. */
    if (!m->done.left_sc && search_is_complete(&v->r->sc) &&
        bits & ~(1u << MONITOR_SOBER))
        m->done.unfinished = true;
    return true;
}

static const char *why_no_graphs(const struct verify *v)
{
    if (v->refused)
        return v->refused;
    return v->o->base.allowed ? "it is a test of a data type"
                              : "an option asks for another search";
}

/* A model without a machine is explored as graphs, or not at all. */
static bool do_language(struct verify *v, struct verify_model *m, struct err *e)
{
    const char *refused = v->refused;
    bool done = false;

    if (graphs_can_run(v) && !do_model_as_graphs(v, m, &done, e))
        return false;
    if (!done) {
        lines_add(&v->r->limits,
                  "executions on %s, which are explored as graphs only: %s",
                  m->model->words, why_no_graphs(v));
        *m = (struct verify_model){.model = m->model,
                                   .mapping = m->mapping,
                                   .done = {.unfinished = true},
                                   .refused = true,
                                   .because = "not explored"};
        m->done.failed = fails_on_sc(v);
    }
    v->refused = refused;
    return true;
}

/* ---- Processors ---- */

static const char *site_words(struct verify *v, uint32_t site)
{
    const struct fencer_site *s = &v->o->tables->sites[site];

    if (!site || site >= v->o->tables->site_count)
        return "somewhere";
    return arena_printf(v->arena, "of %s at %s:%u",
                        *s->name ? s->name : "memory", s->file, s->line);
}

/* Load buffering: a load that is later than a store behind it may read what
 * comes of that store.  No such execution is searched for. */
static void doubt_unprotected(struct verify *v, struct verify_model *m)
{
    const struct counts *n = &m->counts;

    if (!n->unprotected)
        return;
    m->done.cut = m->done.unfinished = true;
    m->done.only_sc = false;
    lines_add(&v->r->limits,
              "on %s the store %s may take effect before the load %s: "
              "executions in which it does, and the load reads what comes of "
              "that, were not searched",
              m->model->words, site_words(v, n->unprotected_store),
              site_words(v, n->unprotected_load));
    if (!m->done.failed)
        m->because = "not all was explored: load buffering";
}

/* C11 does not have these executions, and processors may. */
static void note_unprotected(struct verify *v, const struct verify_model *m)
{
    const struct counts *n = &m->counts;

    if (answers_of(&m->done).property_broken == ANSWER_NO && n->unprotected)
        lines_add(&v->r->notes,
                  "%s says nothing of machines on which the store %s takes "
                  "effect before the load %s, as ARM, RISC-V and POWER may",
                  m->model->words, site_words(v, n->unprotected_store),
                  site_words(v, n->unprotected_load));
}

/* The load that an execution without dependencies does too late, and what comes
 * after it. */
static void note_dependency(struct verify *v, const struct model *m,
                            const struct shown *shown)
{
    const struct shown_cycle *c = &shown->cycle;
    const struct event *e = shown->trace.events;

    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *first = &e[c->events[i]];
        const struct event *then = &e[c->events[(i + 1) % c->length]];

        if (!(c->reordered >> i & 1) || !event_reads(first))
            continue;
        lines_add(&v->r->notes,
                  "right on %s only because the access %s depends on the load "
                  "%s, and a compiler may remove that dependency; "
                  "memory_order_acquire there keeps the order",
                  m->words, site_words(v, then->site),
                  site_words(v, first->site));
        return;
    }
}

/* Does it hold only because of dependencies, which a compiler may remove?  Once
 * more without them, as far as that does not take much longer. */
static bool try_without_dependencies(struct verify *v,
                                     const struct verify_model *m,
                                     struct err *e)
{
    struct verify_options o = *v->o;
    struct verify_result r = {.limits.arena = v->arena,
                              .notes.arena = v->arena,
                              .sc = v->r->sc,
                              .sc_outcomes = v->r->sc_outcomes,
                              .stop.until_ms = o.until_ms};
    struct verify without = {
        .o = &o, .arena = v->arena, .r = &r, .left.arena = v->arena};
    struct verify_model again = {.model = m->model, .mapping = m->mapping};
    struct search s = search_of(&without, &again);
    struct shown *shown;
    bool done;

    if (m->done.failed || !search_is_complete(&m->counts) ||
        !(o.tables->flags & PROGRAM_DEPENDS))
        return true;
    o.base.flags |= CHANNEL_NO_DEPENDS;
    o.store = NULL;
    s.most = WITHOUT_LEAST + WITHOUT_TIMES * m->counts.executions;
    allow_outcomes_of_sc(&without, &s);
    if (!search_run_graphs(&s, &done, e))
        return false;
    shown = shown_find(&without, m->model, CLASS_HARMFUL);
    if (done && shown)
        note_dependency(v, m->model, shown);
    return true;
}

/* Has it nothing but what SC has, on every mapping? */
static bool try_all_mappings(struct verify *v, struct verify_model *m,
                             bool *is_so, struct err *e)
{
    *is_so = v->asked == m->model && v->settled;
    m->counts = v->r->sc;
    m->outcomes = v->r->sc_outcomes;
    if (v->asked != m->model && search_is_complete(&v->r->sc) &&
        !fails_on_sc(v)) {
        m->counts = (struct counts){.executions = 0};
        m->outcomes = (struct tally){0};
        if (!weakest_try(v, m->model, &m->counts, &m->outcomes, false, is_so,
                         e))
            return false;
    }
    if (!*is_so) {
        *m = (struct verify_model){.model = m->model};
        return true;
    }
    m->explored = true;
    m->done = done_of(v, &m->counts);
    m->done.only_sc = true;
    m->because = "robust: no execution but SC's";
    return true;
}

/* All mappings of C to the processor, unless they are the same to this program:
 * safe is safe on each. */
static bool do_processor(struct verify *v, struct verify_model *m,
                         struct err *e)
{
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = model_mappings(m->model, v->o->arm, v->o->rcpc, list);
    struct counts sum = {.executions = 0};
    bool is_robust;

    if (!try_all_mappings(v, m, &is_robust, e))
        return false;
    if (is_robust)
        return true;
    for (size_t i = 0; i < count; i++) {
        bool left_sc = m->done.left_sc;

        *m = (struct verify_model){.model = m->model, .mapping = list[i]};
        if (!do_language(v, m, e))
            return false;
        sum.executions += m->counts.executions;
        sum.seconds += m->counts.seconds;
        m->done.left_sc = m->done.left_sc || left_sc;
        m->done.only_sc = m->done.only_sc && !left_sc;
        if (m->done.failed || m->done.unfinished || !m->counts.mappings_differ)
            break;
    }
    m->counts.executions = sum.executions;
    m->counts.seconds = sum.seconds;
    doubt_unprotected(v, m);
    return try_without_dependencies(v, m, e);
}

static bool do_one(struct verify *v, struct verify_model *m, struct err *e)
{
    bool by_graphs = graphs_can_run(v), done = true;

    if (by_graphs && !do_model_as_graphs(v, m, &done, e))
        return false;
    if (by_graphs && done)
        return true;
    *m = (struct verify_model){.model = m->model};
    if (by_graphs && !explore_sc_again(v, e))
        return false;
    return do_model(v, m, e);
}

static bool do_models(struct verify *v, struct err *e)
{
    for (size_t i = 0; i < v->o->model_count; i++) {
        struct verify_model *m = &v->r->models[i];

        if (m->model == &model_sc)
            do_sc(v, m);
        else if (m->model->by_axioms     ? !do_processor(v, m, e)
                 : m->model->by_language ? !do_language(v, m, e)
                                         : !do_one(v, m, e))
            return false;
        point_reached("verify.model");
    }
    return true;
}

/* ---- What it amounts to ---- */

static void limits_of_counts(struct verify *v, const struct model *m,
                             const struct counts *n)
{
    const struct verify_options *o = v->o;
    const struct fencer_site *s = &o->tables->sites[n->unroll_site];

    if (n->cuts & CUT_UNROLL)
        lines_add(&v->r->limits,
                  "loop at %s:%u cut after %u iterations (--unroll)", s->file,
                  s->line, o->unroll);
    if (n->cuts & CUT_BOUND && m == &model_sc)
        lines_add(&v->r->limits,
                  "executions with more than %u preemption%s (--bound)",
                  o->bound, o->bound == 1 ? "" : "s");
    if (n->cuts & CUT_EVENTS)
        lines_add(&v->r->limits,
                  "%llu executions on %s were cut: too many events "
                  "(--max-events)",
                  (unsigned long long)n->too_long, m->words);
    if (n->cuts & CUT_ENGINE)
        lines_add(&v->r->limits,
                  "executions on %s that could not be explored: %s", m->words,
                  n->why);
    if (n->without_spurious && !(n->cuts & CUT_ENGINE))
        lines_add(&v->r->limits,
                  "condition variables that wake by themselves, on %s",
                  m->words);
    if (n->cuts & CUT_STOPPED && !v->r->stop.why)
        lines_add(&v->r->limits, "executions on %s after the one that failed",
                  m->words);
    if (n->complete == 0 && !v->r->stop.why)
        lines_add(&v->r->limits, "no execution on %s came to its end",
                  m->words);
}

/* A program that does other things under the same decisions has executions that
 * nobody has seen. */
static void doubt_unsteady(struct verify *v)
{
    struct verify_result *r = v->r;

    lines_add(&r->limits,
              "what the program does depends on more than its schedule, "
              "because of %s: what does not come again is not reported",
              r->source ? r->source : "something no schedule decides");
    r->unfinished = true;
    for (size_t i = 0; i < v->o->model_count; i++)
        r->models[i].done.cut = r->models[i].done.unfinished = true;
}

static void take_stock(struct verify *v)
{
    struct verify_result *r = v->r;
    struct done on_sc = done_on_sc(v);

    if (r->stop.why)
        lines_add(&v->r->limits, "the rest: %s; the same command goes on",
                  r->stop.why);
    for (size_t i = 0; r->stop.why && i < v->left.count; i++)
        lines_add(&v->r->limits, "%s", v->left.list[i]);
    r->unfinished = r->stop.why || answers_are_open(&on_sc);
    limits_of_counts(v, &model_sc, &r->sc);
    for (size_t i = 0; i < v->o->model_count; i++) {
        struct verify_model *m = &r->models[i];

        if (m->explored && m->model != &model_sc)
            limits_of_counts(v, m->model, &m->counts);
        if (m->model->by_language)
            note_unprotected(v, m);
    }
    if (r->unsteady)
        doubt_unsteady(v);
    if (*r->sc.race)
        lines_add(&r->notes, "%s (in C11 that is undefined behaviour)",
                  r->sc.race);
    shown_settle(v);
}

bool verify_run(const struct verify_options *o, struct arena *a,
                struct verify_result *r, struct err *e)
{
    struct verify v = {.o = o, .arena = a, .r = r, .left.arena = a};

    memset(r, 0, sizeof(*r));
    r->limits.arena = r->notes.arena = a;
    r->stop.until_ms = o->until_ms;
    r->models = arena_array(a, o->model_count, sizeof(*r->models));
    for (size_t i = 0; i < o->model_count; i++)
        r->models[i] = (struct verify_model){.model = o->models[i]};
    if (!store_load_shown(&v, e) || !explore_first(&v, e))
        return false;
    if (r->stop.refused)
        return true;
    if ((is_open_on_sc(&v) || leaves_locals(&v)) && !chance_try_sc(&v, e))
        return false;
    if (!do_models(&v, e))
        return false;
    take_stock(&v);
    point_reached("verify.answered");
    return cure_all(&v, e) && mend(&v, MENDING_MOST, e);
}
