/* SPDX-License-Identifier: MIT
 *
 * The cycle that relaxer, orion and directed try to create.
 */
#include "schedule/goal.h"

struct channel_goal *goal;

void strategy_goal(struct channel_goal *g)
{
    goal = g;
}
