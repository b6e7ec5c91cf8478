/* SPDX-License-Identifier: MIT
 *
 * MP through __sync compare-and-swap, which is full, failing or not.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    r0 = __sync_val_compare_and_swap(&y, 0, 1);
}

THREAD(right)
{
    r1 = __sync_val_compare_and_swap(&y, 0, 2);
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 1 && r2 == 0);
}
