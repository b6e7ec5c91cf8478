/* SPDX-License-Identifier: MIT
 *
 * SB with C11 acq_rel fences: not enough.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
