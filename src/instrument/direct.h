/* SPDX-License-Identifier: MIT
 *
 * The last link of a program that consists of sources alone, by the linker
 * itself: starting clang to have it start the linker takes longer than the
 * link does.
 */
#ifndef INSTRUMENT_DIRECT_H
#define INSTRUMENT_DIRECT_H

#include "instrument/args.h"
#include "instrument/work.h"

/* Is this a link that needs none of clang's knowledge?  There are sources, no
 * flags that change how is linked, and only libraries that every program has.
 */
bool direct_is_possible(const struct args *a);

/* Links the object and the runtime to `output`.  False if it could not be done
 * this way, or went wrong; nothing has been said then, and clang may try. */
bool direct_link(const struct args *a, struct work *w, const char *object,
                 const char *runtime, const char *output);

#endif
