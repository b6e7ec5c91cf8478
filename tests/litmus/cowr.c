/* SPDX-License-Identifier: MIT
 *
 * CoWR: a load that sees another's store says that the own one came before
 * it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    r0 = x;
}

THREAD(right)
{
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 2 && x == 1);
}
