/* SPDX-License-Identifier: MIT
 *
 * Starting a program costs as much as thousands of its executions: the process
 * stays for all jobs of one program.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/monitor.h"
#include "worker/worker.h"

enum { SEED = 20110717 };

struct engine {
    char binary[512], argument[32];
    char *arguments[2];
    bool started;
    struct worker worker;
};

static const enum monitor_kind monitors[ENGINE_MONITORS] = {
    MONITOR_TSO, MONITOR_PSO, MONITOR_PSLO};

struct engine *engine_new(const char *binary, const char *argument, int mutant)
{
    struct engine *e = calloc(1, sizeof *e);
    char number[16];

    CHECK(e != NULL);
    snprintf(e->binary, sizeof e->binary, "%s", binary);
    if (argument) {
        snprintf(e->argument, sizeof e->argument, "%s", argument);
        e->arguments[0] = e->argument;
    }
    snprintf(number, sizeof number, "%d", mutant);
    if (mutant >= 0)
        setenv("FENCER_MUTANT", number, 1);
    else
        unsetenv("FENCER_MUTANT");
    return e;
}

void engine_free(struct engine *e)
{
    if (e->started)
        worker_free(&e->worker);
    free(e);
}

static struct channel_explore orders_of(const struct engine_job *job)
{
    struct channel_explore o = {.flags = EXPLORE_COUNT, .tree_fd = -1};

    if (job->plain)
        o.flags |= EXPLORE_PLAIN;
    if (job->bounded)
        o.flags |= EXPLORE_BOUNDED;
    o.bound = job->bound;
    for (int m = 0; job->monitored && m < ENGINE_MONITORS; m++)
        o.monitors |= 1u << monitors[m];
    o.known = o.monitors; /* reports are counted, and end nothing */
    return o;
}

static struct job worker_job(const struct engine *e,
                             const struct engine_job *job,
                             const struct channel_explore *orders)
{
    static const enum channel_strategy strategies[] = {
        [ENGINE_SAMPLE] = STRATEGY_POS,
        [ENGINE_EVERY] = STRATEGY_EVERY,
        [ENGINE_EXPLORE] = STRATEGY_EXPLORE,
        [ENGINE_GRAPH] = STRATEGY_GRAPH};
    static const struct channel_graph counting = {.wants_not_sc = 1,
                                                  .only_counts = 1};
    struct job j = {.program = e->binary,
                    .name = e->binary,
                    .arguments = e->arguments,
                    .model = job->model,
                    .strategy = strategies[job->way],
                    .seed = SEED,
                    .count = job->most,
                    .buffer = job->buffer,
                    .stay = true};

    if (job->locks_paper)
        j.flags |= CHANNEL_LOCKS_PAPER;
    if (job->may_hang)
        j.flags |= CHANNEL_KEEP_GOING;
    if (job->cas_bufferable)
        j.flags |= CHANNEL_CAS_BUFFERABLE;
    if (job->way == ENGINE_EXPLORE)
        j.explore = orders;
    if (job->way == ENGINE_GRAPH)
        j.graph = &counting;
    return j;
}

/* A job goes on with the search of the one before, if that is still there. */
static void forget_search(struct worker *w)
{
    char *tree = (char *)w->channel + CHANNEL_SEARCH_AT;

    CHECK(madvise(tree, CHANNEL_SEARCH_MAX, MADV_REMOVE) == 0);
}

static uint64_t hung(const struct worker *w)
{
    const uint64_t *count = w->channel->failures_by_kind;

    if (!(w->job.flags & CHANNEL_KEEP_GOING) || w->end != WORKER_DONE)
        return 0;
    return count[FAIL_DEADLOCK] + count[FAIL_LIVELOCK];
}

/* Does the job in the process that is there, or in a new one. */
static bool do_job(struct engine *e, const struct job *j, char *error,
                   size_t error_size)
{
    struct worker *w = &e->worker;
    struct channel_failure f;
    struct err why;

    if (e->started)
        forget_search(w);
    if (!e->started || !worker_again(w, j)) {
        if (e->started)
            worker_free(w);
        e->started = worker_start(w, j, &why);
        if (!e->started) {
            snprintf(error, error_size, "%s", why.text);
            return false;
        }
    }
    worker_wait(&w, 1, 0);
    if (hung(w) < w->channel->failed && worker_failure(w, &f)) {
        snprintf(error, error_size, "it fails: %s", f.message);
        return false;
    }
    if (w->end != WORKER_DONE)
        snprintf(error, error_size, "it ends with %d", (int)w->end);
    return w->end == WORKER_DONE;
}

bool engine_run(struct engine *e, const struct engine_job *job,
                struct engine_result *result, char *error, size_t error_size)
{
    struct channel_explore orders = orders_of(job);
    struct job j = worker_job(e, job, &orders);
    const struct channel *c;

    memset(result, 0, sizeof *result);
    if (!do_job(e, &j, error, error_size))
        return false;
    c = e->worker.channel;
    result->executions = c->done;
    result->hung = hung(&e->worker);
    result->all = c->exhausted;
    if (job->way == ENGINE_EXPLORE) {
        result->executions = c->explore.traces;
        result->distinct = c->explore.distinct;
    }
    for (int m = 0; m < ENGINE_MONITORS; m++) {
        result->flagged[m] = c->explore.borderline[monitors[m]];
        result->doubted[m] = c->explore.doubts[monitors[m]] != 0;
    }
    result->not_sc = c->graph.not_sc;
    result->races = c->graph.racy > 0;
    result->refused = *c->graph.refused ? c->graph.refused : NULL;
    result->outcomes = c->outcome_count;
    if (c->outcomes_lost)
        snprintf(error, error_size, "too many outcomes");
    return !c->outcomes_lost;
}

const char *engine_outcome(struct engine *e, size_t i)
{
    struct outcome *list =
        (void *)((char *)e->worker.channel + CHANNEL_OUTCOMES_AT);

    CHECK(i < CHANNEL_OUTCOMES_MAX);
    list[i].text[sizeof list[i].text - 1] = 0;
    return list[i].text;
}
