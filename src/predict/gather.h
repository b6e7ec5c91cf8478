/* SPDX-License-Identifier: MIT
 *
 * What prediction keeps of traces: classes of accesses, the pairs they form,
 * and the races.
 */
#ifndef PREDICT_GATHER_H
#define PREDICT_GATHER_H

#include "predict/classes.h"
#include "predict/pairs.h"
#include "predict/races.h"

struct gather {
    unsigned max_instances;
    struct arena arena;
    struct held_tables tables;
    struct races races;
    struct classes classes;
    struct pairs pairs;       /* of `classes`, by number */
    struct words instances;   /* thread and site, */
    uint32_t *instance_count; /* and how many classes each has */
    uint32_t instance_room;
    uint64_t *left_out; /* accesses, per site */
    uint32_t site_room;
};

void gather_init(struct gather *g, unsigned max_instances);
void gather_fini(struct gather *g);
void gather_add(struct gather *g, const struct trace *t);

#endif
