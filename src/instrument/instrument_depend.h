/* SPDX-License-Identifier: MIT
 *
 * Which loads the address of a load depends on: see instrument_depend.c.
 */
#ifndef INSTRUMENT_INSTRUMENT_DEPEND_H
#define INSTRUMENT_INSTRUMENT_DEPEND_H

#include "instrument/pass.h"

struct depend;

/* Looks at all items before any of them is changed. */
struct depend *depend_new(const struct item *items, size_t count);
void depend_free(struct depend *d);

/* The item became that site; 0: none. */
void depend_is_site(struct depend *d, size_t item, uint32_t site);

/* Leaves the pairs of struct fencer_dep in p->deps. */
void depend_finish(struct depend *d, struct pass *p);

#endif
