/* SPDX-License-Identifier: MIT
 *
 * The tests of a project: fencer.toml lists them, each is a run of run, test,
 * verify or check, and what comes of it is held against what is expected.
 */
#ifndef CMD_SUITE_H
#define CMD_SUITE_H

#include "base/json.h"
#include "base/vec.h"
#include "cmd/options.h"
#include "session/answer.h"

/* VERDICT(NAME, its word) */
#define SUITE_VERDICTS(VERDICT)                                                \
    VERDICT(PASS, "pass") /* nothing found, all that was asked for done */     \
    VERDICT(FAIL, "fail")                                                      \
    VERDICT(UNKNOWN, "unknown")

enum suite_verdict {
#define VERDICT(name, word) SUITE_##name,
    SUITE_VERDICTS(VERDICT)
#undef VERDICT
        SUITE_NONE /* there is none: it could not be run */
};

const char *suite_word(enum suite_verdict v);

struct suite_expected {
    const struct model *model;
    enum suite_verdict verdict;
};

struct suite_test {
    /* As fencer.toml has it. */
    const char *name, *command;
    size_t line;
    const char *const *arguments; /* the command, its options, its sources */
    size_t argument_count;
    size_t operands; /* options are before that one */
    enum suite_verdict expected;
    struct suite_expected models[OPTIONS_MODELS_MAX]; /* if given by model */
    size_t model_count;
    const char *error; /* what a finding has to say, or NULL */

    /* What came of it. */
    const char *out; /* its folder */
    bool ran;
    int code; /* of the process; 128 + signal if it was killed */
    double seconds;
    const char *said;       /* on stderr */
    json_t *answer, *sarif; /* NULL: it wrote none */
    enum suite_verdict verdict;
    const char *why; /* it is not as expected; NULL: it is */
};

struct suite {
    VEC(struct suite_test);
    const char *file;   /* as given */
    const char *folder; /* of the file: "" or "sub/"; all happens there */
    struct arena *arena;
};

/* Reads the file.  The error says in which line. */
bool suite_read(struct suite *s, const char *file, struct err *e);

/* Keeps the tests that match: by a part of the name, or as a shell does. */
bool suite_filter(struct suite *s, const char *filter, struct err *e);

/* Runs the tests side by side; `done` is called for each, in their order, as
 * soon as those before it are done. */
bool suite_run(struct suite *s, const struct options *o,
               void (*done)(const struct suite *s, struct suite_test *t,
                            void *arg),
               void *arg, struct err *e);

/* Is it as expected?  Fills `verdict` and `why`. */
void suite_judge(struct suite_test *t, struct arena *a);

/* What is wrong with the worst of them: 1, 2, 3 in this order, or 0. */
enum exit_code suite_exit_code(const struct suite *s);

/* To the files that are asked for, and to GitHub. */
bool suite_tell(const struct suite *s, const struct options *o, struct err *e);

/* What its first finding says; NULL: it has none. */
const char *suite_headline(const struct suite_test *t, struct arena *a);

#endif
