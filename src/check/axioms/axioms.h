/* SPDX-License-Identifier: MIT
 *
 * Is this really an execution that the model allows?  The memory models as
 * axioms (docs/models.md; CheckFence, section 2.3), checked on one given
 * execution, by code that shares nothing with the encoder.
 */
#ifndef AXIOMS_AXIOMS_H
#define AXIOMS_AXIOMS_H

#include "flat/flat.h"

/* False: e says which axiom is broken, and where.  Values and guards are
 * computed anew from the loaded and chosen values. */
bool axioms_hold(const struct flat *f, const struct flat_run *run,
                 const struct model *m, struct err *e);

/* Of an execution that holds: does that thread fail so, at that site? */
bool axioms_fail(const struct flat *f, const struct flat_run *run,
                 enum failure_kind failure, uint32_t site, uint32_t thread,
                 struct err *e);

/* Likewise: are these the values that the thread observes, those after them
 * undefined? */
bool axioms_observe(const struct flat *f, const struct flat_run *run,
                    uint32_t thread, const struct lsl_value *values,
                    uint32_t count, struct err *e);

/* Likewise: do these two events race, on a model where that is undefined? */
bool axioms_race(const struct flat *f, const struct flat_run *run,
                 const struct model *m, uint32_t first, uint32_t second,
                 struct err *e);

/* The same execution: does it never end, since threads wait for what will not
 * come (docs/models.md, progress)?  False: e says who does not. */
bool axioms_wait_for_ever(const struct flat *f, const struct flat_run *run,
                          struct err *e);

#endif
