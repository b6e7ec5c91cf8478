/* SPDX-License-Identifier: MIT
 *
 * n4b: each thread reads the other's store before its own; the shorter form.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    x = 1;
}

THREAD(right)
{
    r1 = x;
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 == 1);
}
