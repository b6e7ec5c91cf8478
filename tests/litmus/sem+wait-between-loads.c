/* SPDX-License-Identifier: MIT
 *
 * MP, the loads with a wait between them: an acquire for what follows.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    sem_post(&s);
    r0 = y;
    sem_wait(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
