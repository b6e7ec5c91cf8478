/* SPDX-License-Identifier: MIT
 *
 * Two threads, three critical sections each: the harness of Relaxer for mutual
 * exclusion.  Who is inside is a ghost, so that the witness itself is never
 * reordered.  What a section does to memory is kept small: the first one reads
 * what the other thread left, the last one leaves something.  So nothing is
 * added to what TSO may reorder, and a section whose stores come out late
 * (PSO) or whose loads look too early (PSLO) is noticed all the same.
 */
#ifndef EXCLUSION_H
#define EXCLUSION_H

#include "harness.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

static volatile int left;
static fencer_ghost int inside, left_by;

static inline void critical_section(int me, int round)
{
    assert(inside++ == 0);
    if (round == 0)
        assert(left == left_by); /* look */
    if (round == ROUNDS - 1) {
        left = me + 1; /* leave */
        left_by = me + 1;
    }
    assert(--inside == 0);
}

static inline void check_sections(void)
{
    assert(left == left_by);
}

#endif
