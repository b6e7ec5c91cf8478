/* SPDX-License-Identifier: MIT
 *
 * The calls of clang that make bitcode and objects.
 */
#ifndef INSTRUMENT_COMPILE_H
#define INSTRUMENT_COMPILE_H

#include "instrument/args.h"
#include "instrument/work.h"

#define CLANG "clang-19"

/* Exit codes of `fencer cc`, as clang's: 0, 1 for source that does not
 * compile or link; our own troubles are reported through struct err. */

/* The macro and the headers that every preprocessor run gets. */
bool compile_add_headers(struct strs *command, struct err *e);

/* Source to bitcode.  `target` is the object that dependency files name. */
int compile_bitcode(const struct args *a, const struct input *in,
                    const char *target, const char *bitcode, struct err *e);

/* Source to an object: one that carries its bitcode, or a native one. */
int compile_object(const struct args *a, const struct input *in, struct work *w,
                   const char *target, const char *object, struct err *e);

#endif
