/* SPDX-License-Identifier: MIT
 *
 * SB with a seq_cst exchange in one thread only.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r2 = __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0);
}
