/* SPDX-License-Identifier: MIT
 *
 * Two hand-overs in a row: the last thread reads what the first one wrote.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
sem_t s, s2;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    sem_post(&s);
}

THREAD(middle)
{
    sem_wait(&s);
    sem_post(&s2);
}

THREAD(right)
{
    sem_wait(&s2);
    r0 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    EXISTS(r0 == 0);
}
