/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share.
 */
#ifndef ENGINE_ENGINE_INSIDE_H
#define ENGINE_ENGINE_INSIDE_H

#include "encode/encode.h"
#include "engine/engine.h"
#include "worker/stop.h"

/* A loop that comes round more often, with an effect each time, is cut. */
#define BOUND_MAX 64

/* More observations than these are not mined: the specification becomes part
 * of the formula (large.c). */
#define OBSERVATIONS_MAX 20000

/* What we may have in memory before we give up. */
#define MEMORY_MAX (1900ull << 20)

struct session {
    const struct check_options *options;
    struct arena *arena;
    struct check_result *result;
    char stage[256]; /* "T0, x86 (TSO): mining" */
    /* How far that is. */
    uint64_t observations, rounds, accesses, solves;
    struct stop stop;
    bool memory_out;
    uint32_t looks;
};

/* What is expected of a test. */
struct expected {
    enum test_specification kind;
    const struct observation_set *set; /* NONE: errors only */
    const struct commits *commits;     /* FORMULA */
    bool fails_serially;               /* NONE: operations fail even alone */
    bool unknown;                      /* nothing could be found out */
    double seconds;
};

/* The access at which each operation takes effect: sites by operation of the
 * program. */
struct commits {
    uint32_t *sites;
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
bool session_ended(struct session *s);
/* That test on that model, before anybody comes to it. */
struct tested session_untested(const struct test *t, const struct model *m);

/* ---- trial.c ---- */

/* One test on one model; asked again with other fences it knows what it has
 * learned. */
struct trial {
    struct session *s;
    const struct test *test; /* NULL: main */
    const struct model *model;
    const struct expected *expected;
    const struct encode_fence *fences; /* that can be switched */
    bool *fence_on;
    size_t fence_count;
    struct tested out;
    struct violation violation; /* if it is broken; until asked again */

    struct flat_bounds *bounds;
    struct arena arena; /* of this round */
    struct flat *flat;
    struct encoding *x;
};

/* The fences are lent; NULL: none. */
void trial_begin(struct trial *t, struct session *s, const struct test *test,
                 const struct model *m, const struct expected *expected,
                 const struct encode_fence *fences, size_t fence_count);
void trial_end(struct trial *t);

/* Fills `out` and `violation`. */
void trial_run(struct trial *t);

/* Another violation of the trial that is broken, with another error or
 * observation.  False: there is none.  Nothing can be asked of it after that.
 */
bool trial_other(struct trial *t);

/* ---- large.c ---- */

/* Looks for commits by which small tests with the operations of this one are
 * explained.  False: there are none, or no time. */
bool large_find_commits(struct session *s, const struct test *test,
                        struct commits *out);

/* Puts the specification into the trial's formula. */
void large_begin(struct trial *t);

/* Is there an execution that no serial one explains?  YES: t->x has it. */
enum answer large_ask(struct trial *t);

/* ---- engine_stuck.c ---- */

/* Does some serial execution of the test wait in the same way? */
bool stuck_is_meant(const struct trial *t, const struct flat_run *run);

/* ---- fences.c ---- */

/* --fences: what makes these tests pass, and what they do not need. */
void check_fences(struct session *s, const struct expected *expected);

/* The cheapest fences with which the trial that is broken passes; how many.  0:
 * there are none, or it would take too long. */
size_t check_cure(const struct trial *t, struct encode_fence *out, size_t most);

#endif
