/* SPDX-License-Identifier: MIT
 *
 * The creator goes on while the child runs, and the child may miss what it
 * writes then.
 *
 * sc: sometimes
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(child)
{
    r0 = x;
}

THREAD(left)
{
    SPAWN(child);
    x = 1;
    JOIN(child);
}

THREAD(right)
{
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r1 == 1 && r0 == 0);
}
