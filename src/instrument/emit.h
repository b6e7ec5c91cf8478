/* SPDX-License-Identifier: MIT
 *
 * From bitcode to objects, with LLVM in this process.
 */
#ifndef INSTRUMENT_EMIT_H
#define INSTRUMENT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "instrument/carrier.h"
#include "instrument/strs.h"

/* Writes the ordinary object of that bitcode, with the bitcode in it. */
bool emit_carrier(const char *bitcode_path, const char *object, struct err *e);

/* Several modules becoming one. */
struct merge;

struct merge *merge_new(void);
void merge_free(struct merge *m);
bool merge_add(struct merge *m, struct bytes bitcode, const char *from,
               struct err *e);
size_t merge_count(const struct merge *m);

/* The module itself, still m's; NULL if nothing was added.  Whoever includes
 * LLVM's headers knows the type. */
struct LLVMOpaqueModule *merge_module(struct merge *m);

struct emit_options {
    bool optimised;            /* --as-optimised */
    bool tracks;               /* --track-deps */
    bool open;                 /* code without bitcode may call into it */
    const struct strs *limits; /* to be named by the program */
    const char *ir;            /* not NULL: the instrumented code, as text */
};

/* Instruments what was merged and writes the object.  Has it a main? */
bool merge_emit(struct merge *m, const struct emit_options *options,
                const char *object, struct err *e);

#endif
