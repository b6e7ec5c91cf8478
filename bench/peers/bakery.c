/* SPDX-License-Identifier: MIT
 *
 * Lamport's bakery (CACM 1974), two customers with N critical sections each.
 */
#include "peers.h"

static volatile int choosing[2], number[2];

/* Is it my turn, where the other has that number? */
static bool mine_first(int theirs, int other, int mine, int me)
{
    return theirs == 0 || theirs > mine || (theirs == mine && other > me);
}

static void enter(int me, int other)
{
    int mine;

    choosing[me] = 1;
    FENCE();
    mine = number[other] + 1;
    number[me] = mine;
    FENCE();
    choosing[me] = 0;
    FENCE();
    WAIT_UNTIL(!choosing[other]);
    FENCE();
    WAIT_UNTIL(mine_first(number[other], other, mine, me));
}

static void leave(int me, int other)
{
    (void)other;
    number[me] = 0;
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
