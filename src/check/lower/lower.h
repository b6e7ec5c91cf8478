/* SPDX-License-Identifier: MIT
 *
 * From C to the load-store language: clang at -O0, LLVM's SROA, then
 * instruction by instruction.  What has no meaning there is refused by name
 * and line, never ignored.  The door of this folder; LLVM lives here and in
 * src/instrument.
 */
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "base/arena.h"
#include "base/err.h"
#include "lsl/lsl.h"

/* How it went. */
enum lowered {
    LOWER_DONE,
    LOWER_BAD_SOURCE, /* does not compile: clang has said why, e says which; or
                         has nothing to start with */
    LOWER_REFUSED     /* e: "queue.c:31: floating point is not supported", or
                         that there is no space left for files */
};

/* What neither FENCER_INIT nor an operation can reach is not part of the
 * program, and may contain anything; in a file that has none of these, what
 * main cannot reach.  cflags: as a shell would split them, or NULL. */
enum lowered lower_sources(const char *const *sources, size_t count,
                           const char *cflags, struct arena *a,
                           struct lsl_program *out, struct err *e);

#endif
