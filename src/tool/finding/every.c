/* SPDX-License-Identifier: MIT
 *
 * Every execution of a program on a model, had by one search over graphs
 * (src/target/graph): how many there are, whether these are all, what they
 * observe.  A graph is a class of executions with the same program order, the
 * same sources of loads and the same order of writes; cycles, failures and
 * observations are functions of these.  Who wants to see one has the machine of
 * the model take its steps (schedule/strategy_witness.c), which gives a trace
 * and decisions.  A graph that SC does not have is shown with one store that is
 * late, and with one load that is early, as far as one is enough: so it is seen
 * whose fault it is.
 *
 * What cannot be explored so is named, and explored step by step
 * (schedule/strategy_every.c): there an execution is a schedule.
 */
#include "finding/every.h"

#include <string.h>

#include "base/check.h"
#include "base/log.h"

/* C11 has neither buffers nor locks to choose from. */
bool every_is_of_machines(const struct job *base, const struct model *m)
{
    uint32_t flags = base->flags;

    if (flags & CHANNEL_BY_PROCESS || base->max_events)
        return true;
    if (!model_has_machine(m))
        return flags & (CHANNEL_LOCKS_PAPER | CHANNEL_CAS_BUFFERABLE |
                        CHANNEL_DEPS) ||
               base->buffer;
    return (flags & CHANNEL_CAS_BUFFERABLE && m->delays_stores) ||
           (flags & CHANNEL_DEPS && m->reorders_loads) ||
           (base->buffer && m->reorders_stores);
}

void every_begin(struct every *v, const struct job *base, const struct model *m,
                 enum every_wish wish, uint32_t unroll)
{
    memset(v, 0, sizeof(*v));
    v->base = *base;
    v->model = m;
    v->wish = wish;
    v->why_not = "nobody has looked";
    v->step_by_step = every_is_of_machines(base, m);
    v->orders = (struct channel_graph){
        .only_counts = wish != EVERY_FAILED,
        .judges = wish == EVERY_FAILED && (base->allowed || base->forbidden),
        .lists = wish == EVERY_LIST,
        .tells = wish == EVERY_TOLD ? UINT32_MAX : 0,
        .keeps_rounds = wish == EVERY_LIST || wish == EVERY_TOLD};
    v->explore = (struct channel_explore){.unroll = unroll, .tree_fd = -1};
}

void every_free(struct every *v)
{
    buf_free(&v->steps);
}

/* src/target/explore does not go through failing rounds of spin loops, and none
 * of its executions has a number. */
static uint32_t strategy_of(const struct every *v)
{
    if (!v->step_by_step)
        return STRATEGY_GRAPH;
    return v->wish == EVERY_FAILED ? STRATEGY_EXPLORE : STRATEGY_EVERY;
}

struct job every_job(const struct every *v, uint64_t most)
{
    struct job j = v->base;

    j.model = v->model->name;
    if (v->wish != EVERY_FAILED)
        j.flags |= CHANNEL_KEEP_GOING;
    j.first = 0;
    j.count = most;
    j.strategy = strategy_of(v);
    if (j.strategy != STRATEGY_EVERY)
        j.explore = &v->explore;
    if (j.strategy == STRATEGY_GRAPH)
        j.graph = &v->orders;
    return j;
}

static const char *why_not_all(const struct worker *w, struct arena *a)
{
    const struct channel *c = w->channel;
    struct channel_failure f;

    if (w->end == WORKER_STOPPED)
        return "there was no time for it";
    if (*c->graph.refused)
        return arena_copy(a, c->graph.refused);
    if (worker_failure(w, &f) && f.kind == FAIL_UNSUPPORTED)
        return arena_copy(a, f.message);
    if (w->end != WORKER_DONE)
        return "the program did not come to its end";
    if (c->cut)
        return "some do not come to an end";
    return c->exhausted ? NULL : "their executions are too many";
}

/* The program wrote them: nothing in them is trusted.  False: they are none. */
static bool count_lists(struct every *v)
{
    size_t count = v->steps.count / sizeof(struct witness_step), at = 0;

    while (at < count) {
        struct witness_step s;

        memcpy(&s, v->steps.bytes + at * sizeof(s), sizeof(s));
        if (s.kind != WITNESS_LIST || s.next >= count - at)
            return false;
        v->list_count++;
        v->failed += s.chosen == 1;
        at += 1 + (size_t)s.next;
    }
    return v->list_count >= v->count;
}

static void take_steps(struct every *v, const struct channel *c)
{
    v->list_count = v->failed = 0;
    buf_clear(&v->steps);
    buf_add(&v->steps, (const char *)c + CHANNEL_STEPS_AT,
            c->graph.step_count * sizeof(struct witness_step));
    if (v->wish == EVERY_FAILED)
        v->list_count = v->failed = 1;
    else if (!count_lists(v))
        v->why_not = "the program wrote over its executions";
}

/* Are there steps?  Those of an execution that was found end the search. */
static bool has_steps(const struct every *v, const struct channel *c)
{
    if (v->wish == EVERY_FAILED)
        return c->graph.found == FOUND_FAILURE;
    return v->wish == EVERY_LIST && !v->why_not;
}

/* Is it worth trying otherwise?  Not to have all of what is too large. */
static bool has_another_way(const struct every *v, const struct worker *w)
{
    const struct channel *c = w->channel;

    if (v->step_by_step || (c->graph.too_large && v->wish == EVERY_LIST))
        return false;
    return *c->graph.refused || c->graph.lost ||
           (w->end != WORKER_DONE && w->end != WORKER_STOPPED);
}

bool every_take(struct every *v, const struct worker *w, struct arena *a)
{
    const struct channel *c = w->channel;

    if (has_another_way(v, w)) {
        LOG(WORKER, "%s: not explored as graphs: %s", v->model->name,
            *c->graph.refused ? c->graph.refused : "it cannot be run");
        v->step_by_step = true;
        return true;
    }
    v->count = c->done;
    v->why_not = why_not_all(w, a);
    if (v->step_by_step) {
        v->list_count = c->done;
        v->failed = c->failed;
    } else if (has_steps(v, c)) {
        take_steps(v, c);
    }
    return false;
}

/* A search step by step has no execution without those before it. */
struct job every_run(const struct every *v, uint64_t first, uint64_t count)
{
    struct job j = every_job(v, count);

    CHECK(v->wish != EVERY_COUNT && first + count <= v->list_count);
    j.first = first;
    if (v->step_by_step)
        return j;
    j.strategy = STRATEGY_WITNESS;
    j.flags |= CHANNEL_LOG; /* it follows the log */
    j.explore = NULL;
    j.graph = NULL;
    j.witness = (const struct witness_step *)(const void *)v->steps.bytes;
    j.witness_count = v->steps.count / sizeof(struct witness_step);
    return j;
}

bool every_was_run(const struct every *v, const struct worker *w)
{
    const struct channel *c = w->channel;

    return w->end == WORKER_DONE && !c->full && !c->misfit &&
           c->done == w->job.count &&
           (c->done < v->list_count || c->failed == v->failed);
}
