/* SPDX-License-Identifier: MIT
 *
 * Dekker's mutual exclusion, two threads with three critical sections each:
 * figure 11 of Relaxer, whose line numbers are the labels on the right.
 *
 *   sc: correct
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * A raised flag in the buffer lets both in (fences 1 to 4).  A section's store
 * may reach memory after its flag is down (5, 6), and its load look before the
 * other's flag was seen down (7, 8).  Between 4 and 5, and 14 and 15, nothing
 * is needed: a late "I step back" makes the other wait a little longer. Relaxer
 * says the same of 9 and 10, and 19 and 20, but a `turn` that comes out late
 * may overwrite the other's last word: it waits at 5 or 15 for ever.
 *
 *   without 1: tso sl 1 2
 *   without 2: tso sl 7 2
 *   without 3: tso sl 11 12
 *   without 4: tso sl 17 12
 *   without 5: pso ss leave 10, ss 9 10
 *   without 6: pso ss leave 20, ss 19 20
 *   without 7: pslo ll 2 look
 *   without 8: pslo ll 12 look
 */
#include "exclusion.h"

static volatile int flag0, flag1, turn;

static void *thread0(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        flag0 = 1; /* 1 */
        FENCE(1, sl);
        while (flag1) {      /* 2 */
            if (turn) {      /* 3 */
                flag0 = 0;   /* 4 */
                while (turn) /* 5 */
                    ;        /* 6 */
                flag0 = 1;   /* 7 */
                FENCE(2, sl);
            }
        }
        FENCE(7, ll);
        critical_section(0, round); /* 8 */
        turn = 1;                   /* 9 */
        FENCE(5, ss);
        flag0 = 0; /* 10 */
    }
    return NULL;
}

static void *thread1(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        flag1 = 1; /* 11 */
        FENCE(3, sl);
        while (flag0) {       /* 12 */
            if (!turn) {      /* 13 */
                flag1 = 0;    /* 14 */
                while (!turn) /* 15 */
                    ;         /* 16 */
                flag1 = 1;    /* 17 */
                FENCE(4, sl);
            }
        }
        FENCE(8, ll);
        critical_section(1, round); /* 18 */
        turn = 0;                   /* 19 */
        FENCE(6, ss);
        flag1 = 0; /* 20 */
    }
    return NULL;
}

int main(void)
{
    run_threads((bodies){thread0, thread1}, 2);
    check_sections();
    return 0;
}
