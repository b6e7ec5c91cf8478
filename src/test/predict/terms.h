/* SPDX-License-Identifier: MIT
 *
 * May the second of a pair take effect before the first, on a model that has no
 * machine?  Processors are terms (model/axioms.h), evaluated over what the
 * thread did last; C11 keeps apart what is seq_cst.  Dependencies are not
 * known here: what only they keep in order counts as a pair that may be
 * reordered, and creating the cycle shows that it is not.
 */
#ifndef PREDICT_TERMS_H
#define PREDICT_TERMS_H

#include "model/relation.h"
#include "predict/predict.h"

#define TERMS_MODELS_MAX 8 /* mappings count one by one */
#define TERMS_WINDOW 128   /* events of a thread that are looked at */

/* One model, with one mapping. */
struct terms_model {
    const struct model *model;
    const struct model_mapping *mapping; /* NULL: C11 */
    unsigned column;                     /* of struct cycle's masks */
    struct relation_tree *trees;
    size_t tree_count;
};

struct terms_models {
    struct terms_model list[TERMS_MODELS_MAX];
    size_t count;
};

void terms_add_model(struct terms_models *m, const struct model *model,
                     struct arena *a);

/* What one thread did, as far as the models know it. */
struct terms;

struct terms *terms_new(const struct terms_models *m, struct arena *a);

/* The thread does this. */
void terms_step(struct terms *t, const struct trace *from,
                const struct event *e);

/* Where its last access is. */
struct terms_place {
    uint64_t last[TERMS_MODELS_MAX]; /* number of its last event */
    uint64_t steps;
    bool seq_cst;
};

struct terms_place terms_here(const struct terms *t);

/* The models, bit by bit, on which the last access may take effect before
 * that one. */
uint16_t terms_may(const struct terms *t, const struct terms_place *first);

#endif
