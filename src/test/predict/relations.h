/* SPDX-License-Identifier: MIT
 *
 * co, sources and effects of a trace, byte by byte, and the conflict order
 * that follows from them (docs/cycles.md).
 */
#ifndef PREDICT_RELATIONS_H
#define PREDICT_RELATIONS_H

#include "predict/predict_access.h"

struct relations {
    struct accesses accesses;
    /* Per access: when it takes effect.  Two moments per event: 2 i is just
     * before event i, 2 i + 1 is at it. */
    uint64_t *effect;
    /* Per byte of each access, from first[access] on: its position in the
     * byte's co, from 1; the access it read, ACCESS_NONE: the initial value. */
    uint32_t *first;
    uint32_t *position, *source;
    /* Nobody ran it: sources and places are those that it names.  On a
     * processor effects come in its order; on C11 there is none, and what
     * counts as reordered is what nothing keeps apart.  So it is on every model
     * with axioms of its own. */
    bool told, without_order;
    const struct trace *t;
};

/* Everything lives in the arena. */
void relations_build(const struct trace *t, enum access_scope scope,
                     struct arena *a, struct relations *r);

/* Was f, which follows e in its thread, reordered? */
bool relations_reordered(const struct relations *r, uint32_t e, uint32_t f);

/* Is there a conflict edge from e to f? */
bool relations_before(const struct relations *r, uint32_t e, uint32_t f);

#endif
