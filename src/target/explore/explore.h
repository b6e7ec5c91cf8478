/* SPDX-License-Identifier: MIT
 *
 * Exploration: every execution of a program up to the order of steps that do
 * not touch each other, each once, with the monitors watching.  The door of
 * this folder; linked into the tested program.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/channel.h"
#include "schedule/schedule.h"

extern const struct strategy strategy_explore;

/* The orders and results; and where the search tree is: zeroes at first, and
 * then what was left there, by whatever process. */
bool explore_open(struct channel_explore *orders, void *tree, uint64_t size);

/* Is there an execution to come?  If so it is prepared: run it. */
bool explore_next(void);
/* Was the last execution one of those that count? */
bool explore_counts(void);
/* Was every execution explored, and none cut? */
bool explore_exhausted(void);
/* This process died in the middle of an execution that it will not end. */
void explore_abandon(void);

#endif
