/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share.
 */
#ifndef CHECK_INSIDE_H
#define CHECK_INSIDE_H

#include "check/check.h"
#include "encode/encode.h"

/* A loop that comes round more often, with an effect each time, is cut. */
#define BOUND_MAX 64

/* More observations than these are not mined: the specification becomes part
 * of the formula (large.c). */
#define OBSERVATIONS_MAX 20000

struct session {
    const struct check_options *options;
    struct arena *arena;
    struct check_result *result;
    struct check_progress progress;
    char stage[256];
};

/* What is expected of a test. */
struct expected {
    uint8_t kind;                      /* enum check_specification */
    const struct observation_set *set; /* NONE: errors only */
    double seconds;
};

/* A violation, with what it is about. */
struct violation {
    struct flat *flat;
    struct encode_found *found;
};

/* Has the time come, or does the user want it to end?  Shows progress. */
bool session_stop(void *session);
void session_stage(struct session *s, const struct test *t,
                   const struct model *m, const char *stage);
bool session_ended(const struct session *s);
double session_seconds(void); /* of the processor */

/* ---- one.c ---- */

/* One test on one model; `test` NULL: main.  Fills `out` and, if it is broken,
 * `violation`. */
void check_one(struct session *s, const struct test *test,
               const struct model *m, const struct expected *expected,
               struct check_verdict *out, struct violation *violation);

/* Allows all observations of the set in that formula. */
void check_allow(struct encoding *x, const struct flat *f,
                 const struct observation_set *set);

#endif
