/* SPDX-License-Identifier: MIT
 *
 * A trywait that takes is an acquire, as a wait is.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    sem_post(&s);
}

THREAD(right)
{
    r0 = trywait(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
