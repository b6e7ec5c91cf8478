/* SPDX-License-Identifier: MIT
 *
 * 4.2W: 2+2W around four threads, a cycle of eight stores.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y, z;

THREAD(first)
{
    w = 2;
    x = 1;
}

THREAD(second)
{
    x = 2;
    y = 1;
}

THREAD(third)
{
    y = 2;
    z = 1;
}

THREAD(fourth)
{
    z = 2;
    w = 1;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(w);
    OBSERVE(x);
    OBSERVE(y);
    OBSERVE(z);
    EXISTS(w == 2 && x == 2 && y == 2 && z == 2);
}
