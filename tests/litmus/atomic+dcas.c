/* SPDX-License-Identifier: MIT
 *
 * Two words counted up together, twice: no update is lost, and they agree.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_atomic
    {
        r0 = x;
        x = r0 + 1;
        y = r0 + 1;
    }
}

THREAD(right)
{
    fencer_atomic
    {
        r1 = x;
        x = r1 + 1;
        y = r1 + 1;
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x != 2 || y != 2);
}
