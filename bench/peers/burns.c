/* SPDX-License-Identifier: MIT
 *
 * Burns' mutual exclusion by one bit a thread (Burns and Lynch, 1980), two
 * threads with N critical sections each: the second steps back for the first.
 */
#include "peers.h"

static volatile int flag[2];

static void enter_first(void)
{
    flag[0] = 1;
    FENCE();
    WAIT_UNTIL(!flag[1]);
}

static void enter_second(void)
{
    for (;;) {
        WAIT_UNTIL(!flag[0]);
        flag[1] = 1;
        FENCE();
        if (!flag[0])
            return;
        flag[1] = 0;
        FENCE();
    }
}

static void enter(int me, int other)
{
    (void)other;
    if (me == 0)
        enter_first();
    else
        enter_second();
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
