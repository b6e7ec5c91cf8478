/* SPDX-License-Identifier: MIT
 *
 * Outcomes are compared exactly: all executions are run, on each model.
 */
#include "check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST = 1000000, /* executions of a program, if it had so many */
    SAMPLE = 300    /* at random */
};

struct check {
    const struct target *target;
    struct engine *engine;
};

/* Prints what is in a and not in b, a few of them. */
static size_t print_difference(const struct program *p, const char *model,
                               const char *what, const struct outcomes *a,
                               const struct outcomes *b, bool quiet)
{
    size_t count = 0;
    char text[512];

    for (size_t i = 0; i < a->count; i++) {
        if (outcomes_has(b, outcomes_row(a, i)))
            continue;
        outcome_text(p, outcomes_row(a, i), text, sizeof text);
        if (!quiet && count < 5)
            fprintf(stderr, "%s: %s: %s: %s\n", p->name, model, what, text);
        count++;
    }
    if (!quiet && count > 5)
        fprintf(stderr, "%s: %s: %s: ... %zu in all\n", p->name, model, what,
                count);
    return count;
}

bool check_run(struct engine *e, const struct engine_job *job,
               const struct program *p, struct outcomes *seen,
               struct engine_result *result, char *error, size_t error_size)
{
    uint64_t values[MAX_OBSERVED];

    if (!engine_run(e, job, result, error, error_size))
        return false;
    for (size_t i = 0; i < result->outcomes; i++) {
        const char *text = engine_outcome(e, i);

        if (!outcome_parse(p, text, values)) {
            snprintf(error, error_size, "this is no outcome: '%s'", text);
            return false;
        }
        outcomes_add(seen, values);
    }
    return true;
}

/* All executions, and some of another strategy: it goes where the first knows
 * that nothing is to be found, such as an exit with stores that wait. */
static bool run_target(const struct check *c, enum model model,
                       const struct outcomes *allowed, struct outcomes *seen)
{
    const struct options *o = &c->target->semantics;
    const struct program *p = c->target->program;
    struct engine_job job = {.model = model_names[model],
                             .way = ENGINE_EVERY,
                             .most = MOST,
                             .buffer = o->buffer,
                             .locks_paper = o->locks_paper,
                             .cas_bufferable = o->cas_bufferable};
    struct engine_result result;
    char error[512] = "";
    bool ok = check_run(c->engine, &job, p, seen, &result, error, sizeof error);

    if (ok && !result.all) {
        ok = false;
        snprintf(error, sizeof error, "its executions do not come to an end");
    }
    job.way = ENGINE_SAMPLE;
    job.most = SAMPLE;
    if (ok && outcomes_equal(seen, allowed))
        ok = check_run(c->engine, &job, p, seen, &result, error, sizeof error);
    if (!ok && !c->target->quiet)
        fprintf(stderr, "%s: %s: %s\n", p->name, model_names[model], error);
    return ok;
}

/* Options that graphs have: without them compare_verify.c asks for the same. */
static bool is_for_graphs(const struct options *o, enum model model)
{
    return o->locks_paper || o->cas_bufferable || (o->buffer && model <= TSO);
}

static bool run_graphs(const struct check *c, enum model model,
                       const struct outcomes *allowed)
{
    const struct options *o = &c->target->semantics;
    const struct program *p = c->target->program;
    struct engine_job job = {.model = model_names[model],
                             .way = ENGINE_GRAPH,
                             .most = MOST,
                             .buffer = o->buffer,
                             .locks_paper = o->locks_paper,
                             .cas_bufferable = o->cas_bufferable};
    struct engine_result result;
    struct outcomes seen;
    char error[512] = "";
    bool ok;

    outcomes_init(&seen, p->observed_count);
    ok = check_run(c->engine, &job, p, &seen, &result, error, sizeof error);
    if (!ok || result.refused || !outcomes_equal(&seen, allowed)) {
        fprintf(stderr, "%s: graphs on %s: %s%s: %zu outcomes of %zu\n",
                p->name, model_names[model], error,
                ok && result.refused ? result.refused : "", seen.count,
                allowed->count);
        print_difference(p, model_names[model], "is missed", allowed, &seen,
                         false);
        ok = false;
    }
    outcomes_free(&seen);
    return ok;
}

static bool check_model(const struct check *c, enum model model,
                        const struct outcomes *allowed)
{
    const struct program *p = c->target->program;
    struct outcomes seen;
    bool ok;

    outcomes_init(&seen, p->observed_count);
    ok = run_target(c, model, allowed, &seen);
    ok &= !print_difference(p, model_names[model], "is not allowed", &seen,
                            allowed, c->target->quiet);
    if (ok)
        ok = !print_difference(p, model_names[model], "was not seen", allowed,
                               &seen, c->target->quiet);
    outcomes_free(&seen);
    if (ok && is_for_graphs(&c->target->semantics, model))
        ok = run_graphs(c, model, allowed);
    return ok;
}

bool check_program(const struct target *target)
{
    struct check c = {
        target, engine_new(target->binary, target->argument, target->mutant)};
    struct enumerated e;
    bool ok = true;

    for (int m = 0; m < MODEL_COUNT && (ok || !target->quiet); m++) {
        enumerate(&e, target->program, target->only_sc ? SC : (enum model)m,
                  &target->semantics, 0);
        REQUIRE(!e.stuck, "%s: deadlocks", target->program->name);
        ok &= check_model(&c, (enum model)m, &e.outcomes);
        outcomes_free(&e.outcomes);
    }
    engine_free(c.engine);
    return ok;
}

bool check_verdicts(const struct program *p)
{
    static const struct options none;
    struct enumerated e;
    bool ok = true;

    for (int m = 0; m < MODEL_COUNT; m++) {
        enum verdict verdict;

        enumerate(&e, p, (enum model)m, &none, 0);
        verdict = outcomes_verdict(p, &e.outcomes);
        outcomes_free(&e.outcomes);
        if (verdict == p->verdict[m] && verdict != VERDICT_NONE)
            continue;
        fprintf(stderr, "%s: %s: the head says %s, the enumerator %s\n",
                p->name, model_names[m], verdict_names[p->verdict[m]],
                verdict_names[verdict]);
        ok = false;
    }
    return ok;
}

/* Shared by the workers: items are handed out one by one, since some take a
 * hundred times longer than others. */
struct board {
    atomic_size_t next;
    atomic_uint failed;
};

static void work_through(struct board *b, size_t count,
                         bool (*work)(size_t, void *), void *context)
{
    for (;;) {
        size_t i = atomic_fetch_add(&b->next, 1);

        if (i >= count)
            return;
        if (!work(i, context))
            atomic_fetch_add(&b->failed, 1);
    }
}

unsigned check_parallel(size_t count, unsigned workers,
                        bool (*work)(size_t i, void *context), void *context)
{
    struct board *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned failed;

    REQUIRE(b != MAP_FAILED, "cannot map memory");
    fflush(stdout);
    for (unsigned w = 0; w < workers; w++) {
        pid_t pid = fork();

        REQUIRE(pid >= 0, "cannot fork");
        if (!pid) {
            work_through(b, count, work, context);
            _exit(0);
        }
    }
    for (unsigned w = 0; w < workers; w++) {
        int status;

        REQUIRE(wait(&status) > 0, "a worker is lost");
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            atomic_fetch_add(&b->failed, 1);
    }
    failed = b->failed;
    munmap(b, sizeof *b);
    return failed;
}
