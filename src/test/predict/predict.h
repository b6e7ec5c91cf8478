/* SPDX-License-Identifier: MIT
 *
 * Happens-before cycles: which ones a relaxed machine could close, from traces
 * of SC executions (Relaxer's Algorithm 1, Orion's race graphs), and which ones
 * a trace really contains.  The door of this folder.  docs/cycles.md defines
 * every word used here; the oracle in tests/oracle follows it too.
 *
 * A *static* cycle is a cyclic sequence of sites.  Edges lead from each node to
 * the next and from the last to the first: program order from the first to the
 * second access of a pair, conflicts otherwise.
 */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/model.h"
#include "trace/trace.h"

#define CYCLE_LENGTH_MIN 4  /* of a critical cycle */
#define CYCLE_LENGTH_ANY 3  /* of any */
#define CYCLE_LENGTH_MAX 16 /* as event/channel.h's GOAL_NODES_MAX */
#define CYCLE_MODELS_MAX 16 /* at most 16: marks are bits */

struct cycle_node {
    uint32_t site;
    uint8_t role;          /* number of its thread among the cycle's, from 0 */
    uint8_t pair;          /* enum goal_pair of event/channel.h */
    uint8_t reads, writes; /* some instance does */
};

/* In canonical rotation: of all rotations that do not begin between the two of
 * a pair, the one whose (site, pair) sequence is the smallest. */
struct cycle {
    uint32_t length;
    struct cycle_node nodes[CYCLE_LENGTH_MAX];
    /* Per model, by model_number: bit i says that the pair of nodes
     * i and i + 1 may be reordered there.  No bit: not a cycle for it. */
    uint16_t reorderable[CYCLE_MODELS_MAX];
};

/* <0, 0, >0, by length and then (site, pair): an order, and equality, that
 * look at the static cycle only. */
int cycle_compare(const struct cycle *a, const struct cycle *b);

/* Two conflicting accesses that nothing orders. */
struct race {
    uint32_t first, second; /* sites, first <= second */
    const char *object;     /* memory they share, as in the first trace seen */
    uint64_t count;         /* traces that have it */
};

/* ---- Predicting ---- */

struct predict;

/* max_instances: how many different accesses (other memory, other locks) of a
 * site in a thread are looked at in one trace.  0: the defaults, 8 and 20. */
struct predict *predict_new(unsigned max_length, unsigned max_instances);
void predict_free(struct predict *p);

/* Cycles of that model, too: one without a machine, or a mapping of one.  Those
 * that have a machine are always looked for.  Before the first trace. */
void predict_also(struct predict *p, const struct model *m);

/* One more trace; what is needed of it is copied.  Meant for SC executions;
 * one of another model does no harm, and may show code that no SC execution
 * comes to. */
void predict_add(struct predict *p, const struct trace *t);

/* Finds every cycle that a trace so far suggests, with the races of all, and
 * that some model may create; at most 100,000.  Called again after more
 * traces, it appends the new ones: those found before keep their numbers. */
void predict_run(struct predict *p);

/* Lent until the next predict_run. */
const struct cycle *predict_cycles(const struct predict *p, size_t *count);
const struct race *predict_races(const struct predict *p, size_t *count);

/* What was left out: accesses beyond max_instances, too many cycles. */
struct predict_cut {
    uint64_t instances; /* accesses not looked at */
    uint32_t site;      /* one of those whose instances were cut */
    bool cycles;        /* the search stopped at a limit of its own */
};
struct predict_cut predict_cut(const struct predict *p);

/* ---- What a trace contains ---- */

struct cycle_witness {
    uint32_t events[CYCLE_LENGTH_MAX]; /* of the trace; a buffered store's is
                                          its STORE */
    uint16_t reordered; /* bit i: of the pair of nodes i, i + 1 the second
                           took effect first */
};

/* Does the trace contain that static cycle?  Of several instances the one with
 * the fewest reordered pairs, then the earliest. */
bool predict_find(const struct trace *t, const struct cycle *c,
                  struct cycle_witness *w);

/* A cycle of any form, of those with the fewest accesses, where none is
 * critical: a pair may share bytes, chords do no harm, and objects of the
 * thread library count as accesses.  False: none was found. */
bool predict_any(const struct trace *t, struct cycle *c,
                 struct cycle_witness *w);

/* All static cycles in the trace, each once, in cycle_compare's order.
 * `reorderable` of each has, for the trace's model, the pairs that were
 * reordered in some instance.  False: there are more than `max`, or the search
 * was given up; then *count of them are there. */
bool predict_all(const struct trace *t, unsigned max_length, size_t max,
                 struct arena *a, struct cycle **cycles, size_t *count);

#endif
