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

/* One trace, or several that would have been too much one by one. */
struct volume {
    struct classes classes;
    struct pairs pairs;       /* of `classes`, by number */
    struct words instances;   /* thread and site, */
    uint32_t *instance_count; /* and how many classes each has */
    uint32_t instance_room;
    size_t races_known; /* when it was searched last; SIZE_MAX: never */
    struct arena arena;
};

struct gather {
    unsigned max_instances;
    struct arena arena;
    struct held_tables tables;
    struct races races;
    struct volume **volumes;
    size_t volume_count, volume_room;
    uint64_t bytes;     /* of their pairs */
    uint64_t *left_out; /* accesses, per site */
    uint32_t site_room;
};

void gather_init(struct gather *g, unsigned max_instances);
void gather_fini(struct gather *g);
void gather_add(struct gather *g, const struct trace *t);

#endif
