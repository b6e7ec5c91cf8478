/* SPDX-License-Identifier: MIT
 *
 * The workers of one exploration (verify_search.c), what came of their jobs
 * (take.c) and copies of the tree that they share (verify_copy.c).
 */
#ifndef VERIFY_CREW_H
#define VERIFY_CREW_H

#include "base/buf.h"
#include "verify/verify_inside.h"
#include "worker/pool.h"

struct seat {
    struct crew *crew;
    struct task task;
    struct channel_explore orders;
    bool asked; /* to pause */
    uint64_t rest_until;
};

/* How things stood at a moment at which no worker ran. */
struct copy {
    bool whole; /* the tree is in it */
    struct buf tree;
    struct counts counts;
    struct tally outcomes;
};

struct crew {
    struct search *s;
    struct pool pool;
    struct seat *seats;
    unsigned count;
    int tree; /* -1: the strategy has none that outlives a job */
    bool finished, pausing, keep_going;
    bool shares;      /* several may be at the tree at once */
    bool astray;      /* a worker was lost, and with it part of the tree */
    unsigned empty;   /* jobs in a row with nothing in them */
    unsigned repeats; /* failures that were known */
    unsigned losses;
    uint64_t save_at, save_ms, begun_at;
    double seconds_before, explored;
    struct copy copy;
};

double crew_seconds(const struct crew *c);

/* ---- take.c ---- */

/* The worker of that task, which is a seat's, has ended its job, or itself. */
bool crew_take(struct task *t, struct err *e);

/* ---- verify_copy.c ---- */

/* False: the tree is too large to be copied, or there is none. */
bool copy_read_tree(int tree, struct buf *bytes);
bool copy_write_tree(int tree, const char *bytes, size_t count);

void copy_take(struct crew *c);
/* Keeps it in the store (verify_store.c). */
bool store_save_search(const struct search *s, const struct copy *copy,
                       struct err *e);
/* As it was at the last copy.  False: there is no such copy. */
bool copy_restore(struct crew *c);
void copy_free(struct copy *copy);

#endif
