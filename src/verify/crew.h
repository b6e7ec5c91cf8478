/* SPDX-License-Identifier: MIT
 *
 * The worker of one exploration (verify_search.c), what came of its jobs
 * (take.c) and copies of its tree (verify_copy.c).
 */
#ifndef VERIFY_CREW_H
#define VERIFY_CREW_H

#include "base/buf.h"
#include "verify/verify_inside.h"
#include "worker/pool.h"

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
    struct task task;
    struct channel_explore orders;
    int tree;
    bool finished, pausing, keep_going;
    bool asked;       /* to pause */
    bool astray;      /* a worker was lost, and with it part of the tree */
    unsigned empty;   /* jobs in a row with nothing in them */
    unsigned repeats; /* failures that were known */
    unsigned losses;
    uint64_t save_at, save_ms, begun_at;
    double seconds_before;
    struct copy copy;
};

double crew_seconds(const struct crew *c);

/* ---- take.c ---- */

/* The worker of that task, the crew's, has ended its job, or itself. */
bool crew_take(struct task *t, struct err *e);

/* ---- verify_copy.c ---- */

/* False: the tree is too large to be copied, or there is none. */
bool copy_read_tree(int tree, struct buf *bytes);
bool copy_write_tree(int tree, const char *bytes, size_t count);

void copy_take(struct crew *c);
/* Keeps it in the store (verify_store.c). */
bool store_save_search(const struct search *s, const struct copy *copy,
                       struct err *e);
/* What was observed, as text: a line for each. */
void store_put_outcomes(const struct tally *outcomes, struct buf *out);
void store_take_outcomes(const char *text, struct tally *outcomes,
                         struct arena *a);
/* As it was at the last copy.  False: there is no such copy. */
bool copy_restore(struct crew *c);
void copy_free(struct copy *copy);

#endif
