/* SPDX-License-Identifier: MIT
 *
 * The way to all that needs LLVM.  Loading LLVM costs more than most commands
 * need in all, so src/instrument and src/check/lower are a module beside the
 * tool, fencer-llvm.so, which is loaded when something is compiled.  What it
 * calls of base, event and lsl is the tool's own: there is no second copy of
 * their state.
 */
#ifndef COMPILER_COMPILER_H
#define COMPILER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "instrument/instrument.h"
#include "lower/lower.h"
#include "lsl/lsl.h"

/* As the functions of instrument.h and lower.h do; without a module that fits,
 * INSTRUMENT_UNABLE and LOWER_REFUSED. */
int compiler_cc(int argc, char **argv, struct err *e);
int compiler_build(const char *const *sources, size_t count, const char *cflags,
                   unsigned how, const char *output, struct err *e);
enum lowered compiler_lower(const char *const *sources, size_t count,
                            const char *cflags, struct arena *a,
                            struct lsl_program *out, struct err *e);

/* What the module shows.  The stamp stays the first member for ever: the rest
 * is as declared here only if the stamp is ours. */
#define COMPILER_SYMBOL "fencer_compiler"

struct compiler {
    const char *stamp; /* COMPILER_STAMP of the build that made it */
    __typeof__(instrument_cc) *cc;
    __typeof__(instrument_build) *build;
    __typeof__(lower_sources) *lower;
};

#endif
