/* SPDX-License-Identifier: MIT
 *
 * 2+2W on two halves of one word.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;

THREAD(left)
{
    c.half[0] = 1;
    c.half[1] = 2;
}

THREAD(right)
{
    c.half[1] = 1;
    c.half[0] = 2;
}

LITMUS(left, right)
{
    OBSERVE(c.half[0]);
    OBSERVE(c.half[1]);
    EXISTS(c.half[0] == 1 && c.half[1] == 1);
}
