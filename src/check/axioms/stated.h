/* SPDX-License-Identifier: MIT
 *
 * One execution as a model that is written down sees it (model/axioms.h): a
 * list of events in program order, thread after thread, and the relations
 * between them, asked pair by pair.
 */
#ifndef AXIOMS_STATED_H
#define AXIOMS_STATED_H

#include "axioms/axioms_inside.h"

/* An access, a fence, or where threads begin and meet. */
struct happening {
    uint32_t event, thread;
    uint32_t marks; /* enum relation_mark */
};

struct stated {
    struct judged *j;
    const struct model_mapping *mapping; /* NULL: recipes, or C11 */
    bool has_picks;
    struct happening *list;
    uint32_t count;
    /* Per event that loads: which values depend on it, and on which choices it
     * has part; NULL: not asked yet. */
    bool **deps, **picks;
    /* What the texts mean, from each happening to each; NULL: not yet. */
    bool **lets, **ppo;
    const struct relation_tree *let_trees;
    uint32_t let_count, asw_let;
};

/* Fills the list (stated_events.c). */
void stated_list(struct stated *s);

/* Does the relation of an execution hold between them? */
bool stated_holds(struct stated *s, enum relation_base base, uint32_t a,
                  uint32_t b);

/* Was a thread made or ended there, and does the other begin or go on? */
bool stated_meets(const struct stated *s, uint32_t a, uint32_t b);

bool stated_same_location(const struct stated *s, uint32_t a, uint32_t b);

/* Does the value depend on what that event loaded (stated_depends.c)? */
bool stated_depends(struct stated *s, uint32_t value, uint32_t load, bool pick);

#endif
