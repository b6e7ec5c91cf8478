/* SPDX-License-Identifier: MIT
 *
 * Modes of the oracle with a file of their own.  Each returns the number of
 * comparisons that failed.
 */
#ifndef ORACLE_COMPARE_H
#define ORACLE_COMPARE_H

#include "tool.h"

unsigned compare_mutation(const struct tool *tool);
unsigned compare_cycles(const struct tool *tool, bool is_long);
unsigned compare_verify(const struct tool *tool, size_t count, uint64_t seed);

#endif
