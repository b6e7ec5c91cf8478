/* SPDX-License-Identifier: MIT
 *
 * A set of static cycles: each once, whatever instance and rotation it was
 * found in, with the union of what its instances say.
 */
#ifndef PREDICT_PREDICT_CYCLES_H
#define PREDICT_PREDICT_CYCLES_H

#include "base/index.h"
#include "base/vec.h"
#include "predict/predict.h"

struct cycles {
    VEC(struct cycle); /* in the order found */
    struct index index;
};

void cycles_fini(struct cycles *s);

/* One instance: `marks` of node i, a FIRST, are the models, bit by bit, for
 * which its pair counts as reorderable.  Roles are given here. */
void cycles_add(struct cycles *s, const struct cycle_node *nodes,
                const uint16_t *marks, uint32_t length);

/* In cycle_compare's order from number `from` on. */
void cycles_sort(struct cycles *s, size_t from);

#endif
