/* SPDX-License-Identifier: MIT
 *
 * A search over graphs under way (verify_graphs.c): the parts of its tree
 * (graphs_parts.c), what they found (graphs_found.c), and how it is kept
 * (graphs_store.c).
 *
 * All executions have an order, that in which one worker alone would find them
 * (graph/graph_way.h).  A part is an interval of it, and the parts are a list
 * in that order.  What comes of the first part counts at once; what comes of
 * others counts when all before them is done.  So the answer is that of one
 * worker, whoever is the first to find something.
 */
#ifndef VERIFY_VERIFY_GRAPHS_H
#define VERIFY_VERIFY_GRAPHS_H

#include "base/buf.h"
#include "verify/estimate.h"
#include "verify/verify_inside.h"
#include "worker/pool.h"

/* How far a part is: what is left of it, which the program alone understands,
 * and what the executions up to there came to. */
struct graphs_progress {
    struct buf state;
    bool only_learns; /* of the state, only what the program is like */
    struct counts counts;
    struct tally outcomes;
};

/* An execution that is of interest, unless one before it shows the same. */
struct graphs_found {
    struct graphs_found *next; /* of the same part, later */
    enum graph_found what;
    uint64_t signature;
    uint32_t race_count;
    struct graph_race_sites races[GRAPH_RACES_MAX];
    struct shown *shown;  /* NULL: it could not be brought about */
    const char *race;     /* FOUND_UNORDERED: in words */
    struct counts counts; /* up to it, from the one before it */
    struct tally outcomes;
};

/* A part of the tree, and its worker while it has one. */
struct graphs_part {
    struct graphs *graphs;
    struct graphs_part *next;
    struct task task;
    struct channel_graph orders;
    struct channel_explore explore;
    struct graphs_progress now, /* at the end of its last job */
        before;                 /* the first of `found` */
    struct graphs_found *found; /* that do not count yet */
    struct arena arena;         /* of these, and of the outcomes */
    bool over;                  /* nothing is left of it */
    bool is_last;   /* what it found is enough: nothing comes after it */
    bool asked;     /* to give some of it away */
    bool given;     /* it was given away, and had no job yet */
    uint64_t begun; /* ms: its job */
};

struct graphs {
    struct search *s;
    struct pool pool;
    struct channel_graph orders; /* of every job */
    struct graphs_part *parts;   /* those that are left, in their order */
    uint32_t tree;               /* its number, for the workers */
    uint32_t deeper; /* levels by which parts are cut deeper than they can be */
    unsigned losses;
    bool shared;      /* there were several parts */
    bool hinted;      /* who began it knew more than one worker alone would */
    struct buf known; /* a state: what was known when there first were; then
                         all that was learnt since */
    VEC(struct channel_fact) facts; /* of all who explore it, sorted */
    bool pausing, enough, refused, stopped;
    bool missed;          /* something was found that could not be shown */
    struct buf race;      /* counts.race */
    uint64_t alone_since; /* ms: when the tree was begun */
    uint64_t alone_ms;    /* longer than others it is explored by one */
    bool alone;           /* and to its end */
    uint64_t due_at, save_ms;
    struct estimate estimate;
    uint64_t begun, estimate_at, estimated_at; /* ms; when next, and last */
};

/* ---- graphs_parts.c ---- */

/* A new one; `after`: NULL if it is the first. */
struct graphs_part *part_add(struct graphs *g, struct graphs_part *after);
/* Takes it, and all that came of it, away.  Its worker is stopped. */
void part_drop(struct graphs *g, struct graphs_part *k);
void parts_drop_after(struct graphs *g, const struct graphs_part *k);
/* Can it have a job? */
/* Did a job of it say that a load may be late? */
bool part_has_doubts(struct graphs_part *k);
bool part_is_ready(const struct graphs_part *k);
/* Its job has ended, with that found, or NULL: what came of it. */
void part_take(struct graphs_part *k, struct graphs_found *found);
/* Counts what nothing is before any more, and tells what was found there. */
bool parts_settle(struct graphs *g, struct err *e);
/* The search is stopped, and kept: the same of all that waits. */
bool parts_tell_waiting(struct graphs *g, struct err *e);
/* What the job of that part found out.  False: one relies on what is not so for
 * another, and the tree is another. */
bool parts_agree(struct graphs *g, const struct graphs_part *k);
/* Nothing of the counts so far is of the tree that is explored now. */
void parts_forget_counts(struct graphs *g);

/* ---- graphs_found.c ---- */

/* What the job of that part, which has ended, found, and nothing before it
 * shows; NULL: nothing.  *late: there was no time to look at it.  False: e says
 * what is wrong with the machine. */
bool found_take(struct graphs_part *k, struct graphs_found **found, bool *late,
                struct err *e);
/* Will it be enough? */
bool found_is_last(const struct graphs *g, const struct graphs_found *f);
/* What is known by the end of that part's last job, for its next one. */
void found_put_known(const struct graphs_part *k, struct channel_graph *orders);
/* Nothing is before it any more. */
bool found_tell(struct graphs *g, const struct graphs_found *f, struct err *e);

/* ---- graphs_store.c ---- */

/* How far it is, while nobody runs; and from where it goes on. */
bool graphs_save(const struct graphs *g, struct err *e);
bool graphs_load(struct graphs *g, struct err *e);

/* ---- graphs_estimate.c ---- */

/* Is it time to look how many executions there are? */
bool graphs_estimate_is_due(const struct graphs *g);
/* Looks, while nobody runs; that takes a moment. */
bool graphs_estimate(struct graphs *g, struct err *e);

#endif
