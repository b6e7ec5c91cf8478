/* SPDX-License-Identifier: MIT
 *
 * Dekker's mutual exclusion, two threads with N critical sections each.  Fenced
 * so that it is not only right but shows nothing that SC would not.
 */
#include "peers.h"

static volatile int flag[2], turn;

static void enter(int me, int other)
{
    flag[me] = 1;
    FENCE();
    while (flag[other]) {
        FENCE();
        if (turn == me) {
            AGAIN();
            FENCE();
            continue;
        }
        flag[me] = 0;
        FENCE();
        WAIT_UNTIL(turn == me);
        flag[me] = 1;
        FENCE();
    }
}

static void leave(int me, int other)
{
    turn = other;
    FENCE();
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
