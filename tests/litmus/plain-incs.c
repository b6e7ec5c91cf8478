/* SPDX-License-Identifier: MIT
 *
 * Two plain increments: one may be lost, on every model.
 *
 * sc: sometimes
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    x = r0 + 1;
}

THREAD(right)
{
    r1 = x;
    x = r1 + 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(x == 1);
}
