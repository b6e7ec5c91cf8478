/* SPDX-License-Identifier: MIT
 *
 * Dijkstra's mutual exclusion (CACM 1965), two threads with N critical sections
 * each.  Nothing but luck ends a series of attempts, so that there is no end of
 * executions: with -DASSUME the first attempt succeeds.
 */
#include "peers.h"

static volatile int flag[2], turn;

/* Becomes the one whose turn it is. */
static void claim_turn(int me)
{
    int whose;

    while ((whose = turn) != me) {
        if (flag[whose] == 0) {
            turn = me;
            FENCE();
        } else {
            AGAIN();
        }
    }
}

static void enter(int me, int other)
{
    for (;;) {
        flag[me] = 1;
        FENCE();
        claim_turn(me);
        flag[me] = 2;
        FENCE();
        if (flag[other] != 2)
            return;
        AGAIN();
    }
}

static void leave(int me, int other)
{
    (void)other;
    flag[me] = 0;
    FENCE();
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
