/* SPDX-License-Identifier: MIT
 *
 * Litmus tests in the format of herd (Alglave, Maranget, Tautschnig): read
 * them, and judge them by the axioms of a model.
 */
#ifndef LITMUS_LITMUS_H
#define LITMUS_LITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/model.h"

struct litmus;

/* Reads a test; false: e says what is wrong, with its line. */
bool litmus_read(const char *text, size_t n, struct litmus **out,
                 struct err *e);
void litmus_free(struct litmus *t);

const char *litmus_name(const struct litmus *t);

/* The model of the file's architecture; c11 for C. */
const struct model *litmus_model(const struct litmus *t);

/* Who judges.  ENGINE(NAME, name, words) */
#define LITMUS_ENGINES(ENGINE)                                                 \
    ENGINE(AXIOMS, "axioms", "the model's axioms, over all executions")        \
    ENGINE(VERIFY, "verify", "the search over graphs of fencer verify")        \
    ENGINE(CHECK, "check", "the formula of fencer check")                      \
    ENGINE(ORACLE, "oracle", "brute force, with models of its own")

enum litmus_engine {
#define ENGINE(name, text, words) LITMUS_##name,
    LITMUS_ENGINES(ENGINE)
#undef ENGINE
        LITMUS_ENGINE_COUNT
};

/* What is asked besides the model. */
struct litmus_options {
    enum litmus_engine engine;
    const struct model *model;
    /* How C is compiled, by name; the executions of all of these count.  None:
     * the model's first. */
    const char *mappings[MODEL_MAPPINGS_MAX];
    double until; /* on the clock of seconds_passed; 0: no limit */
    /* Others than the model's, or NULL: for tests that leave one out. */
    const struct model_axioms *axioms;
};

struct litmus_state {
    const char *text; /* "0:X0=1; [x]=2;" */
    uint64_t executions;
};

struct litmus_answer {
    struct arena arena;
    bool judged;                 /* else `why' says what stands against it */
    bool holds;                  /* the statement, as quantified */
    bool race;                   /* C11: undefined behaviour */
    uint64_t positive, negative; /* executions that satisfy the condition */
    VEC(struct litmus_state) states;
    const char *why;
    const char *quantifier; /* "exists", "~exists", "forall" */
    const char *condition;  /* in words */
};

/* Judges a test.  The answer is the caller's to free. */
void litmus_judge(const struct litmus *t, const struct litmus_options *o,
                  struct litmus_answer *a);
void litmus_answer_free(struct litmus_answer *a);

/* The test as a C program whose assertion fails where the statement has an
 * example (exists, ~exists) or a counterexample (forall).  False: e says what
 * has no counterpart in C. */
bool litmus_to_c(const struct litmus *t, struct buf *out, struct err *e);

/* "Always", "Sometimes", "Never". */
const char *litmus_observation(const struct litmus_answer *a);

#endif
