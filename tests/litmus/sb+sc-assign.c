/* SPDX-License-Identifier: MIT
 *
 * SB on _Atomic variables by plain assignment, which is seq_cst.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    r0 = y;
}

THREAD(right)
{
    y = 1;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
