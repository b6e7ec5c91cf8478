/* SPDX-License-Identifier: MIT
 *
 * C11 itself: every execution of a program that RC11's axioms allow
 * (docs/models.md), found by trying every source of every load and every place
 * of every store.  Shares nothing with the machines, with axioms.c, or with the
 * code under test.
 */
#ifndef ORACLE_LANGUAGE_H
#define ORACLE_LANGUAGE_H

#include "outcomes.h"

struct language {
    struct outcomes outcomes;
    bool races;  /* some execution has a data race */
    bool leaves; /* one that came to its end is none of SC's */
    bool stuck;  /* some come to no end */
};

/* False: the axioms do not speak of such a program (atomic blocks, accesses of
 * different sizes, arrays, pointers), or it has more than `max_states`.  To be
 * freed: outcomes. */
bool language_find(struct language *l, const struct program *p,
                   size_t max_states);

#endif
