/* SPDX-License-Identifier: MIT
 *
 * The tool under test, from outside: compile a file with `fencer cc`, run it
 * on a model with `fencer run`, read the outcomes from its JSON; look for
 * cycles with `fencer test`, whose results verdicts.c reads.
 */
#ifndef ORACLE_TOOL_H
#define ORACLE_TOOL_H

#include "outcomes.h"

struct tool {
    const char *fencer;  /* path of the tool */
    const char *include; /* folder of litmus.h */
    const char *scratch; /* folder for programs and JSON */
    const char *tag;     /* keeps files of two processes apart */
    int mutant;          /* FENCER_MUTANT for the program, -1: unset */
    bool quiet;          /* do not show what a run that fails printed */
};

struct run {
    enum model model;
    unsigned long executions;
    unsigned long seed;
    const char *strategy;
    const char *options[8]; /* more for `fencer run`, ends with NULL */
    const char *argument;   /* for the program, or NULL */
};

/* Compiles and links source to `program`.  False: the reason is printed. */
bool tool_compile(const struct tool *t, const char *source,
                  const char *program);

/* Runs it and adds what it observed.  False: it failed, the reason is in
 * error: an outcome that is none, a finding, no JSON. */
bool tool_run(const struct tool *t, const char *program, const struct run *r,
              const struct program *p, struct outcomes *seen, char *error,
              size_t error_size);

/* `fencer test` on all models, its results in the folder `out`, which is
 * emptied before.  False: it did not do its work, the reason is printed. */
bool tool_test(const struct tool *t, const char *program, const char *argument,
               const char *out);

#endif
