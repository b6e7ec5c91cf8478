/* SPDX-License-Identifier: MIT
 *
 * The folder's door: from C to programs that Fencer can run.
 */
#ifndef INSTRUMENT_INSTRUMENT_H
#define INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What `fencer cc` does with these arguments, its own name not among them.
 * Returns the exit code; clang and the linker have said what they had to say.
 * -1: e says why it could not be done.  -2: e says what is wrong in the
 * arguments.  INSTRUMENT_UNABLE: neither's fault, no space is left for files, e
 * says where. */
#define INSTRUMENT_UNABLE (-3)
int instrument_cc(int argc, char **argv, struct err *e);

/* How a program is built. */
enum instrument_how {
    BUILD_OPTIMISED = 1, /* --as-optimised */
    BUILD_DEPENDS = 2    /* it tracks dependencies: PROGRAM_DEPENDS */
};

/* Builds the sources to the program `output`.  cflags: flags as a shell would
 * split them, or NULL; how: enum instrument_how bits.  Returns 0, or what
 * instrument_cc would, with e set. Source that does not compile: clang's
 * messages are on stderr, and e says which. */
int instrument_build(const char *const *sources, size_t count,
                     const char *cflags, unsigned how, const char *output,
                     struct err *e);

/* The sources' bitcode, merged and not instrumented: for src/check/lower, which
 * goes on with emit.h and pass.h.  Returns 0, or what instrument_cc would. */
struct merge;
int instrument_merge(const char *const *sources, size_t count,
                     const char *cflags, struct merge *into, struct err *e);

#endif
