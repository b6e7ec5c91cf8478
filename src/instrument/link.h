/* SPDX-License-Identifier: MIT
 *
 * Linking: find all bitcode that takes part, instrument it as one program,
 * link it with the runtime.
 */
#ifndef INSTRUMENT_LINK_H
#define INSTRUMENT_LINK_H

#include "instrument/args.h"
#include "instrument/emit.h"
#include "instrument/work.h"

/* Exit code as clang's, or -1 with e set. */
int link_program(const struct args *a, struct work *w, struct err *e);

/* A shared library or an `ld -r` object: an ordinary link of ordinary
 * objects, which carries their bitcode on. */
int link_plain(const struct args *a, struct work *w, struct err *e);

/* The bitcode of the C sources alone, merged and not changed. */
int link_bitcode(const struct args *a, struct work *w, struct merge *into,
                 struct err *e);

#endif
