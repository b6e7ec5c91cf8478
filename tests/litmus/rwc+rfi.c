/* SPDX-License-Identifier: MIT
 *
 * RWC with the writer and first reader in one thread.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    r0 = x;
    r1 = y;
}

THREAD(right)
{
    y = 1;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 0);
}
