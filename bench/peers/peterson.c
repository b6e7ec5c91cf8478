/* SPDX-License-Identifier: MIT
 *
 * Peterson's mutual exclusion, two threads with N critical sections each.
 */
#include "peers.h"

static volatile int flag[2], turn;

static void enter(int me, int other)
{
    flag[me] = 1;
    FENCE();
    turn = other;
    FENCE();
    WAIT_UNTIL(!flag[other] || turn != other);
}

static void leave(int me, int other)
{
    (void)other;
    flag[me] = 0;
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
