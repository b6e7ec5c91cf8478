/* SPDX-License-Identifier: MIT
 *
 * 2+2W: two threads write two variables in opposite order, and the first
 * writes win.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;

THREAD(left)
{
    x = 1;
    y = 2;
}

THREAD(right)
{
    y = 1;
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
