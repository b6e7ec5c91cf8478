/* SPDX-License-Identifier: MIT
 *
 * 2+2W: each thread's second store is overwritten by the other's first.
 */
#include "run.h"

static volatile int x, y;

THREAD(left)
{
    x = 1; /* a */
    FENCE();
    y = 2; /* b */
    END;
}

THREAD(right)
{
    y = 1; /* c */
    FENCE();
    x = 2; /* d */
    END;
}

int main(void)
{
    RUN(left, right);
    return x == 1 && y == 1;
}
