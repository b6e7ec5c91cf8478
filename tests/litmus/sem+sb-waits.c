/* SPDX-License-Identifier: MIT
 *
 * SB with waits: TSO drains, PSO leaves the stores in their buffers.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    sem_post(&s);
    x = 1;
    sem_wait(&s);
    r0 = y;
}

THREAD(right)
{
    sem_post(&s);
    y = 1;
    sem_wait(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
