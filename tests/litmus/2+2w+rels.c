/* SPDX-License-Identifier: MIT
 *
 * 2+2W with release stores.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;

THREAD(left)
{
    x = 1;
    __atomic_store_n(&y, 2, __ATOMIC_RELEASE);
}

THREAD(right)
{
    y = 1;
    __atomic_store_n(&x, 2, __ATOMIC_RELEASE);
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
