/* SPDX-License-Identifier: MIT
 *
 * The engine of `fencer verify`: every execution on SC, each trace once, with
 * monitors that say where TSO, PSO or PSLO could leave SC; and where they can,
 * every execution of that model, to see whether the property breaks.  The door
 * of this folder.
 *
 *   explore on SC, monitors on -> for each model that is not robust:
 *   witness -> explore on that model -> findings
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lines.h"
#include "finding/shown.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "predict/predict.h"
#include "session/answer.h"
#include "session/store.h"
#include "worker/counts.h"
#include "worker/stop.h"

struct verify_options {
    struct job base; /* the program, its arguments, flags, limits */
    const struct program *tables;
    const struct model *const *models; /* strongest first; SC is among them or
                                          is explored nevertheless */
    size_t model_count;
    uint32_t monitors; /* bits; 0: the view monitors of the models */
    bool own_monitors; /* the user chose them */
    bool plain;        /* --no-dpor */
    bool symmetric;    /* not --no-symmetry */
    bool bounded;
    uint32_t bound;
    uint32_t unroll;
    bool unroll_asked; /* by the user */
    bool races;
    unsigned arm; /* mappings of arm: 0 lse, 1 llsc, 2 both */
    bool rcpc;    /* and acquire loads are ldapr */
    bool count_distinct;
    bool count_reports; /* of a monitor that reported, all executions too */
    unsigned jobs;
    uint64_t until_ms;   /* 0: no limit */
    struct store *store; /* NULL: nothing survives */
};

struct verify_model {
    const struct model *model;
    const struct model *mapping; /* NULL: the model has one */
    struct done done;
    bool explored;       /* `counts` are of an exploration of that model */
    bool refused;        /* it has no executions of this program as graphs */
    const char *because; /* how it came to that, in few words */
    struct counts counts;
    struct tally outcomes; /* what its executions observed, sorted */
};

struct verify_result {
    struct counts sc;
    struct tally sc_outcomes;
    struct verify_model *models; /* as in the options */
    struct shown **shown;        /* findings, worst first */
    size_t shown_count;
    struct lines limits; /* what was cut, in words */
    struct lines notes;  /* what else is to be said */
    bool unfinished;     /* something asked for was not done */
    struct stop stop;    /* why it ended before its time */
    bool unsteady; /* under the same decisions the program does not always do
                      the same */
    const char *source; /* of that, or NULL */
    bool resumed;
};

/* All of it.  Everything in *r lives in `a`.  False: the machine failed us. */
bool verify_run(const struct verify_options *o, struct arena *a,
                struct verify_result *r, struct err *e);

/* What to change in the source so that none of these findings, nor any other
 * failure on these models, is left: the cure of each.  None is named unless
 * every execution with it was explored; that may take so many in all. */
bool verify_mend(const struct verify_options *o, struct shown **shown,
                 size_t count, uint64_t executions, struct arena *a,
                 struct err *e);

/* Of what this engine keeps (session/store.h). */
uint32_t verify_store_layout(void);

/* ---- Witnesses (verify_witness.c) ---- */

/* From a monitor's report to an execution of its model that is not SC.
 * `decisions` are those of the SC execution it was found in.  *found: a finding
 * with its cycle, replayed; false there: it could not be brought about. */
struct verify_witness {
    const struct verify_options *o;
    const struct model *model;
    const struct channel_report *report;
    const uint32_t *decisions;
    size_t decision_count;
    bool unsteady;      /* set: it did other things under the same decisions */
    const char *source; /* because of that, or NULL */
};
bool verify_witness(struct verify_witness *w, struct arena *a,
                    struct shown *shown, bool *found, struct err *e);

/* ---- Executions of graphs (verify_steps.c, verify_told.c) ---- */

/* What a search over graphs found, in the channel of that worker: the machine
 * of the model takes its steps.  *done: it did, and *shown is what came of it,
 * which has not passed the gate yet. */
bool verify_take_found(const struct verify_options *o, const struct model *m,
                       const struct worker *found, struct arena *a,
                       struct shown *shown, bool *done, struct err *e);

/* The same on a model without a machine: the trace in that channel has passed
 * the model's axioms.  Its fences are a guess that nobody has tried.  NULL: the
 * model does not allow it, or it is not what it is said to be. */
struct shown *verify_tell_found(const struct verify_options *o,
                                const struct model *m,
                                const struct worker *found, struct arena *a);

/* Does a model without a machine allow that execution?  *racy: on C11, with a
 * data race.  False: why says which axiom it breaks. */
bool verify_allows(const struct model *m, const struct trace *t, bool *racy,
                   struct err *why);

#endif
