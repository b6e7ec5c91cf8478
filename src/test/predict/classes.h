/* SPDX-License-Identifier: MIT
 *
 * Accesses that cannot be told apart as parts of a predicted cycle are one
 * class (Orion's nodes): same thread, site, bytes and kind, same locks held,
 * same side of every creation and join.
 */
#ifndef PREDICT_CLASSES_H
#define PREDICT_CLASSES_H

#include "base/index.h"
#include "base/vec.h"
#include "predict/held.h"
#include "predict/predict_access.h"

struct class
{
    struct access at; /* but for its event */
    uint32_t clock, locks;
};

/* A set of them, each with its number. */
struct classes {
    VEC(struct class);
    struct index index;
};

void classes_fini(struct classes *s);

/* The number of that class, a new one if need be. */
uint32_t classes_add(struct classes *s, const struct class *c);

/* INDEX_NONE: not there. */
uint32_t classes_find(const struct classes *s, const struct class *c);

/* Conflict, and neither creation and join nor a common lock keep them apart. */
bool class_may_race(const struct held_tables *tables, const struct class *a,
                    const struct class *b);

/* Which classes touch a word: list[first[n]] to list[first[n + 1] - 1], where n
 * is the word's number. */
struct class_index {
    struct words words;
    bool by_thread; /* only classes of the same thread meet */
    uint32_t *first, *list;
};

void class_index_init(struct class_index *ix, const struct classes *s,
                      bool by_thread, struct arena *a);

/* Calls back for each class, but itself, that shares a word with c; some may
 * come twice, and some share none. */
typedef void class_index_fn(void *context, uint32_t c, uint32_t other);
void class_index_visit(const struct class_index *ix, const struct classes *s,
                       uint32_t c, class_index_fn *visit, void *context);

#endif
