/* SPDX-License-Identifier: MIT
 *
 * Executions come in growing steps from fixed seeds: most programs show all
 * they can in the first, and an outcome that is not allowed shows in any.
 */
#include "check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEED = 20110717, STEP_FACTOR = 4 };

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

/* Runs the target until it has shown all that is allowed or `most` is used
 * up.  Strategies take turns: what is rare for one is often not for the
 * other. */
static bool run_in_steps(const struct tool *t, const struct target *target,
                         const struct effort *effort, enum model model,
                         const struct outcomes *allowed, struct outcomes *seen)
{
    static const char *const strategies[] = {"random", "pos"};
    const struct program *p = target->program;
    struct run run = {.model = model,
                      .seed = SEED,
                      .executions = effort->least,
                      .argument = target->argument};
    unsigned long done = 0;
    char error[512] = "";

    memcpy(run.options, target->options, sizeof run.options);
    for (unsigned step = 0; done < effort->most; step++) {
        run.strategy = strategies[step % 2];
        if (run.executions > effort->most - done)
            run.executions = effort->most - done;
        if (!tool_run(t, target->binary, &run, p, seen, error, sizeof error)) {
            if (!t->quiet)
                fprintf(stderr, "%s: %s: %s\n", p->name, model_names[model],
                        error);
            return false;
        }
        done += run.executions;
        if (effort->only_extra ? !outcomes_within(seen, allowed)
                               : seen->count >= allowed->count)
            break;
        run.seed++;
        if (step % 2)
            run.executions *= STEP_FACTOR;
    }
    return true;
}

static bool check_model(const struct tool *t, const struct target *target,
                        const struct effort *effort, enum model model,
                        const struct outcomes *allowed)
{
    const struct program *p = target->program;
    struct outcomes seen;
    bool ok;

    outcomes_init(&seen, p->observed_count);
    ok = run_in_steps(t, target, effort, model, allowed, &seen);
    ok &= !print_difference(p, model_names[model], "is not allowed", &seen,
                            allowed, t->quiet);
    if (ok && !effort->only_extra)
        ok = !print_difference(p, model_names[model], "was not seen", allowed,
                               &seen, t->quiet);
    outcomes_free(&seen);
    return ok;
}

bool check_program(const struct tool *t, const struct target *target,
                   const struct effort *effort)
{
    struct enumerated e;
    bool ok = true;

    for (int m = 0; m < MODEL_COUNT && (ok || !t->quiet); m++) {
        enumerate(&e, target->program, target->only_sc ? SC : (enum model)m,
                  &target->semantics, 0);
        REQUIRE(!e.stuck, "%s: deadlocks", target->program->name);
        ok &= check_model(t, target, effort, (enum model)m, &e.outcomes);
        outcomes_free(&e.outcomes);
    }
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
