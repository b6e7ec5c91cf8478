/* SPDX-License-Identifier: MIT
 *
 * Szymanski's mutual exclusion (ICS 1988), two threads with N critical sections
 * each: a waiting room whose door the last one closes.
 *
 *   flag 0: elsewhere, 1: wants in, 2: waits in the room, 3: at the door,
 *   4: the door is closed
 */
#include "peers.h"

static volatile int flag[2];

static void enter(int me, int other)
{
    flag[me] = 1;
    FENCE();
    WAIT_UNTIL(flag[other] < 3);
    flag[me] = 3;
    FENCE();
    if (flag[other] == 1) {
        flag[me] = 2;
        FENCE();
        WAIT_UNTIL(flag[other] == 4);
    }
    flag[me] = 4;
    FENCE();
    if (me == 1)
        WAIT_UNTIL(flag[other] < 2);
}

static bool outside_the_door(int flag_of_other)
{
    return flag_of_other < 2 || flag_of_other > 3;
}

static void leave(int me, int other)
{
    if (me == 0)
        WAIT_UNTIL(outside_the_door(flag[other]));
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
