/* SPDX-License-Identifier: MIT
 *
 * 4.2W with store-store fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y, z;

THREAD(first)
{
    w = 2;
    fencer_fence_ss();
    x = 1;
}

THREAD(second)
{
    x = 2;
    fencer_fence_ss();
    y = 1;
}

THREAD(third)
{
    y = 2;
    fencer_fence_ss();
    z = 1;
}

THREAD(fourth)
{
    z = 2;
    fencer_fence_ss();
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
