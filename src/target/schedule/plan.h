/* SPDX-License-Identifier: MIT
 *
 * How `directed` wants a cycle to come about, and how far it is.  One pair e,
 * e' is to be reordered; f being the nodes between e' and e, in the cycle's
 * order, there are two plans:
 *
 *     delay:  issue e    e' takes effect    f1 ... fn take effect    e commits
 *     stale:  f1 ... fn take effect    e executes    e' reads an older value
 *
 * A step is taken by a thread whose announced operation is of the node's site
 * and at the memory that its neighbours in the cycle ask for.  A role is bound
 * to the thread that takes its first step.
 */
#ifndef SCHEDULE_PLAN_H
#define SCHEDULE_PLAN_H

#include "schedule/goal.h"

#define PLAN_NOBODY UINT16_MAX

struct plan {
    uint32_t pair; /* node e */
    bool stale;
    bool holding;    /* e is in a buffer, and is to stay there */
    uint16_t holder; /* whose */
    uint32_t at;     /* steps done */
    uint32_t done;   /* nodes, a bit each */
    struct sched_op ops[GOAL_NODES_MAX];
    uint16_t threads[GOAL_NODES_MAX]; /* of the roles */
};

/* Plans there are for the goal, and the n-th of them: another pair first. */
uint32_t plan_count(const struct sched_view *view);
void plan_make(struct plan *p, const struct sched_view *view, uint32_t n);

/* From the beginning. */
void plan_forget(struct plan *p);

/* The node of a step; steps that the plan still has; is it the stale load's? */
uint32_t plan_node(const struct plan *p, uint32_t step);
bool plan_is_done(const struct plan *p);
bool plan_wants_stale(const struct plan *p);

/* That thread took the next step. */
void plan_advance(struct plan *p, uint32_t thread, const struct sched_op *op);

/* Would that operation of the thread be the next step?  Is the announced one a
 * later step, and none comes before it?  Has the thread done its part? */
bool plan_takes(const struct plan *p, const struct sched_view *view,
                uint32_t thread, const struct sched_op *op);
bool plan_awaits(const struct plan *p, const struct sched_view *view,
                 uint32_t thread);
bool plan_has_done(const struct plan *p, uint32_t thread);

/* Where the held store is in its buffer; UINT32_MAX: gone. */
uint32_t plan_held_at(const struct plan *p, const struct sched_view *view);

#endif
