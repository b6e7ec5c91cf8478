/* SPDX-License-Identifier: MIT
 *
 * The tool under test, from outside: compile a file with `fencer cc`; look for
 * cycles with `fencer test`, whose results verdicts.c reads.
 */
#ifndef ORACLE_TOOL_H
#define ORACLE_TOOL_H

#include "program.h"

struct tool {
    const char *fencer;  /* path of the tool */
    const char *include; /* folder of litmus.h */
    const char *scratch; /* folder for programs */
    const char *tag;     /* keeps files of two processes apart */
};

/* Compiles and links source to `program`.  False: the reason is printed. */
bool tool_compile(const struct tool *t, const char *source,
                  const char *program);

/* `fencer test` on all models, its results in the folder `out`, which is
 * emptied before.  False: it did not do its work, the reason is printed. */
bool tool_test(const struct tool *t, const char *program, const char *argument,
               const char *out);

#endif
