/* SPDX-License-Identifier: MIT
 *
 * SB in a loop, where only the seventh store and the load after it can meet
 * the other thread's: all others are of other memory.
 */
#include "run.h"

static volatile int x[10], y[10];
static int r, s;

THREAD(left)
{
    for (int i = 0; i < 10; i++) {
        x[i] = 1; /* a */
        FENCE();
        r += y[i]; /* b */
    }
    END;
}

THREAD(right)
{
    y[6] = 1; /* c */
    FENCE();
    s = x[6]; /* d */
    END;
}

int main(void)
{
    RUN(left, right);
    return r == 0 && s == 0;
}
