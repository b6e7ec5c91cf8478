/* SPDX-License-Identifier: MIT
 *
 * Events of a trace as the instructions that C compiles to on a processor
 * (model/axioms.h): which fences come with an access, and what marks its halves
 * have.
 */
#ifndef PREDICT_INSTRUCTIONS_H
#define PREDICT_INSTRUCTIONS_H

#include "event/event.h"
#include "model/model.h"
#include "model/relation.h"

struct instruction {
    uint32_t before, after; /* marks of fences there; 0: none */
    bool reads, writes;     /* neither: it is a fence, `before`, or nothing */
    uint32_t read, write;   /* marks of its halves */
    bool pair;              /* of exclusives */
    bool branch;            /* compiled code branches on what it reads */
};

/* A trace does not tell a CAS from another RMW: what both have.  `ran`: a
 * machine did it, and what it did to a lock has no place in co. */
struct instruction instruction_of(const struct model_mapping *m,
                                  const struct event *e, bool ran);

/* Is an event with these marks in the set that this node of a term is? */
bool term_is_marked(const struct relation_tree *t, unsigned node,
                    uint32_t marks);

/* Does the term speak of dependencies, which no trace has? */
bool term_has_dependency(const struct relation_tree *t);
/* Has it no fewer pairs with more of them? */
bool term_grows_with_dependencies(const struct relation_tree *t);

#endif
