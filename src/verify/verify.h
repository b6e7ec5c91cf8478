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

#include "base/answer.h"
#include "base/arena.h"
#include "base/err.h"
#include "finding/finding.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "predict/predict.h"
#include "worker/worker.h"

struct verify_progress {
    const char *phase; /* "exploring on SC" */
    uint64_t executions;
    double explored;       /* part of the tree that is done, 0: no idea */
    uint64_t seconds_left; /* a guess; UINT64_MAX: none */
    uint32_t
        reported; /* models that are not robust, bit per enum monitor_kind */
};

struct verify_options {
    struct job base; /* the program, its arguments, flags, limits */
    const struct program *tables;
    const struct model *const *models; /* strongest first; SC is among them or
                                          is explored nevertheless */
    size_t model_count;
    uint32_t monitors; /* bits; 0: the view monitors of the models */
    bool plain;        /* --no-dpor */
    bool bounded;
    uint32_t bound;
    uint32_t unroll;
    bool unroll_asked; /* by the user */
    bool races;
    bool count_distinct;
    unsigned jobs;
    uint64_t until_ms; /* 0: no limit */
    const char *store; /* SQLite file, or NULL: nothing survives */
    const char *key;   /* names the program, its arguments and the options */
    void (*progress)(void *arg, const struct verify_progress *p);
    void *progress_arg;
};

/* An execution worth showing, with all that is needed to have it again. */
struct verify_shown {
    const struct model *model;
    struct finding finding; /* with decisions, class, cycle, fences */
    struct trace trace;
    bool failed;
};

struct verify_model {
    const struct model *model;
    enum answer sc_violation, property_broken;
    bool complete;
    const char *why;    /* not complete: why; else NULL */
    bool by_robustness; /* nothing was explored: SC's executions are all */
    uint64_t executions, blocked, cut, redundant;
    double seconds;
};

struct verify_result {
    struct verify_model *models; /* as in the options */
    uint64_t sc_executions;      /* traces explored on SC */
    uint64_t sc_blocked;         /* of these, ended by fencer_assume */
    uint64_t sc_distinct;        /* with count_distinct */
    uint64_t borderline[MONITOR_COUNT];
    uint64_t events;
    double sc_seconds, first_report_seconds[MONITOR_COUNT];
    bool sc_complete;
    struct verify_shown **shown; /* findings, worst first */
    size_t shown_count;
    const struct channel_race *races;
    size_t race_count;
    const char *const *limits; /* what was cut, in words */
    size_t limit_count;
    bool cut_by_default; /* a bound that the user did not ask for was hit */
    uint64_t extern_hits[8];
    const char *by_process, *stopped, *refused; /* why, or NULL */
    bool resumed;
};

/* All of it.  Everything in *r lives in `a`.  False: the machine failed us. */
bool verify_run(const struct verify_options *o, struct arena *a,
                struct verify_result *r, struct err *e);

/* From a monitor's report to an execution of its model that is not SC.
 * `decisions` are those of the SC execution it was found in.  *found: a finding
 * with its cycle, replayed; false there: it could not be brought about. */
struct verify_witness {
    const struct verify_options *o;
    const struct model *model;
    const struct channel_report *report;
    const uint32_t *decisions;
    size_t decision_count;
};
bool verify_witness(const struct verify_witness *w, struct arena *a,
                    struct verify_shown *shown, bool *found, struct err *e);

#endif
