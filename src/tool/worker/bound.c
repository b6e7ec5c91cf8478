/* SPDX-License-Identifier: MIT
 *
 * The channel was written by a program that may be broken: a wild store may
 * have hit any number in it.  Here each is cut, once, to what can be: counts of
 * executions to what was asked for, counts of things in a region to what the
 * region holds.  Regions are sparse, so what was never written cannot be there:
 * a count of 2^26 decisions costs no memory if only ten were written.
 */
#include "worker/worker.h"

#include <unistd.h>

#include "base/check.h"
#include "event/happening.h"

/* Sums that only grow: far from where adding them up would overflow. */
#define SUM_MAX (1ull << 56)

static void cut(uint64_t *count, uint64_t most)
{
    if (*count > most)
        *count = most;
}

static void cut_word(uint32_t *count, uint32_t most)
{
    if (*count > most)
        *count = most;
}

static void end_text(char *text, size_t size)
{
    text[size - 1] = '\0';
}
#define END_TEXT(text) end_text(text, sizeof(text))

/* How many bytes were written from `at` on, without a hole; at most `most`. */
static uint64_t written(const struct worker *w, uint64_t at, uint64_t most)
{
    off_t end = lseek(w->memory, (off_t)at, SEEK_HOLE);

    if (end < (off_t)at)
        return 0;
    return (uint64_t)end - at < most ? (uint64_t)end - at : most;
}

/* A region of `most` things of `size` bytes each, of which some are said to be
 * there.  Looked at only where that would be many. */
static void cut_region(const struct worker *w, uint64_t *count, uint64_t at,
                       uint64_t most, size_t size)
{
    cut(count, most);
    if (*count * size > 1u << 20)
        cut(count, written(w, at, most * size) / size);
}

static void bound_regions(struct worker *w)
{
    struct channel *c = w->channel;

    cut_region(w, &c->output_count, CHANNEL_OUTPUT_AT, CHANNEL_OUTPUT_MAX, 1);
    cut_region(w, &c->recorded_count, CHANNEL_SCHEDULE_AT, CHANNEL_SCHEDULE_MAX,
               sizeof(uint32_t));
    cut_region(w, &c->outcome_count, CHANNEL_OUTCOMES_AT, CHANNEL_OUTCOMES_MAX,
               sizeof(struct outcome));
    cut_region(w, &c->execution_count, CHANNEL_EXECUTIONS_AT,
               CHANNEL_EXECUTIONS_MAX, sizeof(struct channel_execution));
    cut_region(w, &c->object_count, CHANNEL_OBJECTS_AT, CHANNEL_OBJECTS_MAX,
               sizeof(struct object_record));
    cut_region(w, &c->happening_count, CHANNEL_LOG_AT, CHANNEL_LOG_MAX,
               sizeof(struct happening));
    cut_region(w, &c->event_count, CHANNEL_EVENTS_AT, CHANNEL_EVENTS_MAX,
               sizeof(struct event));
}

/* Executions of STRATEGY_EVERY that lead to the first that was asked for have
 * smaller numbers. */
static void bound_executions(struct worker *w)
{
    struct channel *c = w->channel;
    const struct job *j = &w->job;
    uint64_t done;

    if (c->run > j->first + j->count)
        c->run = j->first + j->count;
    if (c->run < j->first && j->strategy != STRATEGY_EVERY)
        c->run = j->first;
    cut(&c->done, j->count);
    done = c->done;
    cut(&c->complete, done);
    cut(&c->failed, done + 1); /* one may be under way */
    cut(&c->cut, done);
    cut(&c->assumed, done);
    for (size_t i = 0; i < FAIL_KIND_COUNT; i++)
        cut(&c->failures_by_kind[i], done + 1);
    cut(&c->goal.hits, done + 1);
    cut(&c->redundant, SUM_MAX);
    cut(&c->events, SUM_MAX);
    cut_word(&c->await_count, CHANNEL_AWAITS_MAX);
    cut(&c->outcomes_lost, done);
    cut(&c->output_lost, SUM_MAX);
    cut(&c->events_lost, SUM_MAX);
}

/* `most`: executions, redundant ones too, and the one under way. */
static void bound_exploration(struct channel_explore *x, uint64_t most)
{
    cut(&x->distinct, most);
    for (size_t i = 0; i < CHANNEL_MONITORS_MAX; i++)
        cut(&x->borderline[i], most);
    cut_word(&x->race_count, CHANNEL_RACES_MAX);
    if (x->too_long > most)
        x->too_long = (uint32_t)most;
    END_TEXT(x->why);
}

static void bound_graph(const struct worker *w, struct channel_graph *g)
{
    cut_word(&g->found, FOUND_LATE);
    cut(&g->blocked, SUM_MAX);
    cut(&g->racy, SUM_MAX);
    cut_word(&g->race_count, GRAPH_RACES_MAX);
    cut_region(w, &g->step_count, CHANNEL_STEPS_AT, CHANNEL_STEPS_MAX,
               sizeof(struct witness_step));
    cut_region(w, &g->state_size, CHANNEL_SEARCH_AT, CHANNEL_SEARCH_MAX / 4, 1);
    cut_region(w, &g->given_size, CHANNEL_GIVEN_AT, CHANNEL_SEARCH_MAX / 4, 1);
    cut_region(w, &g->fact_count, CHANNEL_FACTS_AT, CHANNEL_FACTS_MAX,
               sizeof(struct channel_fact));
    cut_region(w, &g->weight_count, CHANNEL_STEPS_AT, CHANNEL_WEIGHTS_MAX,
               sizeof(double));
    cut_word(&g->branch_count, CHANNEL_BRANCHES_MAX);
    END_TEXT(g->refused);
}

void worker_bound_channel(struct worker *w)
{
    struct channel *c = w->channel;

    CHECK(w->end != WORKER_RUNS);
    bound_regions(w);
    bound_executions(w);
    bound_exploration(&c->explore, c->done + c->redundant + 1);
    bound_graph(w, &c->graph);
    if (c->drain_count > CHANNEL_DRAINS_MAX)
        c->drain_count = CHANNEL_DRAINS_MAX;
    END_TEXT(c->model);
    END_TEXT(c->by_process_why);
    END_TEXT(c->outside);
    END_TEXT(c->message);
    END_TEXT(c->failure.message);
}
