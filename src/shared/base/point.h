/* SPDX-License-Identifier: MIT
 *
 * Logical points at which tests disturb the tool: an interrupt, a kill or the
 * time limit comes at the same place on every machine, however fast it is.
 *
 * FENCER_POINT="NAME:N:WHAT" disturbs the N-th passing of the point NAME
 * ("any": of all points together).  WHAT is `int` (SIGINT), `twice` (two
 * of them), `kill` (SIGKILL) or `time` (a --time that was given has passed).
 * FENCER_POINT=list prints the name of every point passed to stderr.
 */
#ifndef BASE_POINT_H
#define BASE_POINT_H

#include <stdbool.h>

/* Call it where a phase begins or ends, or a piece of work is done. */
void point_reached(const char *name);

/* Does somebody wait for that point?  What else the clock decides, such as when
 * to save, then happens at once. */
bool point_is_wanted(const char *name);

/* Has the time limit come at some point? */
bool point_time_came(void);

#endif
