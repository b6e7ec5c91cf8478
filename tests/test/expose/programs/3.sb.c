/* SPDX-License-Identifier: MIT
 *
 * 3.SB: three threads in a ring, each misses the next one's store.
 */
#include "run.h"

static volatile int x, y, z;
static int r, s, t;

THREAD(first)
{
    x = 1; /* a */
    FENCE();
    r = y; /* b */
    END;
}

THREAD(second)
{
    y = 1; /* c */
    FENCE();
    s = z; /* d */
    END;
}

THREAD(third)
{
    z = 1; /* e */
    FENCE();
    t = x; /* f */
    END;
}

int main(void)
{
    RUN(first, second, third);
    return r + s + t == 0;
}
