/* SPDX-License-Identifier: MIT
 *
 * Modes of the oracle with a file of their own.  Each returns the number of
 * comparisons that failed.
 */
#ifndef ORACLE_COMPARE_H
#define ORACLE_COMPARE_H

#include "engine.h"
#include "tool.h"

/* A program that was compiled. */
struct subject {
    const struct program *program;
    const char *source, *binary, *argument; /* number in its batch, or NULL */
};

unsigned compare_mutation(const struct tool *tool);
unsigned compare_cycles(const struct tool *tool, size_t count, uint64_t seed,
                        const char *family); /* NULL: several */
unsigned compare_verify(const struct tool *tool, size_t count, uint64_t seed,
                        const char *family);

unsigned compare_check(const struct tool *tool, bool is_long, size_t count,
                       uint64_t seed,
                       const char *family); /* NULL: litmus files, then several
                                             */

/* What they compare of each program.  All processes between `begin` and `end`
 * count together; `end` prints that. */
void compare_cycles_begin(void);
bool compare_cycles_of(const struct tool *tool, const struct subject *s);
unsigned compare_cycles_end(void);
void compare_verify_begin(void);
bool compare_verify_of(const struct tool *tool, const struct subject *s);
unsigned compare_verify_end(void);

/* Part of what verify compares: C11. */
void compare_language_begin(void);
bool compare_language_of(struct engine *e, const struct program *p);
void compare_language_end(void);

#endif
