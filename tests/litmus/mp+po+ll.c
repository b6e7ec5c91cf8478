/* SPDX-License-Identifier: MIT
 *
 * MP with the reader in order: the writer's stores are not.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
