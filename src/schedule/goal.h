/* SPDX-License-Identifier: MIT
 *
 * What the strategies that create a cycle have in common.
 */
#ifndef SCHEDULE_GOAL_H
#define SCHEDULE_GOAL_H

#include "schedule/schedule.h"

/* The cycle to create, and where its hits are counted. */
extern struct channel_goal *goal;

#endif
