/* SPDX-License-Identifier: MIT
 *
 * Exploration: every execution of a program up to the order of steps that do
 * not touch each other, each once, with the monitors watching.  The door of
 * this folder; linked into the tested program.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "schedule/schedule.h"

extern const struct strategy strategy_explore;

#endif
