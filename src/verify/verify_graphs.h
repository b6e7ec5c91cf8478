/* SPDX-License-Identifier: MIT
 *
 * A search over graphs under way (verify_graphs.c), and how it is kept
 * (graphs_store.c).
 */
#ifndef VERIFY_VERIFY_GRAPHS_H
#define VERIFY_VERIFY_GRAPHS_H

#include "base/buf.h"
#include "verify/estimate.h"
#include "verify/verify_inside.h"
#include "worker/pool.h"

#define GRAPHS_SEATS_MAX 64

/* A part of the tree, and its worker while it has one. */
struct graphs_seat {
    struct graphs *graphs;
    struct task task;
    struct channel_graph orders;
    struct channel_explore explore;
    bool over;        /* its part is done */
    struct buf state; /* how far it is, at the end of its last job */
    bool only_learns; /* of that, only what the program is like */
};

struct graphs {
    struct search *s;
    struct pool pool;
    struct channel_graph orders; /* of every job */
    struct graphs_seat seats[GRAPHS_SEATS_MAX];
    unsigned seat_count;
    unsigned losses;
    bool pausing, enough, refused, stopped;
    bool relies;     /* on what only one search can see: it stays alone */
    bool missed;     /* something was found that could not be shown */
    struct buf race; /* counts.race */
    uint64_t due_at, save_ms;
    struct estimate estimate;
    uint64_t begun, estimate_at, estimated_at; /* ms; when next, and last */
};

/* How far it is, while nobody runs; and from where it goes on. */
bool graphs_save(const struct graphs *g, struct err *e);
bool graphs_load(struct graphs *g, struct err *e);

/* ---- graphs_estimate.c ---- */

/* Is it time to look how many executions there are? */
bool graphs_estimate_is_due(const struct graphs *g);
/* Looks, while nobody runs; that takes a moment. */
bool graphs_estimate(struct graphs *g, struct err *e);

#endif
