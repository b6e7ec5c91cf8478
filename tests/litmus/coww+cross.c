/* SPDX-License-Identifier: MIT
 *
 * Two pairs of stores to one variable: one of the second ones is last.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;

THREAD(left)
{
    x = 1;
    x = 2;
}

THREAD(right)
{
    x = 3;
    x = 4;
}

LITMUS(left, right)
{
    OBSERVE(x);
    EXISTS(x == 1 || x == 3);
}
