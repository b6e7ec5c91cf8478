/* SPDX-License-Identifier: MIT
 *
 * Lamport's bakery (CACM 1974), two customers with three critical sections
 * each: take a number above all you see, then wait for everybody who is still
 * choosing and for everybody with a smaller one.
 *
 *   sc: correct
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * "I am choosing" must be seen before the numbers are read (1), and the number
 * before the other is seen not to choose (2): else it chooses meanwhile, a
 * smaller one.  On PSO the number may come out after the end of choosing (3),
 * and a section's store after the section (4).  On PSLO the other's number may
 * be older than the end of its choosing (5), and what the section reads older
 * than the end of the wait (6).
 *
 *   without 1: tso sl 1 2
 *   without 2: tso sl 3 5
 *   without 3: pso ss 3 4
 *   without 4: pso ss leave 8
 *   without 5: pslo ll 5 6
 *   without 6: pslo ll 6 look
 */
#include "exclusion.h"

#define CUSTOMERS 2

static volatile int choosing[CUSTOMERS], number[CUSTOMERS];

static void take_number(int me)
{
    int highest = 0;

    choosing[me] = 1; /* 1 */
    FENCE(1, sl);
    for (int i = 0; i < CUSTOMERS; i++) {
        int seen = number[i]; /* 2 */

        if (seen > highest)
            highest = seen;
    }
    number[me] = highest + 1; /* 3 */
    FENCE(3, ss);
    choosing[me] = 0; /* 4 */
    FENCE(2, sl);
}

/* Is it the turn of `other`, with number `theirs`, before mine? */
static bool goes_first(int theirs, int other, int mine, int me)
{
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

static void wait_for(int other, int mine, int me)
{
    while (choosing[other]) /* 5 */
        ;
    FENCE(5, ll);
    while (goes_first(number[other], other, mine, me)) /* 6 */
        ;
}

static void *customer(void *number_from_one)
{
    int me = number_of(number_from_one) - 1;

    for (int round = 0; round < ROUNDS; round++) {
        take_number(me);
        for (int i = 0; i < CUSTOMERS; i++)
            if (i != me)
                wait_for(i, number[me], me);
        FENCE(6, ll);
        critical_section(me, round); /* 7 */
        FENCE(4, ss);
        number[me] = 0; /* 8 */
    }
    return NULL;
}

int main(void)
{
    run_threads((bodies){customer, customer}, CUSTOMERS);
    check_sections();
    return 0;
}
