/* SPDX-License-Identifier: MIT
 *
 * MP from words to halves of one cell.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.word[0] = 65537;
    c.word[1] = 65537;
}

THREAD(right)
{
    r0 = c.half[2];
    fencer_fence_ll();
    r1 = c.half[1];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
