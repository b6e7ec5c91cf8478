/* SPDX-License-Identifier: MIT
 *
 * See subject.h.
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Noreturn void give_up(const struct subject *s, const char *why)
{
    fprintf(stderr, "%s: %s\n", s->name, why);
    exit(3);
}

void subject_open(struct subject *s, const char *name, const char *binary,
                  int argument)
{
    struct err e;

    memset(s, 0, sizeof *s);
    s->name = name;
    s->tree = -1;
    snprintf(s->binary, sizeof s->binary, "%s", binary);
    snprintf(s->number, sizeof s->number, "%d", argument);
    s->arguments[0] = argument < 0 ? NULL : s->number;
    if (!program_read(s->binary, &s->arena, &s->tables, &e))
        give_up(s, e.text);
}

void subject_close(struct subject *s)
{
    if (s->has_worker)
        worker_free(&s->worker);
    if (s->tree >= 0)
        close(s->tree);
    arena_free(&s->arena);
}

static void job_of(const struct subject *s, struct job *j)
{
    *j = (struct job){.program = s->binary,
                      .name = s->name,
                      .arguments = s->arguments,
                      .model = "sc",
                      .count = 1};
}

static void run(struct subject *s, const struct job *j)
{
    struct worker *list = &s->worker;
    struct err e;

    if (!s->has_worker || !worker_again(&s->worker, j)) {
        if (s->has_worker)
            worker_free(&s->worker);
        s->has_worker = worker_start(&s->worker, j, &e);
        if (!s->has_worker)
            give_up(s, e.text);
    }
    while (s->worker.end == WORKER_RUNS && worker_wait(&list, 1, 0))
        ;
}

static void *copy(struct arena *a, const void *from, size_t bytes)
{
    void *to = arena_alloc(a, bytes + 1);

    memcpy(to, from, bytes);
    return to;
}

/* What the last execution left. */
static void take(const struct subject *s, struct arena *a, struct seen *seen)
{
    const struct channel *c = s->worker.channel;

    seen->run = c->run;
    seen->count = c->happening_count;
    seen->log = copy(a, (const char *)c + CHANNEL_LOG_AT,
                     seen->count * sizeof *seen->log);
    seen->decision_count = c->recorded_count;
    seen->decisions = copy(a, (const char *)c + CHANNEL_SCHEDULE_AT,
                           seen->decision_count * sizeof *seen->decisions);
}

bool subject_watch(struct subject *s, uint64_t n, struct arena *a,
                   struct seen *seen)
{
    struct job j;

    job_of(s, &j);
    j.strategy = STRATEGY_EVERY;
    j.flags = CHANNEL_LOG | CHANNEL_RECORD | CHANNEL_KEEP_GOING;
    j.first = n;
    j.stay = true;
    run(s, &j);
    if (!s->worker.channel->done)
        return false;
    take(s, a, seen);
    return true;
}

/* A worker keeps the tree that it was started with. */
static void plant_tree(struct subject *s)
{
    if (s->has_worker)
        worker_free(&s->worker);
    s->has_worker = false;
    s->tree = memfd_create("tree", MFD_CLOEXEC);
    if (s->tree < 0 || ftruncate(s->tree, EXPLORE_TREE_SIZE) != 0)
        give_up(s, "no memory for the tree");
}

bool subject_explore(struct subject *s, struct arena *a, struct seen *seen,
                     struct channel_report *reports)
{
    struct channel_explore orders = {
        .monitors = 1u << MONITOR_TSO | 1u << MONITOR_PSO | 1u << MONITOR_PSLO};
    struct job j;

    if (s->tree < 0)
        plant_tree(s);
    orders.tree_fd = s->tree;
    job_of(s, &j);
    j.strategy = STRATEGY_EXPLORE;
    j.flags = CHANNEL_LOG | CHANNEL_RECORD | CHANNEL_KEEP_GOING;
    j.count = UINT32_MAX;
    j.explore = &orders;
    j.stay = true;
    run(s, &j);
    take(s, a, seen);
    memcpy(reports, s->worker.channel->explore.reports,
           sizeof s->worker.channel->explore.reports);
    for (unsigned i = 0; i < CHANNEL_MONITORS_MAX; i++)
        if (reports[i].found)
            return true;
    return false;
}

bool subject_witness(struct subject *s, const struct model *m,
                     const struct seen *seen,
                     const struct channel_report *report, struct arena *a,
                     struct shown *shown)
{
    struct verify_options o = {.tables = &s->tables};
    struct verify_witness w = {.o = &o,
                               .model = m,
                               .report = report,
                               .decisions = seen->decisions,
                               .decision_count = seen->decision_count};
    struct err e;
    bool found;

    job_of(s, &o.base);
    if (!verify_witness(&w, a, shown, &found, &e))
        give_up(s, e.text);
    return found;
}
