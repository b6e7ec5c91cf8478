/* SPDX-License-Identifier: MIT
 *
 * A narrow store over a wide one, seen in one order only.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.word[0] = 16843009;
}

THREAD(middle)
{
    c.half[0] = 514;
}

THREAD(right)
{
    r0 = c.word[0];
    r1 = c.word[0];
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 16843266 && r1 == 16843009);
}
