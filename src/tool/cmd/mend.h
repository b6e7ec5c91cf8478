/* SPDX-License-Identifier: MIT
 *
 * What to change in the source: of a program that is small enough verify knows
 * what mends it.
 */
#ifndef CMD_MEND_H
#define CMD_MEND_H

#include "cmd/command.h"

/* Sets the cure of those findings, on all models that were asked for, if that
 * takes no longer than so many milliseconds. */
bool mend_findings(struct call *call, struct shown **list, size_t count,
                   uint64_t ms, struct err *e);

#endif
