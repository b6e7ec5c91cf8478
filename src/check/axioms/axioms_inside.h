/* SPDX-License-Identifier: MIT
 *
 * What the parts of the check share: one execution, with the place of each
 * access in the memory order.
 */
#ifndef AXIOMS_AXIOMS_INSIDE_H
#define AXIOMS_AXIOMS_INSIDE_H

#include "axioms/axioms.h"

struct judged {
    const struct flat *flat;
    const struct model *model;
    struct flat_run run; /* computed anew; rf and order are the claim's */
    uint32_t *place;     /* per event: in <M, from 1 on; 0: no access, or not
                            executed */
    uint32_t *meeting;   /* per create, start, exit and join: what it is after
                            (threads.c) */
    struct arena arena;
};

/* Computes the run anew.  False, with the reason in e: it is not what it is
 * said to be. */
bool axioms_take_run(struct judged *j, const struct flat_run *run,
                     struct err *e);

bool axioms_is_access(const struct flat_event *e);

/* Is there memory for the access?  If not, it is itself an error, and where
 * its thread stops: a load gives something undefined, and there is no event. */
bool axioms_has_memory(const struct judged *j, uint32_t event);

/* Do two accesses, both executed, touch the same memory?  A free touches all of
 * its object. */
bool axioms_same_memory(const struct judged *j, uint32_t a, uint32_t b);

/* "queue.c:31: load" */
const char *axioms_words(struct judged *j, uint32_t event);

/* Program order: what the model keeps of it (keep.c), and what creating and
 * joining threads does (threads.c). */
bool axioms_check_threads(struct judged *j, struct err *e);
bool axioms_check_kept(struct judged *j, struct err *e);

/* Accesses in parts where loads return older values (parts.c). */
bool axioms_is_loose(const struct judged *j, uint32_t load, uint32_t later);
bool axioms_check_parts(struct judged *j, struct err *e);

/* The same for models that say it in terms and axioms (stated.c). */
bool axioms_are_stated(const struct model *m);
bool axioms_check_stated(struct judged *j, struct err *e);

/* No value depends on itself (justify.c). */
bool axioms_check_justified(struct judged *j, struct err *e);

#endif
