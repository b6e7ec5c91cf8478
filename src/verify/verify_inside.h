/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: the state of one `fencer verify`.
 */
#ifndef VERIFY_VERIFY_INSIDE_H
#define VERIFY_VERIFY_INSIDE_H

#include "base/buf.h"
#include "verify/verify.h"

/* Accesses in a cycle that is shown, at most. */
#define VERIFY_CYCLE_LENGTH 8

struct verify {
    const struct verify_options *o;
    struct arena *arena; /* the result's */
    struct verify_result *r;
    size_t shown_room;
    const char *refused;       /* why it is not explored as graphs, or NULL */
    const struct model *asked; /* weakest_try was tried on that first */
    bool settled;              /* and it has SC's executions, and no others */
    struct lines left; /* what a search that was stopped had before it */
    unsigned attempts[MONITOR_COUNT]; /* reports that came to nothing */
};

/* ---- verify_search.c: all executions on one model ---- */

struct search {
    struct verify *v;
    const struct model *model;
    const char *phase;
    struct counts *counts;
    struct tally *outcomes;
    /* A worker's last execution, with its decisions: it failed, or monitors
     * reported it, or it has new races; NULL: not asked.  Called while that
     * worker waits. */
    bool (*failed)(struct search *s, const struct worker *w, struct err *e);
    bool (*reported)(struct search *s, const struct worker *w,
                     enum monitor_kind kind, struct err *e);
    bool (*raced)(struct search *s, const struct worker *w,
                  const struct channel_race *race, struct err *e);
    uint32_t monitors; /* that watch */
    uint32_t known;    /* of these, that need not report any more */
    bool enough;       /* set by any of the above */
    bool lost;         /* set by `failed`: it does not come again */

    /* Of a search over graphs. */
    bool wants_not_sc, all_known; /* as in struct channel_graph */
    bool wants_unordered;         /* the same */
    bool wants_pairs;             /* the same */
    const struct channel_fence *fences;
    size_t fence_count;
    struct spec_text *allowed; /* what may be observed; NULL: anything */
    size_t allowed_count;
    uint64_t most;      /* executions, then it is enough; 0: no limit */
    struct shown *last; /* set: what was found last */
};

/* ---- weakest.c: all ways to compile C for a processor at once ---- */

/* Has the processor no executions but SC's, whichever of its mappings is taken,
 * and with or without dependencies, and none that fails?  Then the counts are
 * those of SC, and of each.  *is_so false: it is not known. */
bool weakest_try(struct verify *v, const struct model *m, struct counts *counts,
                 struct tally *outcomes, bool wants_unordered, bool *is_so,
                 struct err *e);

/* ---- verify_graphs.c: all executions on one model, as graphs ---- */

bool graphs_can_run(const struct verify *v);
/* *done: that was it; else the program is not explored so, and why is known. */
bool graphs_run(struct search *s, bool *done, struct err *e);

/* What such an execution did wrong. */
#define STRANGE_ERROR "it observed what no SC execution does"

/* Runs it to its end, or until it is enough or time to stop.  Goes on where the
 * store says.  False: e says what is wrong with the machine. */
bool search_run(struct search *s, struct err *e);
/* The same as graphs, or not at all.  *done: nothing is left to do. */
bool search_run_graphs(struct search *s, bool *done, struct err *e);

/* The first executions on a model, one after the other, by one worker on a
 * tree of its own. */
struct piece {
    const struct model *model;
    uint64_t count;
    bool to_failure; /* the first one ends it */
    const struct channel_fence *fences;
    size_t fence_count;
};
/* The last execution is there with its decisions.  Then worker_free. */
bool search_piece(struct verify *v, const struct piece *p, struct worker *w,
                  struct err *e);

/* Did it have every execution, and is there one? */
bool search_is_complete(const struct counts *c);

/* ---- chance.c: executions by chance ---- */

/* Some on SC: one that fails is shown. */
bool chance_try_sc(struct verify *v, struct err *e);

/* ---- verify_steps.c: executions that are known as steps ---- */

/* A job of one execution of the model, with what happens in it. */
struct job steps_job(const struct verify_options *o, const struct model *m);
/* Runs it to its end.  False: e says why not. */
bool steps_run_job(const struct job *j, uint64_t until_ms, struct worker *w,
                   struct err *e);
/* Its machine takes the steps (job.witness): what it did.  *done: they were
 * taken. */
bool steps_take(const struct verify_options *o, const struct job *j,
                struct arena *a, struct shown *shown, bool *done,
                struct err *e);

/* ---- verify_told.c: executions that no machine can show ---- */

/* Does one that was kept pass the axioms again? */
bool told_passes(struct shown *s);
/* The data race of an execution of SC that the search told, in words.  False:
 * it has none. */
bool told_race(const struct verify_options *o, const struct worker *w,
               struct arena *a, struct buf *out);
/* Is that race shown already? */
bool told_has_race(const struct verify *v, const struct shown *s);

/* ---- sc_races.c: data races on SC ---- */

struct sc_race {
    uint32_t sites[2], threads[2]; /* of the earlier access, and the later */
};

bool race_is_shown(const struct verify *v, const struct sc_race *r);
/* Tells it with that execution, which has it. */
bool race_add(struct verify *v, const struct shown *shown,
              const struct sc_race *r, struct err *e);
/* Is there such a race between these sites?  Then by which threads. */
bool race_find(const struct trace *t, struct sc_race *r);

/* ---- verify_shown.c: executions worth showing ---- */

/* A worker's last execution, run again in a fresh process.  NULL: it did not
 * come again. */
struct shown *shown_of(struct verify *v, const struct worker *w,
                       enum finding_class class);
/* It did other things under the same decisions, because of `source` or NULL. */
void shown_note_unsteady(struct verify *v, const char *source);
/* Does it pass the gate? */
bool shown_passes(struct verify *v, struct shown *s);
/* Is such a failure shown already, on that model or a stronger one? */
bool shown_has_failure(const struct verify *v, const struct model *m,
                       const struct channel_failure *f);
void shown_put(struct verify *v, struct shown *shown);
/* The same, and keeps it in the store. */
bool shown_add(struct verify *v, struct shown *shown, struct err *e);
/* Of that model and class, or NULL. */
struct shown *shown_find(const struct verify *v, const struct model *m,
                         enum finding_class class);
/* Classes are known now: drops what another finding tells too, and sorts. */
void shown_settle(struct verify *v);

/* ---- strange.c: what SC never observes ---- */

/* An execution of that model, of which all were explored, that observes what
 * none on SC does; NULL: there is none, or *unknown. */
bool strange_find(struct verify *v, const struct verify_model *m,
                  struct shown **shown, bool *unknown, struct err *e);

/* ---- cure.c ---- */

/* Which fences would prevent the harmful ones? */
bool cure_all(struct verify *v, struct err *e);

/* ---- mend.c ---- */

/* Which changes of the source would prevent all that fails?  It may try so many
 * executions. */
bool mend(struct verify *v, uint64_t executions, struct err *e);

/* ---- verify_store.c ---- */

/* The counts of that exploration, and the tree; false: nothing is kept (or e
 * says what is wrong).  A tree that is too large is not kept. */
bool store_load_search(struct search *s, int tree, struct err *e);
bool store_load_tree(struct search *s, struct buf *tree, struct err *e);
bool store_save_shown(struct verify *v, size_t number, struct err *e);
bool store_load_shown(struct verify *v, struct err *e);

#endif
