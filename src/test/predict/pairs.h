/* SPDX-License-Identifier: MIT
 *
 * Which classes of a thread are a pair in program order, and on which models
 * that may be reordered.
 */
#ifndef PREDICT_PAIRS_H
#define PREDICT_PAIRS_H

#include "predict/classes.h"

struct terms_models;

#define PAIRS_NONE UINT32_MAX

/* A class as second of pairs: an entry for each class of its thread. */
struct pairs_row {
    VEC(uint32_t);
    uint32_t thread, place; /* among those of the thread */
};

/* By the numbers of classes. */
struct pairs {
    VEC(struct pairs_row) rows;
    VEC(uint32_t) in_thread; /* how many classes each has */
};

void pairs_fini(struct pairs *p);

/* The next class is of that thread. */
void pairs_add_class(struct pairs *p, uint32_t thread);
uint32_t pairs_in_thread(const struct pairs *p, uint32_t thread);

/* True: a, b is a pair, if they share no byte; marks: models, bit by bit. */
bool pairs_get(const struct pairs *p, uint32_t a, uint32_t b, uint16_t *marks);

bool pairs_equal(const struct pairs *a, const struct pairs *b);
uint64_t pairs_bytes(const struct pairs *p);

/* What one trace adds.  `local` are its classes, class_of has one for each
 * access, known_as what each is known as in `p`, or PAIRS_NONE. */
struct pairs_trace {
    const struct trace *t;
    const struct accesses *all;
    const struct classes *local;
    const uint32_t *class_of, *known_as;
    const struct terms_models *terms; /* models without a machine */
};

void pairs_add_trace(struct pairs *p, const struct pairs_trace *from);

#endif
