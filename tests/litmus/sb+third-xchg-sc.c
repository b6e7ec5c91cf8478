/* SPDX-License-Identifier: MIT
 *
 * SB with a seq_cst exchange of a third variable in between.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 1;
    r2 = __atomic_exchange_n(&z, 1, __ATOMIC_SEQ_CST);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    r3 = __atomic_exchange_n(&w, 1, __ATOMIC_SEQ_CST);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 0 && r1 == 0);
}
