/* SPDX-License-Identifier: MIT
 *
 * A compiler's command line, sorted: what to do, with which files, and which
 * flags the compiler and which the linker wants to see.
 */
#ifndef INSTRUMENT_ARGS_H
#define INSTRUMENT_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"
#include "instrument/strs.h"

enum cc_mode {
    CC_PASS,    /* clang's business alone: -E, --version */
    CC_COMPILE, /* -c */
    CC_LINK
};

enum input_kind {
    INPUT_C,      /* becomes bitcode */
    INPUT_NATIVE, /* assembly, C++: compiled, not instrumented */
    INPUT_LINK    /* objects, archives, libraries, linker flags: in order */
};

struct input {
    enum input_kind kind;
    char *text;     /* file or flag */
    char *language; /* of the -x before it, or NULL */
};

struct args {
    enum cc_mode mode;
    struct strs all;     /* as given, response files read in */
    struct strs compile; /* flags for compiling */
    struct strs link;    /* flags for linking whose place does not matter */
    VEC(struct input) inputs;
    char *output;                  /* -o, or NULL */
    char *deps;                    /* -MF, or NULL */
    bool makes_deps, names_target; /* -MD or -MMD; -MT or -MQ */
    bool shared;                   /* -shared or -r: plain link */
    bool preprocesses; /* CC_PASS that reads source: wants our flags */
    bool optimised;    /* --as-optimised */
    bool tracks_deps;  /* --track-deps: the program tells on which loads each
                          access depends (PROGRAM_DEPENDS) */
    char *dump;        /* --dump-instrumented=FILE: code as text */
};

bool args_parse(struct args *a, int argc, char **argv, struct err *e);
void args_free(struct args *a);

/* Splits text at spaces as a shell or a response file would: quotes and
 * backslashes hold things together. */
bool args_split(struct strs *out, const char *text, struct err *e);

#endif
