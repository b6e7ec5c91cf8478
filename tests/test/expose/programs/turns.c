/* SPDX-License-Identifier: MIT
 *
 * SB after handshakes: the threads take turns, and only in the seventh round
 * does the right one go on without waiting.  Holding an earlier store gets the
 * left thread stuck.
 */
#include "run.h"

static volatile int x, y;
static atomic_int turn;
static int r, s;

THREAD(left)
{
    for (int i = 1; i <= 10; i++) {
        x = i; /* a */
        FENCE();
        r = y; /* b */
        atomic_store(&turn, i);
    }
    END;
}

THREAD(right)
{
    while (atomic_load(&turn) < 6)
        ;
    y = 1; /* c */
    FENCE();
    s = x; /* d */
    END;
}

int main(void)
{
    RUN(left, right);
    return 0;
}
