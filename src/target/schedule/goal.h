/* SPDX-License-Identifier: MIT
 *
 * What the strategies that create a cycle have in common: the cycle, and a
 * watcher that says when it is there.
 *
 * A strategy tells the watcher each decision it takes; the watcher looks, when
 * it is asked for the next one, at what the last one has done.  It keeps the
 * latest accesses at the cycle's sites and when each took effect, and when one
 * takes effect after its turn it searches the cycle (docs/cycles.md) among
 * them.
 */
#ifndef SCHEDULE_GOAL_H
#define SCHEDULE_GOAL_H

#include "schedule/schedule.h"

/* The cycle to create, and where its hits are counted. */
extern struct channel_goal *goal;

/* A strategy's open(). */
bool goal_open(struct channel *job, const struct model *model);
/* A new execution. */
void goal_begin(uint64_t run);

/* First thing in next(). */
void goal_look(const struct sched_view *view);
/* The execution is over: a strategy's end(). */
void goal_end(const struct sched_view *view);
/* Last thing in next(): returns the decision. */
uint32_t goal_decide(const struct sched_view *view, uint32_t decision);
/* An access in an atomic block: a strategy's inside(). */
void goal_inside(const struct sched_view *view, uint32_t thread,
                 const struct sched_op *op);
/* In choose(): returns the choice. */
uint32_t goal_choose(enum decision_kind kind, uint32_t chosen);

/* Has this execution closed the cycle? */
bool goal_is_closed(void);

/* Nodes of that site, a bit each. */
uint32_t goal_nodes_at(uint32_t site);

static inline uint32_t goal_after(uint32_t node)
{
    return node + 1 == goal->node_count ? 0 : node + 1;
}

static inline uint32_t goal_before(uint32_t node)
{
    return node ? node - 1 : goal->node_count - 1;
}

/* Is the edge from that node to the next a conflict? */
static inline bool goal_conflicts(uint32_t node)
{
    return goal->nodes[node].pair != GOAL_FIRST;
}

static inline bool goal_overlap(const struct sched_op *a,
                                const struct sched_op *b)
{
    return a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

/* The position of the oldest store in that thread's buffer that overlaps;
 * UINT32_MAX: none does. */
uint32_t goal_buffers(const struct sched_view *view, uint32_t thread,
                      const struct sched_op *op);

/* The position of that store, or of an older one of the same site and memory;
 * UINT32_MAX: it is not there. */
uint32_t goal_position(const struct sched_view *view, uint32_t thread,
                       const struct sched_op *store);

/* Is that store the youngest in the thread's buffer? */
bool goal_is_buffered(const struct sched_view *view, uint32_t thread,
                      const struct sched_op *op);

#endif
