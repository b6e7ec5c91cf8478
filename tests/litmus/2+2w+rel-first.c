/* SPDX-License-Identifier: MIT
 *
 * 2+2W with the release on the first store of each pair, where it orders
 * nothing.
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
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    y = 2;
}

THREAD(right)
{
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
