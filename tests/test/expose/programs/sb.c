/* SPDX-License-Identifier: MIT
 *
 * SB: each thread misses the other's store.
 */
#include "run.h"

static volatile int x, y;
static int r, s;

THREAD(left)
{
    x = 1; /* a */
    FENCE();
    r = y; /* b */
    END;
}

THREAD(right)
{
    y = 1; /* c */
    FENCE();
    s = x; /* d */
    END;
}

int main(void)
{
    RUN(left, right);
    return r + s == 0;
}
