/* SPDX-License-Identifier: MIT
 *
 * From what was done to what may be said.  Engines state facts (struct done);
 * only answers_of makes "no", "yes" and "complete" of them, for every command.
 * What was not done is never "no": a struct done of zeros answers "unknown".
 */
#ifndef SESSION_ANSWER_H
#define SESSION_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/answer.h"

enum exit_code {
    EXIT_NOTHING_FOUND = 0, /* and all that was asked for was done */
    EXIT_FOUND = 1,
    EXIT_USAGE = 2,      /* wrong usage, or a file that cannot be read */
    EXIT_UNFINISHED = 3, /* could not finish, nothing found so far */
};

/* What was done on one model, or on one test on one model. */
struct done {
    bool started;   /* its executions were looked at */
    bool exhausted; /* until there were no others */
    bool ended;     /* some execution came to its end */
    bool cut;       /* some were left out or cut short, whoever wanted that */
    /* Something asked for was not done: the time was up, the user interrupted,
     * something is not supported, a bound of our own cut it. */
    bool unfinished;
    bool failed;  /* an execution that breaks the property is shown */
    bool left_sc; /* an execution that SC does not have is shown */
    bool only_sc; /* every execution is one of SC's: it is SC, or robust */
};

/* Cycles of one model, by what became of them, under the keys of the JSON. */
#define CYCLE_COUNTS(COUNT)                                                    \
    COUNT(predicted)                                                           \
    COUNT(confirmed)                                                           \
    COUNT(harmful)                                                             \
    COUNT(benign)                                                              \
    COUNT(infeasible)                                                          \
    COUNT(undecided)

struct cycle_counts {
#define COUNT(name) size_t name;
    CYCLE_COUNTS(COUNT)
#undef COUNT
    size_t beside_harm; /* undecided ones that were created */
};

struct answers {
    enum answer sc_violation, property_broken;
    bool complete; /* nothing was cut */
};

struct answers answers_of(const struct done *d);

/* Is there still something to do that was asked for? */
bool answers_are_open(const struct done *d);

/* Makes of `all` what was done on both: `all` starts as the first. */
void done_join(struct done *all, const struct done *d);

#endif
