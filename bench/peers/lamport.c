/* SPDX-License-Identifier: MIT
 *
 * Lamport's fast mutual exclusion (TOCS 1987), two threads with N critical
 * sections each: five stores and two loads where nobody else wants in.
 */
#include "peers.h"

static volatile int wants[2], x, y;

/* False: try again. */
static bool try_enter(int me, int other)
{
    wants[me] = 1;
    FENCE();
    x = me + 1;
    FENCE();
    if (y != 0) {
        wants[me] = 0;
        FENCE();
        WAIT_UNTIL(y == 0);
        return false;
    }
    y = me + 1;
    FENCE();
    if (x == me + 1)
        return true;
    wants[me] = 0;
    FENCE();
    WAIT_UNTIL(!wants[other]);
    FENCE();
    if (y == me + 1)
        return true;
    WAIT_UNTIL(y == 0);
    return false;
}

static void enter(int me, int other)
{
    while (!try_enter(me, other))
        ;
}

static void leave(int me, int other)
{
    (void)other;
    y = 0;
    FENCE();
    wants[me] = 0;
}

static void *run(void *number)
{
    int me = number_of(number);

    for (int round = 0; round < N; round++) {
        enter(me, 1 - me);
        critical_section();
        leave(me, 1 - me);
    }
    return NULL;
}

int main(void)
{
    run_many(run, 2);
    return 0;
}
