/* SPDX-License-Identifier: MIT
 *
 * The engine of `fencer verify` against all traces of the enumerator, on random
 * programs: as many executions on SC as there are traces, none twice; a monitor
 * reports if and only if its model has a trace that SC has not; exploring a
 * model shows its outcomes, all of them.
 *
 * A program whose traces are too many for the enumerator is left out, and
 * counted.  Where threads make threads there may be more executions than
 * traces (has_births).
 */
#include "compare.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "files.h"
#include "generate.h"
#include "traces.h"

enum {
    WORKERS = 3,
    BATCH_SIZE = 50,
    MAX_STATES = 200000,
    MAX_BOUND = 3,
    BOUNDED_EACH = 4, /* one program of so many */
    MOST = 1000000    /* executions of a program, if it had so many */
};

static const struct traces_wish wish = {
    .with_sync = true, .with_stuck = true, .max_states = MAX_STATES};

/* Of all workers together. */
struct tally {
    atomic_uint programs, left_out, wrong_counts, duplicates, wrong_outcomes;
    atomic_uint bounded, wrong_bounded;
    atomic_uint refused, wrong_graphs;
    atomic_ulong traces;
    atomic_uint leave[MODEL_COUNT], missed[MODEL_COUNT], alarms[MODEL_COUNT],
        doubts[MODEL_COUNT];
};

static struct tally *tally;

struct one {
    const struct program *program;
    struct engine *engine;
};

/* What the enumerator knows. */
struct known {
    struct traces sc;
    size_t hung; /* of those on SC: traces that come to no end */
    bool leaves[MODEL_COUNT];
};

/* ---- one program ---- */

static bool know(struct known *k, const struct program *p)
{
    struct traces_wish ended = wish;
    struct traces t;
    bool whole = traces_find(&k->sc, p, SC, &wish);

    ended.with_stuck = false;
    whole = traces_find(&t, p, SC, &ended) && whole;
    k->hung = k->sc.count - t.count;
    traces_free(&t);
    for (int m = TSO; whole && m < MODEL_COUNT; m++)
        whole = traces_leave(&k->sc, p, (enum model)m, &wish, &k->leaves[m]);
    return whole;
}

/* Explores the program on a model: are the outcomes right? */
static bool explore(const struct one *one, enum model m,
                    struct engine_result *result)
{
    const struct program *p = one->program;
    struct engine_job job = {.model = model_names[m],
                             .way = ENGINE_EXPLORE,
                             .most = MOST,
                             .may_hang = true,
                             .monitored = m == SC};
    struct options none = {0};
    struct enumerated e;
    struct outcomes seen;
    char error[512] = "outcomes differ";
    bool ok;

    enumerate(&e, p, m, &none, 0);
    outcomes_init(&seen, p->observed_count);
    ok = check_run(one->engine, &job, p, &seen, result, error, sizeof error);
    if (ok && !result->all) {
        ok = false;
        snprintf(error, sizeof error, "not all was explored");
    }
    ok = ok && outcomes_equal(&seen, &e.outcomes);
    if (!ok) {
        fprintf(stderr, "%s: %s: %s: %zu outcomes of %zu\n", p->name,
                model_names[m], error, seen.count, e.outcomes.count);
        tally->wrong_outcomes++;
    }
    outcomes_free(&seen);
    outcomes_free(&e.outcomes);
    return ok;
}

/* ---- as graphs ---- */

static bool is_right_graph(const struct known *known, enum model m,
                           const struct engine_result *r,
                           const struct outcomes *seen,
                           const struct outcomes *right)
{
    if (!r->all || !outcomes_equal(seen, right) ||
        (m != SC && r->not_sc != known->leaves[m]))
        return false;
    return m != SC ||
           (r->executions == known->sc.count && r->hung == known->hung);
}

/* As graphs: on SC as many as there are traces; on every model the right
 * outcomes, and one that SC does not have exactly if there is one. */
static bool explore_graphs(const struct one *one, const struct known *known,
                           enum model m)
{
    const struct program *p = one->program;
    struct engine_job job = {.model = model_names[m],
                             .way = ENGINE_GRAPH,
                             .most = MOST,
                             .may_hang = true};
    struct options none = {0};
    struct engine_result r;
    struct enumerated e;
    struct outcomes seen;
    char error[512] = "";
    bool ok;

    enumerate(&e, p, m, &none, 0);
    outcomes_init(&seen, p->observed_count);
    ok = check_run(one->engine, &job, p, &seen, &r, error, sizeof error);
    if (ok && r.refused) {
        tally->refused++;
    } else
        ok = ok && is_right_graph(known, m, &r, &seen, &e.outcomes);
    if (!ok) {
        fprintf(stderr,
                "%s: graphs on %s: %s: %lu executions, %zu traces; %lu hang, "
                "%zu do; %zu outcomes of %zu; %s SC\n",
                p->name, model_names[m], error, (unsigned long)r.executions,
                known->sc.count, (unsigned long)r.hung, known->hung, seen.count,
                e.outcomes.count, r.not_sc ? "leaves" : "keeps");
        tally->wrong_graphs++;
    }
    outcomes_free(&seen);
    outcomes_free(&e.outcomes);
    return ok;
}

/* ---- step by step ---- */

/* Fencer numbers threads by their birth, so where threads make threads it tells
 * executions apart that are one trace: which of two was made first. */
static bool has_births(const struct program *p)
{
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++)
            if (p->threads[t].ops[i].kind == OP_SPAWN)
                return true;
    return false;
}

static bool is_count(const struct program *p, uint64_t explored, size_t traces)
{
    return has_births(p) ? explored >= traces : explored == traces;
}

static bool compare_traces(const struct one *one, const struct known *known,
                           const struct engine_result *r)
{
    if (is_count(one->program, r->executions, known->sc.count) &&
        r->executions == r->distinct &&
        is_count(one->program, r->hung, known->hung))
        return true;
    fprintf(stderr,
            "%s: %zu traces, %lu explored, %lu of them different; %zu hang, "
            "not %lu\n",
            one->program->name, known->sc.count, (unsigned long)r->executions,
            (unsigned long)r->distinct, known->hung, (unsigned long)r->hung);
    tally->wrong_counts +=
        !is_count(one->program, r->distinct, known->sc.count);
    tally->duplicates += (unsigned)(r->executions - r->distinct);
    return false;
}

static bool compare_verdict(const struct one *one, const struct known *known,
                            const struct engine_result *r, enum model m)
{
    bool flagged = r->flagged[m - TSO] > 0;

    tally->leave[m] += known->leaves[m];
    if (r->doubted[m - TSO] && !flagged) {
        tally->doubts[m]++;
        return true;
    }
    if (flagged == known->leaves[m])
        return true;
    fprintf(stderr, "%s: the monitor of %s %s\n", one->program->name,
            model_names[m],
            flagged ? "reports, and the model shows no more than SC"
                    : "says nothing, and the model leaves SC");
    if (flagged)
        tally->alarms[m]++;
    else
        tally->missed[m]++;
    return false;
}

static bool compare_one(const struct one *one)
{
    struct engine_result result;
    struct known known = {0};
    bool ok = true;

    tally->programs++;
    if (know(&known, one->program)) {
        tally->traces += known.sc.count;
        ok = explore(one, SC, &result);
        if (ok) {
            ok = compare_traces(one, &known, &result);
            for (int m = TSO; m < MODEL_COUNT; m++)
                ok &= compare_verdict(one, &known, &result, (enum model)m);
        }
        for (int m = TSO; m < MODEL_COUNT; m++)
            ok &= explore(one, (enum model)m, &result);
        for (int m = SC; m < MODEL_COUNT; m++)
            ok &= explore_graphs(one, &known, (enum model)m);
        ok &= compare_language_of(one->engine, one->program);
    } else {
        tally->left_out++;
    }
    traces_free(&known.sc);
    return ok;
}

/* ---- preemptions ---- */

static bool explore_bounded(const struct one *one, unsigned bound, bool plain,
                            size_t want, struct outcomes *seen)
{
    const struct program *p = one->program;
    struct engine_job job = {.model = model_names[SC],
                             .way = ENGINE_EXPLORE,
                             .most = MOST,
                             .plain = plain,
                             .bounded = true,
                             .bound = bound,
                             .may_hang = true};
    struct engine_result result;
    char error[512] = "";
    bool ok =
        check_run(one->engine, &job, p, seen, &result, error, sizeof error);

    if (ok && result.all && is_count(p, result.distinct, want))
        return true;
    fprintf(stderr,
            "%s: %zu traces with at most %u preemptions, %lu explored%s%s\n",
            p->name, want, bound, (unsigned long)result.distinct,
            plain ? " interleaving by interleaving " : " ", error);
    return false;
}

/* With few preemptions: the traces that there are, whether by every
 * interleaving or not. */
static bool compare_bounded(const struct one *one)
{
    const struct program *p = one->program;
    bool ok = true;

    for (unsigned bound = 0; bound <= MAX_BOUND; bound++) {
        struct traces_wish few = wish;
        struct outcomes reduced, plain;
        struct traces t;

        few.bounded = true;
        few.bound = bound;
        if (!traces_find(&t, p, SC, &few)) {
            traces_free(&t);
            return ok;
        }
        outcomes_init(&reduced, p->observed_count);
        outcomes_init(&plain, p->observed_count);
        ok &= explore_bounded(one, bound, false, t.count, &reduced);
        ok &= explore_bounded(one, bound, true, t.count, &plain);
        if (!outcomes_equal(&reduced, &plain)) {
            fprintf(stderr, "%s: other outcomes without reduction\n", p->name);
            ok = false;
        }
        outcomes_free(&reduced);
        outcomes_free(&plain);
        traces_free(&t);
    }
    tally->bounded++;
    tally->wrong_bounded += !ok;
    return ok;
}

/* ---- all ---- */

void compare_verify_begin(void)
{
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(tally != MAP_FAILED, "cannot map memory");
    compare_language_begin();
}

bool compare_verify_of(const struct tool *tool, const struct subject *s)
{
    struct one one = {s->program, engine_new(s->binary, s->argument, -1)};
    bool ok = compare_one(&one);

    if (!s->argument || atoi(s->argument) % BOUNDED_EACH == 0)
        ok &= compare_bounded(&one);
    engine_free(one.engine);
    if (!ok && s->argument)
        files_keep(tool, s->program);
    return ok;
}

unsigned compare_verify_end(void)
{
    bool too_many = 20 * tally->left_out > tally->programs;

    printf("%u programs, %u left out, %lu traces on SC: %u wrong counts, "
           "%u duplicates, %u wrong sets of outcomes\n",
           tally->programs, tally->left_out, tally->traces, tally->wrong_counts,
           tally->duplicates, tally->wrong_outcomes);
    printf("as graphs, on all models: %u wrong, %u refused\n",
           tally->wrong_graphs, tally->refused);
    printf("%u programs with 0 to %d preemptions: %u wrong\n", tally->bounded,
           MAX_BOUND, tally->wrong_bounded);
    for (int m = TSO; m < MODEL_COUNT; m++)
        printf("%s: %u leave SC; %u missed, %u false alarms, %u doubts\n",
               model_names[m], tally->leave[m], tally->missed[m],
               tally->alarms[m], tally->doubts[m]);
    munmap(tally, sizeof *tally);
    compare_language_end();
    return too_many;
}

/* ---- random programs ---- */

struct batches {
    const struct tool *tool;
    uint64_t seed;
    enum family only; /* ALL_FAMILIES: all of `families` */
    size_t turns;     /* batches of these; what follows are sequence locks */
};

/* These take turns, unless one is asked for. */
static const enum family families[] = {
    FAMILY_FENCES, FAMILY_BRANCH,  FAMILY_C11,    FAMILY_LOCKS, FAMILY_THREADS,
    FAMILY_RINGS,  FAMILY_CHOICES, FAMILY_BLOCKS, FAMILY_SIZES};

enum { TURN = sizeof families / sizeof *families };

static enum family family_of(const struct batches *all, size_t i)
{
    if (all->only < ALL_FAMILIES)
        return all->only;
    return i < all->turns ? families[i % TURN] : FAMILY_SEQLOCKS;
}

static bool batch(size_t i, void *context)
{
    struct batches *all = context;
    enum family family = family_of(all, i);
    struct program *list = calloc(BATCH_SIZE, sizeof *list);
    unsigned least = family == FAMILY_SEQLOCKS ? 9 : 6;
    struct random r = {all->seed + i};
    char name[MAX_NAME], source[MAX_PATH], binary[MAX_PATH];
    bool compiled, ok;

    REQUIRE(list, "out of memory");
    for (unsigned k = 0; k < BATCH_SIZE; k++)
        generate(&list[k], family, least + k % 3, k, &r);
    snprintf(name, sizeof name, "%s-%zu", family_names[family], i);
    ok = compiled =
        files_compile_batch(all->tool, name, list, BATCH_SIZE, source, binary);
    for (unsigned k = 0; compiled && k < BATCH_SIZE; k++) {
        char argument[16];
        struct subject one = {&list[k], source, binary, argument};

        snprintf(argument, sizeof argument, "%u", k);
        snprintf(list[k].name, MAX_NAME, "%.20s.%u", name, k);
        ok &= compare_verify_of(all->tool, &one);
    }
    free(list);
    unlink(binary);
    return ok;
}

unsigned compare_verify(const struct tool *tool, size_t count, uint64_t seed,
                        const char *family)
{
    size_t turns = (count + BATCH_SIZE - 1) / BATCH_SIZE;
    struct batches all = {tool, seed, family_find(family), turns};
    unsigned failed;

    compare_verify_begin();
    failed = check_parallel(turns + turns / TURN, WORKERS, batch, &all);
    return failed + compare_verify_end();
}
