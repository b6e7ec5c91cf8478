/* SPDX-License-Identifier: MIT
 *
 * A post is an RMW: a store-load fence after it keeps loads from reading what
 * was older than it.  A trywait that fails came before the post.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int y;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    sem_post(&s);
    fencer_fence_sl();
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = trywait(&s);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 16);
}
