/* SPDX-License-Identifier: MIT
 *
 * A test as a model sees it: instructions of C become what the model's table
 * says, everything else stays.
 */
#ifndef LITMUS_COMPILE_H
#define LITMUS_COMPILE_H

#include "litmus/program.h"
#include "model/model.h"

/* The threads for that model, in the arena; `mapping' by name, NULL: the
 * model's first.  NULL: *why says why it makes no sense. */
const struct thread *compile_threads(const struct litmus *t,
                                     const struct model *m, const char *mapping,
                                     struct arena *a, const char **why);

/* That mapping; NULL: the model has recipes, or is C11. */
const struct model_mapping *compile_mapping(const struct model *m,
                                            const char *name);

#endif
