/* SPDX-License-Identifier: MIT
 *
 * Who joins a thread sees what it wrote.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(child)
{
    x = 1;
}

THREAD(left)
{
    SPAWN(child);
    JOIN(child);
    r0 = x;
}

THREAD(right)
{
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0);
}
