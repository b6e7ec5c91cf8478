/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: the state of one `fencer test`.
 */
#ifndef EXPOSE_EXPOSE_INSIDE_H
#define EXPOSE_EXPOSE_INSIDE_H

#include "base/index.h"
#include "base/map.h"
#include "base/vec.h"
#include "expose/expose.h"
#include "finding/every.h"
#include "worker/pool.h"

/* A cycle and what is known of it, by model as numbered in the options. */
struct known {
    struct cycle cycle;
    struct verdict verdicts[CYCLE_MODELS_MAX];
    bool kept; /* the cycle is in the store */
};

/* A harmful execution in which more than one pair was reordered: whose fault
 * it is shows when all others are known. */
struct suspect {
    struct shown *shown;
    size_t cycle, model;
};

/* What one piece of work may take (share.c). */
struct share {
    bool on, over;
    bool stopped;      /* a job was, because it was over */
    bool needs_one;    /* until one execution has ended it has more */
    uint64_t work_ms;  /* of the processor */
    uint64_t until_ms; /* by the clock */
    uint64_t worked_ms;
};

#define DOUBT_STRATEGIES 3

/* Executions by chance on one model (first.c). */
#define DRAWINGS 2
struct drawn {
    bool begun;
    bool useless; /* the program cannot be run so */
    uint64_t next[DRAWINGS];
    struct counts counts; /* not yet among the model's */
    VEC(struct shown *) failed;
    size_t judged; /* of those */
};

struct expose {
    const struct expose_options *o;
    struct arena *arena; /* the result's */
    struct expose_result *r;
    struct predict *predict;
    bool watched; /* the program has been seen to run */
    VEC(struct known) known;
    struct index known_index; /* by cycle */
    struct map sc_outcomes;   /* keys of what executions observed and printed */
    VEC(struct suspect) suspects;
    VEC(struct channel_failure) doubts;  /* that SC had its chance at */
    uint64_t sc_drawn[DOUBT_STRATEGIES]; /* executions on SC, by doubt.c */
    bool asked_steady;                   /* confirm_is_steady was */
    VEC(struct race) races;              /* of a run that was kept */
    struct pool pool;
    struct share share;
    uint64_t model_until_ms; /* of the search on this model; 0: no limit */
    bool model_cut;          /* it came to that */
    bool looks_first;        /* first_look does */
    struct drawn drawn[CYCLE_MODELS_MAX];
    VEC(struct channel_failure) announced;
    uint64_t confirm_until_ms;       /* 0: no limit */
    struct ahead *ahead;             /* while cycles are sought; else NULL */
    bool looks_ahead;                /* there are few executions on SC */
    struct every_ahead *every_ahead; /* NULL: nothing is */
    size_t every_next;               /* models from there on */
    struct told_ahead *told_ahead;
};

/* ---- batch.c: the program as a process ---- */

/* One job from start to end, or until it is time to stop (x->r->stop); then
 * pool_release.  False: e says what is wrong with the machine. */
bool batch_run(struct expose *x, const struct job *j, struct worker *w,
               struct err *e);
/* The same of a task that was started before. */
bool batch_wait(struct expose *x, struct task *t, struct worker *w,
                struct err *e);
/* Gives idle workers something to do. */
bool batch_fill(struct expose *x, struct err *e);
/* The same now and then while the tool looks at many executions: at the n-th of
 * them. */
bool batch_poll(struct expose *x, size_t n, struct err *e);
/* What they do is not needed. */
void batch_drop_ahead(struct expose *x);
/* Adds what a finished worker counted to the sums of that model, if it is one
 * that was asked for. */
void batch_account(struct expose *x, const struct model *m,
                   const struct worker *w);
void batch_add_counts(struct expose *x, const struct model *m,
                      const struct counts *counts);

/* ---- every_ahead.c: every execution on a machine ---- */

/* All of them on that model; then every_free.  *few: there are so few that
 * all can be had, and w has them, traced; then pool_release. */
bool batch_every(struct expose *x, const struct model *m, struct every *v,
                 struct worker *w, bool *few, struct err *e);
/* Has that worker all of them? */
bool batch_is_whole(struct expose *x, const struct every *v,
                    const struct worker *w);

/* What that may take. */
uint64_t every_share_ms(const struct expose *x);
/* The model that is next, while workers are idle. */
bool every_ahead_fill(struct expose *x, struct err *e);
void every_ahead_end(struct expose *x);

/* The last execution of a worker that ran with RECORD, traced.  NULL: it is
 * time to stop, or e says what is wrong with the machine. */
struct shown *expose_again(struct expose *x, const struct worker *w,
                           struct err *e);

/* ---- share.c: what a piece of work may take ---- */

/* From now on, until share_end. */
void share_begin(struct expose *x, uint64_t ms);
void share_end(struct expose *x);
/* Is it, with what that worker does now? */
bool share_is_over(struct expose *x, const struct worker *w);
/* When to look at it again; 0: never. */
uint64_t share_look_ms(const struct expose *x);
/* Its job has ended. */
void share_take(struct expose *x, const struct worker *w);
/* Was the last job stopped, by its share or by the end of all? */
bool batch_was_stopped(struct expose *x);

/* Until then. */
uint64_t share_left_ms(uint64_t until_ms);
/* The search on a model begins, and so many more share the time; 0: nobody
 * does, it may take all that is left. */
void share_of_model(struct expose *x, size_t models);
bool share_of_model_is_over(struct expose *x);

/* ---- first.c: executions by chance ---- */

bool first_look(struct expose *x, struct err *e);
/* All of them on that model, and counted: x->drawn has those that fail. */
bool draw_all(struct expose *x, size_t model, struct err *e);
/* Was a pair of that cycle swapped in one of them? */
bool drawn_has_pair(struct expose *x, const struct cycle *c);
void drawn_free(struct expose *x);

/* ---- expose_record.c, enumerate.c, expose_search.c ---- */

bool record_sc(struct expose *x, struct err *e);
/* A failure on SC; takes it over. */
void record_keep_failure(struct expose *x, struct shown *e);

/* Tries to have every execution on that model (SC: too).  *all: there is none
 * that was not looked at. */
bool enumerate_model(struct expose *x, size_t model, bool *all, struct err *e);

bool search_model(struct expose *x, size_t model, struct err *e);
/* The cycles in executions by chance that fail, where no harmful pair that is
 * known explains that.  Each is looked at once. */
void search_drawn(struct expose *x, size_t model);

/* ---- expose_told.c: models without a machine ---- */

/* All of that model's work.  *all: there is no execution that was not looked
 * at. */
bool told_model(struct expose *x, size_t model, bool *all, struct err *e);
/* How C may be compiled for it. */
size_t told_mappings(const struct expose *x, const struct model *m,
                     const struct model *list[MODEL_ASKED_MAX]);
/* Is it what it claims to be? */
bool told_is_claimed(struct expose *x, struct shown *s);

/* A job of such a model: every execution, or some that are drawn to close a
 * cycle.  It depends on nothing that others find. */
#define TOLD_ALL SIZE_MAX
struct told_job {
    size_t model, cycle; /* that, or TOLD_ALL */
    const struct model *mapping;
    struct every every;
    struct channel_graph orders;
    struct channel_goal goal;
    struct job job;
};
uint64_t told_share_ms(const struct expose *x, size_t cycle);
void told_job_all(const struct expose *x, size_t model,
                  const struct model *mapping, struct told_job *j);
/* So many of them. */
void told_job_goal(const struct expose *x, size_t model,
                   const struct model *mapping, size_t cycle, uint64_t count,
                   struct told_job *j);

/* ---- told_ahead.c: the same, while workers are idle ---- */

void told_ahead_begin(struct expose *x);
void told_ahead_end(struct expose *x);
/* The cycles after this one are next, with up to so many executions each.  No
 * mapping: no cycle is. */
void told_ahead_turn_to(struct expose *x, size_t model,
                        const struct model *mapping, size_t cycle,
                        uint64_t count);
/* Gives idle workers something to do. */
bool told_ahead_fill(struct expose *x, struct err *e);
/* Runs that job, or takes what running it ahead has given.  The job has to
 * outlive the worker. */
bool told_ahead_run(struct expose *x, struct told_job *j, struct worker *w,
                    struct err *e);

/* A search for a cycle, or for one in which a certain pair is reordered: what
 * it begins with.  Both depend on nothing that other searches find. */
#define SEARCH_WHOLE (-1)
struct job search_first_job(const struct expose *x, size_t cycle, size_t model,
                            int pair);
struct channel_goal search_goal(const struct expose *x, size_t cycle,
                                size_t model, int pair);
/* Is the cycle one for that model, and not sought yet? */
bool search_is_wanted(const struct expose *x, size_t cycle, size_t model);

/* Was it sought in vain on the model before, where the same pairs may be
 * swapped?  Then fewer executions do. */
bool search_is_unlikely(const struct expose *x, size_t cycle, size_t model);

/* ---- ahead.c: jobs that idle workers run ahead ---- */

void ahead_begin(struct expose *x, size_t model);
/* The search for that cycle begins now. */
void ahead_turn_to(struct expose *x, size_t cycle);
/* Gives idle workers something to do. */
bool ahead_fill(struct expose *x, struct err *e);
/* Runs the job of that search, or takes what running it ahead has given. */
bool ahead_run(struct expose *x, size_t cycle, int pair, const struct job *j,
               struct worker *w, struct err *e);
void ahead_end(struct expose *x);

/* Is there an execution with that cycle although these fences are there, and
 * one that fails?  *found stays NULL if none was created. */
struct fenced {
    const struct shown *shown;
    const struct channel_fence *fences;
    size_t count;
    uint32_t reorder; /* pairs, or 0: all that the model may reorder */
    bool failing;
};
bool search_with_fences(struct expose *x, const struct fenced *f,
                        struct shown **found, struct err *e);
/* The same by random executions, of which those that fail are looked at. */
bool shake_with_fences(struct expose *x, const struct fenced *f,
                       struct shown **found, struct err *e);

/* ---- hunt.c ---- */

/* An execution on that model that fails, or NULL. */
bool hunt_failure(struct expose *x, const struct model *m, struct shown **found,
                  struct err *e);

/* ---- doubt.c ---- */

/* SC has had its chance at that failure. */
void doubt_settle(struct expose *x, const struct channel_failure *f);
/* So many executions on SC; those that fail are kept. */
bool doubt_draw(struct expose *x, uint32_t strategy, uint64_t count,
                struct err *e);
/* Gives SC a chance to fail like that execution, once for each failure. */
bool doubt_failure(struct expose *x, const struct shown *it, struct err *e);

/* ---- expose_judge.c ---- */

enum harm {
    HARM_NONE,
    HARM_YES,
    HARM_PERHAPS /* it did what no watched SC execution did */
};

/* Does the program fail like that on SC, as far as is known? */
bool judge_fails_on_sc(const struct expose *x, const struct channel_failure *f);

/* Did that execution do what none on SC does?  Sets e->error. */
enum harm judge_harm(struct expose *x, struct shown *e);

/* The cycle, known by now; its number. */
size_t judge_know(struct expose *x, const struct cycle *c);

/* An execution on a model contains that cycle.  The execution is lent. */
void judge_take(struct expose *x, size_t model, size_t cycle, struct shown *e,
                enum harm harm);

/* Was nothing swapped in it but the pair that closed its cycle? */
bool judge_is_clean(const struct expose *x, struct shown *e);

/* Was a pair swapped in it that does harm on its own? */
bool judge_is_explained(const struct expose *x, struct shown *e);

/* Was a pair of that cycle swapped in it? */
bool judge_has_pair(const struct expose *x, struct shown *e,
                    const struct cycle *c);

/* Fences after every other store that was late in that execution, so that no
 * access overtakes it.  False: there are more than `max`. */
bool judge_others_late(const struct shown *e, struct channel_fence *fences,
                       size_t max, size_t *count);

/* All cycles of an execution that nobody sought; a harmful one without any is
 * kept too.  False: there were more than were looked at. */
bool judge_cycles(struct expose *x, size_t model, struct shown *e,
                  enum harm harm);

/* Would that change anything? */
bool judge_is_news(struct expose *x, size_t model, struct shown *e,
                   enum harm harm);

/* Cycles of an execution with a data race: its behaviour is undefined, which
 * the race tells. */
void judge_racy(struct expose *x, size_t model, struct shown *e);

/* On a weaker model everything is possible that was on a stronger one. */
void judge_inherit(struct expose *x, size_t model);

/* All executions were seen, or none is tried any more: what is left. */
void judge_rest(struct expose *x, size_t model, bool complete,
                const char *reason);

/* One that was kept; takes it over. */
void suspect_load(struct expose *x, struct shown *e, size_t cycle,
                  size_t model);
/* Is that verdict still open? */
bool is_suspect(const struct expose *x, size_t cycle, size_t model);
/* Whose fault the suspects are. */
void judge_suspects(struct expose *x);

/* ---- causes.c ---- */

/* The pair that was swapped in it closed its cycle.  The execution is
 * copied if it is the best to show so far. */
void cause_add(struct expose *x, const struct shown *e, bool harmful);
/* Would it be? */
bool cause_is_shown_by(struct expose *x, const struct shown *e, bool harmful);
/* The same from what was kept; takes the execution over. */
void cause_load(struct expose *x, struct shown *e, uint32_t first,
                uint32_t second, bool harmful);
bool causes_cure(struct expose *x, struct err *e);
void causes_sort(struct expose *x);

/* The first pair that was reordered: its sites. */
void witness_pair(const struct cycle *c, const struct cycle_witness *w,
                  uint32_t *first, uint32_t *second);

/* Does that pair of sites do harm, as far as is known? */
bool cause_is_harmful(const struct expose *x, uint32_t first, uint32_t second);
/* Is it so far shown by an execution of Alpha alone? */
bool cause_is_alpha_only(const struct expose *x, uint32_t first,
                         uint32_t second);

/* ---- expose_confirm.c ---- */

/* Does the program do the same again under the same decisions? */
bool confirm_is_steady(struct expose *x);
/* Tells an execution that fails, if it passes the gate: each failure once. */
void announce(struct expose *x, const struct shown *s);
/* Drops what does not pass the gate, and what was concluded from it. */
void confirm_all(struct expose *x);

/* ---- expose_store.c ---- */

/* Continues where the run that was kept is; x->watched says whether there is
 * one. */
bool store_load(struct expose *x, struct err *e);
/* All that is known before the models. */
bool store_watched(struct expose *x, struct err *e);
bool store_verdict(struct expose *x, size_t cycle, size_t model, struct err *e);
/* The model has come so far, unless it is time to stop. */
bool store_phase(struct expose *x, size_t model, enum expose_phase phase,
                 struct err *e);

#endif
