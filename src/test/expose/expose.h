/* SPDX-License-Identifier: MIT
 *
 * The engine of `fencer test`: watch a program on SC, predict the cycles that a
 * relaxed machine could close, create each of them, and say which ones hurt
 * (Relaxer, section 4; Orion, section III).  The door of this folder.
 *
 *   some by chance -> record -> predict
 *     -> for each model: enumerate, or search cycle by cycle
 *     -> verdicts -> causes -> cures
 */
#ifndef EXPOSE_EXPOSE_H
#define EXPOSE_EXPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "finding/shown.h"
#include "model/model.h"
#include "predict/predict.h"
#include "session/answer.h"
#include "session/store.h"
#include "worker/counts.h"
#include "worker/stop.h"

struct expose_options {
    struct job base; /* the program, its arguments, seed, flags, limits */
    const struct program *tables;
    const struct model *const *models; /* strongest first; perhaps SC too */
    size_t model_count;
    uint32_t strategy;  /* STRATEGY_DIRECTED, _RELAXER or _ORION */
    bool all_pairs;     /* orion: reorder all pairs at once */
    uint64_t recorded;  /* SC executions to watch */
    uint64_t budget;    /* executions of one search */
    uint64_t enumerate; /* executions to try to have all of them; 0: do not */
    unsigned max_length, max_instances, jobs;
    unsigned arm; /* mappings of arm: 0 lse, 1 llsc, 2 both */
    bool rcpc;    /* and acquire loads are ldapr */
    /* Does that model, which has no machine, allow that execution; *racy: with
     * a data race, on C11?  NULL: there are no such models. */
    bool (*allows)(const struct model *m, const struct trace *t, bool *racy,
                   struct err *why);
    uint64_t until_ms; /* 0: no limit */
    uint64_t time_ms;  /* all of it */
    bool own_time;     /* nobody asked for that limit */
    /* An execution that fails and has passed the gate, told when it is found;
     * NULL: at the end only.  It is lent. */
    void (*found)(void *context, struct shown *s);
    /* Each model with a machine had its first executions; NULL: never mind. */
    void (*looked)(void *context);
    /* All executions to show are known, and no fence was tried yet.  What this
     * proves a cure for (shown.proved) is not asked about fences any more. */
    bool (*mend)(void *context, struct err *e);
    void *context;
    struct store *store; /* NULL: nothing survives */
};

enum verdict_class {
    VERDICT_NONE, /* the cycle is not for that model */
    VERDICT_HARMFUL,
    VERDICT_BENIGN,
    VERDICT_INFEASIBLE,
    VERDICT_UNDECIDED
};
const char *verdict_words(enum verdict_class class);

/* What became of one cycle on one model. */
struct verdict {
    uint8_t class;          /* enum verdict_class */
    bool confirmed;         /* an execution contains it */
    bool searched;          /* it was sought for itself, or need not be */
    bool alone;             /* some execution has it that no other pair broke */
    uint32_t first, second; /* sites of the pair that was reordered */
    uint64_t executions;    /* spent on it */
    uint64_t first_hit;     /* execution that created it first, from 1 */
    double seconds;         /* until then */
    const char *reason;     /* undecided: why */
};

/* Cycles that one reordered pair of accesses closes. */
struct cause {
    uint32_t first, second;
    bool harmful;
    const struct model *model; /* the strongest that shows it */
    size_t cycles;             /* confirmed with it, on any model */
    struct shown *shown;       /* the worst, the shortest */
    /* Harmful: fences that make the search for the shown cycle fail. */
    struct channel_fence fences[CHANNEL_FENCES_MAX];
    size_t fence_count;
    bool cured; /* the search with them was made, and failed */
};

/* How far a model is. */
enum expose_phase {
    PHASE_BEGUN,
    PHASE_ENUMERATED, /* or not, because there are too many executions */
    PHASE_SEARCHED,   /* predicted cycles were */
    PHASE_SHAKEN,
    PHASE_DONE
};

/* Sums over one model. */
struct expose_model {
    const struct model *model;
    enum expose_phase phase;
    const char *refused; /* no machine: why its executions cannot be told */
    struct counts counts;
    struct done done;
    struct cycle_counts cycles;
};

struct expose_result {
    const struct cycle *cycles;
    size_t cycle_count;
    const struct verdict *verdicts; /* [cycle * model_count + model] */
    const struct race *races;
    size_t race_count;
    VEC(struct cause) causes;    /* harmful first, strongest model first */
    VEC(struct shown *) sc;      /* failures on SC, each kind once */
    struct expose_model *models; /* as in the options */
    uint64_t sc_executions;
    bool sc_complete;
    double predict_seconds;
    struct predict_cut cut;
    bool unsteady; /* under the same decisions the program does not always do
                      the same */
    const char *source;    /* of that, or NULL */
    const char *not_again; /* an execution that is not shown because it did not
                              come again: where and why, or NULL */
    struct stop stop;      /* why it ended before its time */
    const char *trouble;   /* some execution could not be run: why, or NULL */
};

/* All of it.  Everything in *r lives in `a`, or is a struct shown of its
 * own; expose_free gives those back.  False: the machine failed us. */
bool expose_run(const struct expose_options *o, struct arena *a,
                struct expose_result *r, struct err *e);
void expose_free(struct expose_result *r);

/* "sb.c:12:5>sb.c:13:9~...": a cycle as it is kept and compared. */
void cycle_text(const struct cycle *c, const struct fencer_site *sites,
                struct buf *out);

/* Of what this engine keeps (session/store.h). */
uint32_t expose_store_layout(void);

#endif
