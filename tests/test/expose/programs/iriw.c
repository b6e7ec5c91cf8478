/* SPDX-License-Identifier: MIT
 *
 * IRIW: two readers disagree about the order of two writes.
 */
#include "run.h"

static volatile int x, y;
static int r1, r2, s1, s2;

THREAD(write_x)
{
    x = 1; /* a */
    END;
}

THREAD(write_y)
{
    y = 1; /* d */
    END;
}

THREAD(read_xy)
{
    r1 = x; /* b */
    FENCE();
    r2 = y; /* c */
    END;
}

THREAD(read_yx)
{
    s1 = y; /* e */
    FENCE();
    s2 = x; /* f */
    END;
}

int main(void)
{
    RUN(write_x, write_y, read_xy, read_yx);
    return r1 && !r2 && s1 && !s2;
}
