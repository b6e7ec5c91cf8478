/* SPDX-License-Identifier: MIT
 *
 * One search for one cycle, as `fencer test` makes it: executions of a program
 * with a goal until the strategy says that the cycle is there, and a look at
 * that execution's trace.
 */
#ifndef EXPOSE_SEARCH_H
#define EXPOSE_SEARCH_H

#include "predict/predict.h"

struct subject {
    const char *source;
    char binary[512];
    struct arena arena;
    struct program tables;
};

/* Compiles the source, with those flags, to a program in the working
 * directory.  Ends the process if it cannot. */
void subject_build(struct subject *s, const char *source, const char *flags);
void subject_remove(struct subject *s);

/* "a>b~c>d~": > is program order, ~ a conflict.  A word is a line's number, or
 * what the line has in a comment, #7 where that is a number; R, W or U after
 * it says which access of the line is meant.  reorderable is filled in for all
 * models, as if there were no fences. */
void subject_cycle(const struct subject *s, const char *text, struct cycle *c);

/* The cycles predicted from that many SC executions. */
struct predict *subject_predict(struct subject *s, unsigned executions);

/* The cycles that random executions contain, and in how many of them: all of
 * these can be created. */
#define SEEN_MAX 4096
struct seen {
    size_t count;
    struct cycle cycles[SEEN_MAX];
    uint64_t times[SEEN_MAX];
};
void subject_see(struct subject *s, const struct model *m, uint64_t executions,
                 struct seen *seen);

struct searched {
    bool found;      /* and the trace has it */
    uint64_t first;  /* executions until then, or all */
    uint64_t wrong;  /* hits that were none */
    uint64_t failed; /* executions */
    double seconds;
};

struct searched subject_search(const struct subject *s, const struct cycle *c,
                               const struct model *m, uint32_t strategy,
                               uint64_t seed, uint64_t budget);

/* Is every cycle that an execution's trace contains a hit, and every hit in the
 * trace?  Executions from that number on are added to the sum. */
struct compared {
    uint64_t both, missed, wrong;
};
void subject_compare(const struct subject *s, const struct cycle *c,
                     const struct model *m, uint32_t strategy, uint64_t from,
                     uint64_t executions, struct compared *sum);

/* "12>13~31>32~" */
void subject_name(const struct subject *s, const struct cycle *c, char *out,
                  size_t room);

#endif
