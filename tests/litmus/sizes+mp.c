/* SPDX-License-Identifier: MIT
 *
 * MP with a wide message of which the reader takes the end.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int y;
union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.whole = 72340172838076673;
    y = 1;
}

THREAD(right)
{
    r0 = y;
    r1 = c.half[3];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
