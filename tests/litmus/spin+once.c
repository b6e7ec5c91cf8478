/* SPDX-License-Identifier: MIT
 *
 * Test-and-set and release of a lock, tried once by each.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r0 = __sync_lock_test_and_set(&x, 1);
    if (r0 == 0) {
        y = 1;
        __sync_lock_release(&x);
    }
}

THREAD(right)
{
    r1 = __sync_lock_test_and_set(&x, 1);
    if (r1 == 0) {
        r2 = y;
        y = 2;
        __sync_lock_release(&x);
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(y);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 0 && y == 2);
}
