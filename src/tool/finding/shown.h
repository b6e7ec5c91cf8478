/* SPDX-License-Identifier: MIT
 *
 * An execution worth showing: a finding, its trace, and what an engine knows of
 * it.  Every engine makes these, the store keeps them, and the report tells
 * them.  Only those that have passed the gate (finding/gate.h) are told.
 */
#ifndef FINDING_SHOWN_H
#define FINDING_SHOWN_H

#include "finding/finding.h"

/* CLASS(NAME, its word in files and in JSON) */
#define FINDING_CLASSES(CLASS)                                                 \
    CLASS(NONE, "") /* nobody has said it */                                   \
    CLASS(SC, "sc") /* fails on SC already */                                  \
    CLASS(HARMFUL, "harmful")                                                  \
    CLASS(RACE, "race") /* undefined behaviour, on C11 */                      \
    CLASS(BENIGN, "benign")                                                    \
    CLASS(UNDECIDED, "undecided")                                              \
    CLASS(KEPT, "kept") /* in the store of a run that is not over */

enum finding_class {
#define CLASS(name, word) CLASS_##name,
    FINDING_CLASSES(CLASS)
#undef CLASS
        CLASS_COUNT
};

const char *class_word(enum finding_class c);
/* CLASS_COUNT: there is no such word. */
enum finding_class class_find(const char *word);
/* The class of a failure on that model: SC's where nothing is ever reordered,
 * else harmful. */
enum finding_class class_of_failure(const struct model *m);

/* A happens-before cycle in the trace: edges lead from each event to the next,
 * from the last to the first. */
struct shown_cycle {
    uint32_t length;                 /* 0: none */
    uint32_t events[GOAL_NODES_MAX]; /* of the trace */
    uint8_t pairs[GOAL_NODES_MAX];   /* enum goal_pair */
    uint32_t reordered;              /* bit i: the pair of nodes i, i + 1 was */
};

struct shown {
    enum finding_class class;
    struct finding finding; /* with its decisions */
    struct trace trace;
    const char *error; /* what is wrong, if it is not the failure; or NULL */
    struct shown_cycle cycle;
    uint32_t race[2];    /* CLASS_RACE: the two events of the trace */
    const char *missing; /* and what would have ordered them; or NULL */
    uint32_t cycles;     /* that have the same cause; 0: nobody counted */
    uint32_t others;     /* findings with the same cure that are not told */
    struct channel_fence fences[CHANNEL_FENCES_MAX]; /* that would cure it */
    size_t fence_count;
    bool cured;  /* the search with them failed */
    bool proved; /* with them no execution of the model fails */
    /* Changes of the source, orders before fences, with which no execution
     * fails on any model that was asked for. */
    struct channel_fence cure[CHANNEL_FENCES_MAX];
    size_t cure_count;

    /* Check: the tests that show it, by name, and how the first is written. */
    const char **tests;
    size_t test_count; /* 0: not a test's */
    const char *notation;

    const char *replay; /* the command; NULL: it cannot be replayed */
    bool past_gate;     /* may be reported; only gate.c sets it */

    /* What only fencer test needs: the cycle that was sought, where the trace
     * has it, and the sites of every pair that was reordered in some cycle,
     * once asked for. */
    struct cycle sought; /* length 0: none */
    struct cycle_witness witness;
    uint32_t (*pairs)[2];
    size_t pair_count;
    bool kept; /* in the store */

    struct arena arena; /* owns what hangs below, if nobody else does */
};

static inline bool shown_failed(const struct shown *s)
{
    return s->finding.failure.kind != FAIL_NONE;
}

/* Are these two races between the same two places of the program? */
bool shown_same_race(const struct shown *x, const struct shown *y);

/* Only machines that break dependent loads show that execution. */
bool shown_is_alpha_only(const struct shown *s);

/* One with an arena of its own. */
struct shown *shown_new(void);
struct shown *shown_clone(const struct shown *from);
void shown_free(struct shown *s); /* NULL is fine */

/* ---- As a file: JSON, with the trace beside it (shown_file.c) ---- */

void shown_encode(const struct shown *s, struct buf *out);
/* All but the trace. */
bool shown_decode(const char *text, size_t n, struct arena *a, struct shown *s,
                  struct err *e);
bool shown_read(const char *path, struct arena *a, struct shown *s,
                struct err *e);

/* Do the numbers in it lead somewhere in its trace? */
bool shown_check(const struct shown *s, struct err *e);

/* ---- Its cycle (shown_cycle.c) ---- */

/* That cycle is told, at these places of the trace. */
void shown_set_cycle(struct shown *s, const struct cycle *c,
                     const struct cycle_witness *w);

/* Adds the weakest fence after the first access of each pair that was
 * reordered in that trace.  False: all are there already. */
bool shown_add_fences(const struct trace *t, const struct cycle *c,
                      const struct cycle_witness *w,
                      struct channel_fence *fences, size_t *count);

/* ---- What would mend it (finding_change.c) ---- */

struct changes {
    struct channel_fence list[CHANNEL_FENCES_MAX];
    size_t count;
};

/* Adds stronger orders of its accesses, or fences where an order will not do,
 * that its cycle or its race asks for.  False: all are there already. */
bool shown_add_changes(const struct shown *s, struct changes *c);
/* Adds release and acquire wherever a thread of it read from another. */
bool shown_add_orders(const struct shown *s, struct changes *c);

/* ---- Which are told (finding_merge.c) ---- */

/* Of findings with one cure only one is left, which counts the others.  Returns
 * how many findings there are then. */
size_t shown_merge(struct shown **list, size_t count);

/* Of the cycles in a trace that is not SC the one that is the easiest to read,
 * with its fences.  False: it has none. */
bool shown_explain(struct shown *s, unsigned max_length);

#endif
