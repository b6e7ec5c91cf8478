/* SPDX-License-Identifier: MIT
 *
 * A trywait that fails writes nothing, so that it waits for no store before a
 * store-store fence.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
sem_t s;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    r2 = trywait(&s);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0);
}
