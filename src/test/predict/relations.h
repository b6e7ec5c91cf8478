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
};

/* Everything lives in the arena. */
void relations_build(const struct trace *t, enum access_scope scope,
                     struct arena *a, struct relations *r);

/* Is there a conflict edge from e to f? */
bool relations_before(const struct relations *r, uint32_t e, uint32_t f);

#endif
