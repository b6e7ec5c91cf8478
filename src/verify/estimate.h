/* SPDX-License-Identifier: MIT
 *
 * How many executions are there?  Random descents in the tree of graphs each
 * say a number, whose mean is right (Knuth, 1975) but which differ by orders of
 * magnitude: so what is told is an order of magnitude and a spread, never a
 * promise.
 */
#ifndef VERIFY_ESTIMATE_H
#define VERIFY_ESTIMATE_H

#include "base/vec.h"
#include "verify/verify_inside.h"

struct estimate {
    VEC(double) weights; /* what each descent says */
    double bits;         /* of choice, in the last descents; where most are */
    struct channel_branch branches[CHANNEL_BRANCHES_MAX];
    uint32_t branch_count;
};

/* The descents of that job. */
void estimate_add(struct estimate *x, const struct worker *w, struct arena *a);

/* "about 10^9 executions (10^8 to 10^11)": powers of ten.  `explored`: there
 * are at least so many.  False: nothing is known. */
struct magnitude {
    int about, low, high;
};
bool estimate_magnitude(const struct estimate *x, uint64_t explored,
                        struct magnitude *to);

/* A search was stopped: what is left, and what to make smaller if nobody will
 * ever wait for it. */
void estimate_tell(const struct estimate *x, const struct search *s,
                   struct lines *to);

#endif
