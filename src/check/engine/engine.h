/* SPDX-License-Identifier: MIT
 *
 * A data type, or a program with a main, against every bounded execution: grow
 * loop bounds, mine the specification, look for an execution that no serial one
 * explains, and show it.  The door of this folder.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/lines.h"
#include "encode/encode.h"
#include "engine/engine_replay.h"
#include "engine/spec.h"
#include "lsl/lsl.h"
#include "lsl/lsl_test.h"
#include "model/model.h"
#include "session/tested.h"

struct check_options {
    const struct lsl_program *program;
    const struct lsl_program *reference; /* --spec, or NULL */
    const struct test *tests;            /* count 0: main's assertions */
    size_t test_count;
    const struct model *const *models; /* strongest first */
    size_t model_count;
    unsigned arm; /* C's atomics there: 0 LSE, 1 LL/SC, 2 both */
    bool rcpc, deps;
    uint32_t unroll; /* largest bound of a loop; 0: our own limit */
    bool fences;
    enum encode_order order; /* for experiments, with the next two */
    bool no_ranges;
    bool in_formula;   /* the specification is part of the formula, always */
    uint64_t until_ms; /* 0: no limit */
    struct spec_store *store; /* or NULL */
    /* The program built for the runtime, for replays: base.arguments gets the
     * test's notation. */
    struct job base;
    const struct program *tables;
};

/* Of shown[]: strongest model first; one per cause. */
struct check_result {
    struct tested *tests; /* test after test, models inside */
    size_t test_count;
    struct shown **shown;
    size_t shown_count;
    const struct test **shown_test; /* of each shown */
    struct needed_fence *fence_set, *not_needed;
    size_t fence_set_count, not_needed_count;
    struct lines limits;
    bool stopped; /* time, or a signal */
};

/* What could not be done is in the limits, its verdict unknown. */
void check_run(const struct check_options *o, struct arena *a,
               struct check_result *out);

#endif
