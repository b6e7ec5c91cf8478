/* SPDX-License-Identifier: MIT
 *
 * One test on one model (CheckFence, sections 3.2 and 3.3): unroll each loop
 * once, look for a violation; if there is none, look for executions that go
 * beyond a bound, raise those bounds, and begin again, until none does.
 *
 * A proof for bounds that do not suffice is worth nothing, and takes most of
 * the time.  So while they may still grow, each question is dropped that is not
 * answered soon.  A violation is only sought to the end within the last bounds.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "axioms/axioms.h"
#include "base/check.h"
#include "base/log.h"
#include "base/seconds.h"
#include "engine/engine_inside.h"

static const char *test_name(const struct trial *t)
{
    return t->test ? t->test->name : "main";
}

static void limit(const struct trial *t, const char *text)
{
    lines_add(&t->s->result->limits, "%s on %s: %s", test_name(t),
              t->model->words, text);
}

static struct lsl_value as_value(int64_t n)
{
    return LSL_INT((uint64_t)n);
}

/* The set's threads have fixed counts; the formula's may have more places. */
static void allow(struct encoding *x, const struct observation_set *set)
{
    struct arena scratch = ARENA_INIT;
    uint32_t places = encode_places(x);
    struct lsl_value *values =
        arena_array(&scratch, places + 1, sizeof *values);

    for (size_t n = 0; n < set->count; n++) {
        const int64_t *from = set->values + n * set->width;
        uint32_t at = 0;

        memset(values, 0, (places + 1) * sizeof *values);
        for (uint32_t i = 0; i < places; i++) {
            uint32_t thread = encode_place_thread(x, i);

            while (at < set->width && set->threads[at] < thread)
                at++;
            if (at < set->width && set->threads[at] == thread)
                values[i] = as_value(from[at++]);
        }
        encode_allow(x, values);
    }
    arena_free(&scratch);
}

static void count(struct trial *t)
{
    struct encode_stats stats;
    struct rusage usage;

    encode_stats(t->x, &stats);
    getrusage(RUSAGE_SELF, &usage);
    t->out.effort.accesses = stats.loads + stats.stores;
    t->out.effort.instructions = stats.instructions;
    t->out.effort.variables = stats.vars;
    t->out.effort.clauses = stats.clauses;
    t->out.effort.solves += stats.solves;
    t->out.effort.cycle_clauses += stats.cycle_clauses;
    t->out.effort.encode_seconds += stats.encode_s;
    t->out.effort.solve_seconds += stats.solve_s;
    t->out.effort.memory_mib = (double)usage.ru_maxrss / 1024;
}

static bool begin_round(struct trial *t, struct err *e)
{
    const struct check_options *o = t->s->options;
    bool mixed = false;
    struct encode_options options = {.order = o->order,
                                     .no_ranges = o->no_ranges,
                                     .fences = t->fences,
                                     .fence_count = t->fence_count,
                                     .mixed = &mixed};

    if (t->x)
        return true;

    t->flat = arena_alloc(&t->arena, sizeof *t->flat);
    if (!flat_unroll(o->program, t->test, o->program->main, t->bounds,
                     &t->arena, t->flat, e))
        return false;
    t->out.effort.rounds++;
    t->x = encode_new(t->flat, t->model, &options, e);
    if (!t->x && mixed &&
        encode_cut(t->flat, t->model, &options, &t->arena, t->flat, e))
        t->x = encode_new(t->flat, t->model, &options, e);
    if (!t->x)
        return false;
    if (t->expected->set)
        allow(t->x, t->expected->set);
    if (t->expected->commits)
        large_begin(t);
    return true;
}

static enum answer ask(struct trial *t, enum encode_question q)
{
    static const char *const words[] = {
        "any", "error", "violation", "bound", "unsupported", "stuck", "race"};
    struct encode_stats stats;
    enum answer answer;

    encode_stats(t->x, &stats);
    t->s->accesses = stats.loads + stats.stores;
    t->s->rounds = t->out.effort.rounds;
    t->s->solves = t->out.effort.solves + stats.solves;
    answer = encode_ask(t->x, q, session_stop, t->s);
    encode_stats(t->x, &stats);
    LOG(CHECK, "%s on %s, round %llu: %s: %s; %llu solves, %llu cycles",
        test_name(t), t->model->name, (unsigned long long)t->s->rounds,
        words[q],
        answer == ANSWER_YES  ? "yes"
        : answer == ANSWER_NO ? "no"
                              : "not known",
        (unsigned long long)stats.solves,
        (unsigned long long)stats.cycle_clauses);
    return answer;
}

/* Is it the program, or the program without some of its fences?  What that one
 * does is not shown to anybody. */
static bool lacks_fences(const struct trial *t)
{
    for (size_t i = 0; i < t->fence_count; i++) {
        if (t->fences[i].present && !t->fence_on[i])
            return true;
    }
    return false;
}

/* Is it what was asked for, says who knows nothing of the formula? */
static bool holds(const struct trial *t, enum encode_question q,
                  const struct encode_found *found, struct err *e)
{
    const struct flat_run *run = &found->run;

    if (!axioms_hold(t->flat, run, t->model, e))
        return false;
    if (q == ASK_STUCK)
        return axioms_wait_for_ever(t->flat, run, e);
    if (q == ASK_RACE)
        return axioms_race(t->flat, run, t->model, found->race[0],
                           found->race[1], e);
    return !found->text || axioms_fail(t->flat, run, found->failure,
                                       found->site, found->thread, e);
}

static void take_violation(struct trial *t, enum encode_question q)
{
    struct encode_found *found = arena_alloc(&t->arena, sizeof *found);
    struct err e;

    encode_found(t->x, &t->arena, found);
    t->violation = (struct violation){t->flat, found};
    if (lacks_fences(t) || holds(t, q, found, &e)) {
        t->out.done.failed = true;
        return;
    }
    /* Never shown: a mistake of ours must not look like one of the user's. */
    LOG(CHECK, "%s on %s: not an execution: %s", test_name(t), t->model->name,
        e.text);
    limit(t, "a counterexample was found that is not one; please report it");
    t->violation = (struct violation){0};
}

static void take_unsupported(struct trial *t)
{
    struct arena scratch = ARENA_INIT;
    struct encode_found found;
    struct buf text = {0};

    encode_found(t->x, &scratch, &found);
    lsl_put_site(t->s->options->program, found.site, &text);
    buf_printf(&text, ": %s: what comes after it is not known", found.text);
    limit(t, text.bytes);
    buf_free(&text);
    arena_free(&scratch);
}

static uint32_t largest_bound(const struct trial *t)
{
    return t->s->options->unroll ? t->s->options->unroll : BOUND_MAX;
}

/* Raises the bounds of all loops that were found beyond them.  False: one is
 * as large as it may be. */
static bool raise_bounds(struct trial *t)
{
    struct arena scratch = ARENA_INIT;
    uint64_t *keys;
    size_t n = encode_beyond(t->x, &scratch, &keys);
    bool within = true;

    for (size_t i = 0; i < n; i++) {
        if (flat_bounds_get(t->bounds, keys[i]) >= largest_bound(t))
            within = false;
        else
            flat_bounds_grow(t->bounds, keys[i]);
    }
    arena_free(&scratch);
    return within;
}

static enum answer find_beyond(struct trial *t)
{
    double began = seconds_worked();
    enum answer answer, found = ANSWER_NO;

    session_stage(t->s, t->test, t->model, "loop bounds");
    while ((answer = ask(t, ASK_BOUND)) == ANSWER_YES)
        found = ANSWER_YES;
    t->out.effort.bounds_seconds += seconds_worked() - began;
    return answer == ANSWER_UNKNOWN ? ANSWER_UNKNOWN : found;
}

static void stopped(struct trial *t)
{
    struct buf text = {0};

    buf_printf(&text,
               "stopped after %llu rounds of unrolling: nothing found "
               "within the bounds so far",
               (unsigned long long)t->out.effort.rounds);
    limit(t, text.bytes);
    buf_free(&text);
}

/* Within the bounds: does a thread wait for ever that is not meant to?  True:
 * that was the answer. */
static bool find_stuck(struct trial *t)
{
    enum answer answer;
    bool meant = false;

    session_stage(t->s, t->test, t->model, "threads that wait for ever");
    while ((answer = ask(t, ASK_STUCK)) == ANSWER_YES) {
        take_violation(t, ASK_STUCK);
        if (!t->violation.found || !stuck_is_meant(t, &t->violation.found->run))
            return true;
        meant = true;
        t->violation = (struct violation){0};
        t->out.done.failed = false;
        encode_allow_stuck(t->x);
    }
    if (meant)
        lines_add(&t->s->result->limits,
                  "%s: some executions wait for ever, as serial ones do",
                  test_name(t));
    if (answer == ANSWER_UNKNOWN)
        stopped(t);
    return answer == ANSWER_UNKNOWN;
}

/* Within the bounds, where that is undefined: do two accesses race?  True: that
 * was the answer. */
static bool find_race(struct trial *t)
{
    enum answer answer;

    if (!t->model->by_language)
        return false;
    session_stage(t->s, t->test, t->model, "data races");
    answer = ask(t, ASK_RACE);
    if (answer == ANSWER_YES)
        take_violation(t, ASK_RACE);
    if (answer == ANSWER_UNKNOWN)
        stopped(t);
    return answer != ANSWER_NO;
}

/* The bounds suffice: what is left is places without meaning. */
static void conclude(struct trial *t)
{
    enum answer unsupported = ask(t, ASK_UNSUPPORTED);

    if (unsupported == ANSWER_YES) {
        take_unsupported(t);
    } else if (unsupported == ANSWER_UNKNOWN) {
        stopped(t);
    } else {
        t->out.done.exhausted = t->out.done.ended = true;
        t->out.done.unfinished = false;
    }
}

static enum answer find_violation(struct trial *t)
{
    enum answer answer;

    session_stage(t->s, t->test, t->model, "violations");
    answer = ask(t, t->expected->set ? ASK_VIOLATION : ASK_ERROR);
    if (answer == ANSWER_NO && t->expected->commits)
        answer = large_ask(t);
    if (answer == ANSWER_YES)
        take_violation(t, ASK_VIOLATION);
    return answer;
}

/* A specification in the formula consists of many small questions; they are
 * answered to the end in every round. */
static enum answer find_violation_soon(struct trial *t)
{
    enum answer answer;

    encode_hurry(t->x, !t->expected->commits);
    answer = find_violation(t);
    encode_hurry(t->x, false);
    return answer;
}

/* There is no violation within these bounds, and they suffice, or are as large
 * as they may be. */
static void finish(struct trial *t, bool suffice)
{
    if (find_race(t) || find_stuck(t))
        return;
    if (suffice) {
        conclude(t);
        return;
    }
    lines_add(&t->s->result->limits, "%s on %s: a loop was cut after %u rounds",
              test_name(t), t->model->words, largest_bound(t));
    t->out.done.cut = t->out.done.ended = true;
    t->out.done.unfinished = !t->s->options->unroll;
}

/* True: another round, with larger bounds. */
static bool look(struct trial *t)
{
    enum answer violated = find_violation_soon(t), beyond = ANSWER_UNKNOWN;

    if (violated == ANSWER_YES)
        return false;
    if (violated == ANSWER_NO || !t->expected->commits)
        beyond = find_beyond(t);
    if (beyond == ANSWER_YES && raise_bounds(t))
        return true;
    if (violated == ANSWER_UNKNOWN && beyond != ANSWER_UNKNOWN)
        violated = find_violation(t);
    if (violated == ANSWER_UNKNOWN || beyond == ANSWER_UNKNOWN)
        stopped(t);
    else if (violated == ANSWER_NO)
        finish(t, beyond == ANSWER_NO);
    return false;
}

void trial_begin(struct trial *t, struct session *s, const struct test *test,
                 const struct model *m, const struct expected *expected,
                 const struct encode_fence *fences, size_t fence_count)
{
    *t = (struct trial){.s = s,
                        .test = test,
                        .model = m,
                        .expected = expected,
                        .fences = fences,
                        .fence_count = fence_count,
                        .fence_on = calloc(fence_count + 1, sizeof(bool)),
                        .bounds = flat_bounds_new(),
                        .out = session_untested(test, m)};
    CHECK(t->fence_on);
    t->out.specification = expected->kind;
    t->out.effort.mining_seconds = expected->seconds;
    for (size_t i = 0; i < fence_count; i++)
        t->fence_on[i] = fences[i].present;
    if (expected->set)
        t->out.observations = expected->set->count;
}

/* The formula is made anew with the next question. */
static void forget(struct trial *t)
{
    if (t->x)
        count(t);
    encode_free(t->x);
    t->x = NULL;
    arena_free(&t->arena);
}

void trial_end(struct trial *t)
{
    encode_free(t->x);
    arena_free(&t->arena);
    flat_bounds_free(t->bounds);
    free(t->fence_on);
}

void trial_run(struct trial *t)
{
    double began = seconds_worked();
    struct err e;
    bool again = true;

    t->out.done = (struct done){.started = true, .unfinished = true};
    t->violation = (struct violation){0};
    while (again && !session_ended(t->s)) {
        session_stage(t->s, t->test, t->model, "encoding");
        if (!begin_round(t, &e)) {
            limit(t, e.text);
            break;
        }
        for (size_t i = 0; i < t->fence_count; i++)
            encode_set_fence(t->x, i, t->fence_on[i]);
        again = look(t);
        if (again)
            forget(t);
    }
    if (again && session_ended(t->s))
        stopped(t);
    if (t->x)
        count(t);
    t->out.effort.seconds += seconds_worked() - began;
}

bool trial_other(struct trial *t)
{
    if (session_ended(t->s))
        return false;
    encode_avoid(t->x);
    t->violation = (struct violation){0};
    if (ask(t, t->expected->set ? ASK_VIOLATION : ASK_ERROR) != ANSWER_YES)
        return false;
    take_violation(t, ASK_VIOLATION);
    return t->violation.found != NULL;
}
