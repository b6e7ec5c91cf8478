/* SPDX-License-Identifier: MIT
 *
 * What prediction keeps of traces: the races of all together, and of each the
 * classes of its accesses and the pairs that they form.
 */
#ifndef PREDICT_GATHER_H
#define PREDICT_GATHER_H

#include "predict/classes.h"
#include "predict/pairs.h"
#include "predict/predict_races.h"
#include "predict/terms.h"

/* One trace, or several that would have been too much one by one. */
struct volume {
    struct classes classes;
    struct pairs pairs;   /* of `classes`, by number */
    struct map instances; /* thread and site to how many classes they have */
    size_t races_known;   /* when it was searched last; SIZE_MAX: never */
};

struct gather {
    unsigned max_instances;
    struct arena arena;
    struct held_tables tables;
    struct races races;
    struct terms_models terms; /* that pairs are asked about */
    VEC(struct volume *) volumes;
    uint64_t bytes;         /* of their pairs */
    VEC(uint64_t) left_out; /* accesses, per site */
};

void gather_init(struct gather *g, unsigned max_instances);
void gather_fini(struct gather *g);
void gather_add(struct gather *g, const struct trace *t);

#endif
