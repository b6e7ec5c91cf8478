/* SPDX-License-Identifier: MIT
 *
 * MP, the loads with a post between them: it is no acquire, and on PSLO the
 * later load may pass it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = y;
    sem_post(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
