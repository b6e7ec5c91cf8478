/* SPDX-License-Identifier: MIT
 *
 * MP by a semaphore: what was written before the post is read after the
 * wait.
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
    y = 1;
    sem_post(&s);
}

THREAD(right)
{
    sem_wait(&s);
    r0 = y;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 || r1 == 0);
}
