/* SPDX-License-Identifier: MIT
 *
 * What `fencer test` made of each cycle on each model, from its results.
 */
#ifndef ORACLE_VERDICTS_H
#define ORACLE_VERDICTS_H

#include "cycles.h"

enum cycle_class { CONFIRMED, INFEASIBLE, UNDECIDED, CLASS_COUNT };

struct verdicts {
    struct cycles cycles[MODEL_COUNT][CLASS_COUNT];
};

/* Reads test.db in that folder; p was read from `source`.  False, with the
 * reason in error, if it is not there or names what the program has not. */
bool verdicts_read(struct verdicts *v, const char *folder,
                   const struct program *p, const char *source, char *error,
                   size_t error_size);
void verdicts_free(struct verdicts *v);

/* The cycle that a text like "p.c:12:5>p.c:13:9~p.c:20:5>p.c:21:9~" names. */
bool verdicts_parse(const char *text, const struct program *p,
                    const char *source, struct cycle *c);

#endif
