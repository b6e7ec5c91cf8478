/* SPDX-License-Identifier: MIT
 *
 * MP whose flag is a seq_cst store: what was stored before it is out.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
