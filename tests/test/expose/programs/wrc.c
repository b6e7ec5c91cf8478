/* SPDX-License-Identifier: MIT
 *
 * WRC: the third thread sees the second one's answer and not what it answers.
 */
#include "run.h"

static volatile int x, y;
static int r, s, t;

THREAD(first)
{
    x = 1; /* a */
    END;
}

THREAD(second)
{
    r = x; /* b */
    FENCE();
    y = 1; /* c */
    END;
}

THREAD(third)
{
    s = y; /* d */
    FENCE();
    t = x; /* e */
    END;
}

int main(void)
{
    RUN(first, second, third);
    return r && s && !t;
}
