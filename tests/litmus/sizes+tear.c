/* SPDX-License-Identifier: MIT
 *
 * A wide store and a wide load: never half of it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0;

THREAD(left)
{
    c.word[0] = 16843009;
}

THREAD(right)
{
    r0 = c.word[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    EXISTS(r0 != 0 && r0 != 16843009);
}
