/* SPDX-License-Identifier: MIT
 *
 * STRATEGY_DESCENT, _FORWARD, _DEPTH, _MIXED: random executions as graphs, one
 * after the other, in one process.  The n-th depends on the seed and on n, and
 * on nothing but what the program is like: where a sample finds out that more
 * is shared than was known, it is drawn again.
 *
 * For `only_counts` it is an estimate that is wanted: what each descent says,
 * and where most of the choices are.
 */
#include <string.h>

#include "event/must.h"
#include "runtime/native_inside.h"
#include "schedule/rng.h"

/* Graphs in vain before a sample is given up: reads of what did not last. */
#define TRIES 1000
/* Before what is close to SC is drawn in another way. */
#define NEAR_TRIES 4
#define DEFAULT_DEPTH 3
#define SITES_MAX 256
#define WEIGHT_MAX 1e300
/* Behaviours that are kept from one sample to the next. */
#define KEPT_MOST (1u << 18)

static struct graph_search *search;
static const struct graph_engine *engine;

/* ---- Where the choices are ---- */

static struct {
    struct channel_branch branch;
    /* How often each thread came there in the descent of that number. */
    uint32_t descent[GRAPH_THREADS_MAX], count[GRAPH_THREADS_MAX];
} sites[SITES_MAX];
static uint32_t site_count, descent;

/* The logarithm to the base 2, exact where it is whole. */
static double bits_of(uint64_t ways)
{
    int whole = 63 - __builtin_clzll(ways);

    return whole + (double)ways / (double)(1ull << whole) - 1;
}

static void note_ways(void *context, behaviour_node node, uint64_t ways)
{
    uint32_t site = behaviour_op(native.trie, node)->site, i = 0;
    unsigned thread = behaviour_thread(native.trie, node);

    (void)context;
    rt.channel->graph.bits += bits_of(ways);
    while (i < site_count && sites[i].branch.site != site)
        i++;
    if (i == SITES_MAX)
        return;
    if (i == site_count) {
        memset(&sites[i], 0, sizeof sites[i]);
        sites[site_count++].branch.site = site;
    }
    sites[i].branch.bits += bits_of(ways);
    sites[i].branch.threads |= 1u << thread;
    if (sites[i].descent[thread] != descent)
        sites[i].count[thread] = 0;
    sites[i].descent[thread] = descent;
    if (++sites[i].count[thread] > sites[i].branch.times)
        sites[i].branch.times = sites[i].count[thread];
}

/* The sites with most of them, most first. */
static void put_branches(void)
{
    struct channel_graph *c = &rt.channel->graph;

    for (c->branch_count = 0;
         c->branch_count < CHANNEL_BRANCHES_MAX && c->branch_count < site_count;
         c->branch_count++) {
        uint32_t most = 0;

        for (uint32_t i = 1; i < site_count; i++) {
            if (sites[i].branch.bits > sites[most].branch.bits)
                most = i;
        }
        c->branches[c->branch_count] = sites[most].branch;
        sites[most].branch.bits = -1;
    }
}

/* ---- What a descent estimates ---- */

/* Choices before there were threads are part of the tree. */
static double lone_ways(void)
{
    double ways = 1;

    for (uint32_t i = 0; i < native.lone_count; i++)
        ways *= native.lone[i].of;
    return ways;
}

static void put_weight(double weight)
{
    struct channel_graph *c = &rt.channel->graph;
    double *to = (double *)((char *)rt.channel + CHANNEL_STEPS_AT);

    if (!c->only_counts || c->weight_count >= CHANNEL_WEIGHTS_MAX)
        return;
    weight *= lone_ways();
    to[c->weight_count++] = weight < WEIGHT_MAX ? weight : WEIGHT_MAX;
}

/* ---- Samples ---- */

/* On processors most executions are close to SC.  Those are fast, and have most
 * mistakes; the others come now and then. */
static enum graph_sampler mixed_sampler(uint64_t run)
{
    if (!rt.model->by_axioms)
        return run % 2 ? SAMPLE_FORWARD : SAMPLE_DESCENT;
    return run % 32 == 1  ? SAMPLE_FORWARD
           : run % 8 == 0 ? SAMPLE_DESCENT
                          : SAMPLE_NEAR;
}

static struct graph_goal goal; /* count 0: there is none */

bool native_misses_goal(void)
{
    return goal.count && !goal.hit;
}

/* Accesses of several parts are drawn by descents only. */
static bool takes_parts, only_descents;

static enum graph_sampler sampler_of(uint64_t run)
{
    if (goal.count)
        return SAMPLE_GOAL;
    if (only_descents)
        return SAMPLE_DESCENT;
    switch (rt.channel->strategy) {
    case STRATEGY_FORWARD:
        return SAMPLE_FORWARD;
    case STRATEGY_DEPTH:
        return SAMPLE_DEPTH;
    case STRATEGY_MIXED:
        return mixed_sampler(run);
    default:
        return SAMPLE_DESCENT;
    }
}

static void open_search(void)
{
    native.lone_count = 0;
    search = native_open_search(&engine);
    search->schedule = SCHEDULE_RANDOM;
}

static struct graph_sampling sampling_of(uint64_t run)
{
    const struct channel *c = rt.channel;

    return (struct graph_sampling){
        .how = sampler_of(run),
        .random = rng_seed(c->seed, run),
        .depth = c->pct_depth ? c->pct_depth : DEFAULT_DEPTH,
        .branched = c->graph.only_counts ? note_ways : NULL,
        .goal = &goal};
}

/* What is known of the threads is of the choices that were made before there
 * were any, and must not fill its place. */
static bool is_used_up(void)
{
    return native.lone_count || native.trie->count > KEPT_MOST;
}

/* Has another tree come into sight?  Then it is searched from now on. */
static bool learnt(void)
{
    if (!native_has_learnt() && !search->too_long)
        return false;
    native_close_search();
    open_search();
    return true;
}

/* One execution.  What is in vain is none, and is drawn again. */
static void sample(struct graph_sampling how)
{
    const struct channel *c = rt.channel;
    const struct graph_sampling fresh = how;
    uint64_t done = c->done;

    for (unsigned tries = 0; !native.refused && !search->stop; tries++) {
        double weight;

        descent++;
        goal.hit = false;
        weight = engine->sample(search, &how);
        if (native.refused)
            return;
        if (learnt()) {
            how = fresh;
            continue;
        }
        put_weight(c->done > done ? weight : 0);
        if (c->done > done)
            return;
        if (tries >= NEAR_TRIES && c->strategy == STRATEGY_MIXED &&
            (rt.model->by_axioms || goal.count))
            how.how = SAMPLE_DESCENT;
        if (tries == TRIES)
            native_give_up("a random execution waits in vain, again and again",
                           0);
    }
}

/* Where it is all the same how an execution is drawn: begins again, with what
 * draws those that have accesses of several parts. */
static void descend_instead(void)
{
    if (!native.refused || !native.met_parts || !takes_parts ||
        rt.channel->strategy != STRATEGY_MIXED || goal.count)
        return;
    native.refused = native.met_parts = false;
    native.knows_parts = only_descents = true;
    native_close_search();
    open_search();
}

static bool is_enough(void)
{
    volatile const struct channel *c = rt.channel;

    return native.refused || search->stop || c->done >= c->count || c->full;
}

static void sample_all(void)
{
    struct channel *c = rt.channel;
    uint64_t lone_random;

    native.lone_random = &lone_random;
    lone_random = rng_seed(~c->seed, c->first);
    for (open_search(); !is_enough();) {
        struct graph_sampling how;

        c->run = c->first + c->done;
        lone_random = rng_seed(~c->seed, c->run);
        how = sampling_of(c->run);
        if (is_used_up())
            open_search();
        sample(how);
        descend_instead();
    }
    native_close_search();
    native.lone_random = NULL;
}

static void work(bool by_process)
{
    site_count = 0;
    goal.nodes = rt.channel->goal.nodes;
    goal.count = rt.channel->goal.node_count < GOAL_NODES_MAX
                     ? rt.channel->goal.node_count
                     : GOAL_NODES_MAX;
    native_begin_work(by_process);
    if (!native_is_kept()) /* nobody else needs to know the same threads */
        native.goes_on = false;
    takes_parts = native.knows_parts;
    only_descents = native.met_parts = false;
    if (rt.channel->strategy != STRATEGY_DESCENT)
        native.knows_parts = false; /* graph_forward.c does not */
    if (!native.refused)
        sample_all();
    put_branches();
    goal.count = 0;
    native_end_work();
    native_keep_more();
}

static bool is_over(const struct channel *job)
{
    return job->graph.over;
}

static void abandon(const struct sched_view *view)
{
    (void)view;
    rt.channel->graph.lost = 1;
    rt.channel->graph.over = 1;
}

const struct strategy strategy_sample = {
    .name = "sample",
    .work = work,
    .is_over = is_over,
    .abandon = abandon,
    .footprints = true,
    .explores = true,
};
