/* SPDX-License-Identifier: MIT
 *
 * Two narrow stores, read by one wide load: on PSO the second may be there
 * without the first.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0;

THREAD(left)
{
    c.half[0] = 1;
    c.half[1] = 1;
}

THREAD(right)
{
    r0 = c.word[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    EXISTS(r0 == 65536);
}
