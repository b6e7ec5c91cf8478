/* SPDX-License-Identifier: MIT
 *
 * The relation language over rows of bits: an execution has at most 64 events,
 * so a row is one word and a set is one, too.
 */
#ifndef LITMUS_EVALUATE_H
#define LITMUS_EVALUATE_H

#include "litmus/program.h"
#include "model/axioms.h"

struct rows {
    uint64_t row[EVENTS_MAX];
};

/* What the relations of an execution are. */
struct frame {
    size_t count; /* of events */
    uint64_t marked[MARK_COUNT];
    struct rows base[BASE_COUNT];
};

#define LETS_MAX 20
#define AXIOMS_MAX 6
#define TERMS_MAX 32

/* A model's texts, read once. */
struct axioms {
    const struct model_axioms *source;
    struct relation_tree terms[TERMS_MAX];
    bool recursive[TERMS_MAX]; /* it speaks of ppo itself */
    size_t term_count;
    struct relation_tree lets[LETS_MAX];
    size_t let_count;
    struct relation_tree axioms[AXIOMS_MAX];
    size_t axiom_count;
};

/* Reads the texts; they are ours, so a mistake in them ends the run. */
void axioms_read(struct axioms *x, const struct model_axioms *source);

/* The closure of the union of all terms. */
void evaluate_ppo(const struct axioms *x, struct frame *f, struct rows *out);

/* Do the model's own axioms hold?  Fills `lets'. */
bool evaluate_axioms(const struct axioms *x, const struct frame *f,
                     struct rows lets[LETS_MAX]);

/* Is that definition of the model empty, or not there? */
bool evaluate_none(const struct axioms *x, const struct frame *f,
                   const struct rows *lets, const char *name);

void rows_close(struct rows *r, size_t count); /* transitive closure */

#endif
