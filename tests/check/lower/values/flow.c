/* SPDX-License-Identifier: MIT
 *
 * Loops in loops, ways out of them, switches with and without a default, goto.
 */
#include "see.h"

static int classify(int n)
{
    switch (n) {
    case 0:
        return 10;
    case 1:
    case 2:
        n += 5;
        /* fall through */
    case 3:
        n *= 2;
        break;
    case -4:
        return -1;
    default:
        n = n > 8 ? 8 : n;
    }
    return n;
}

static int nothing(int n)
{
    switch (n) {
    }
    switch (n) {
    default:
        return n + 1;
    }
}

static int same(int n)
{
    int v = 0;

    switch (n) {
    case 1:
    case 2:
    case 3:
        v = 7;
    }
    return v;
}

/* Ways out of an inner loop into both outer ones. */
static int nested(int n)
{
    int found = 0;

    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int m = 0;

            while (1) {
                if (++m > 3)
                    break;
                if (m * k == 2)
                    goto next;
                if (i + k + m == 9)
                    goto out;
            }
            found += m;
        }
    next:
        found += 100;
    }
out:
    return found;
}

static int early(int n)
{
    do {
        if (n == 3)
            return 33;
        if (n == 5)
            continue;
        n--;
    } while (n > 0 && n != 5);
    return n;
}

static int back(int n)
{
    int rounds = 0;

again:
    rounds++;
    if (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        goto again;
    }
    return rounds;
}

SHOW
{
    for (int i = -5; i < 12; i++) {
        SEE(classify(i));
        SEE(nothing(i));
        SEE(same(i));
    }
    for (int i = 0; i < 7; i++)
        SEE(nested(i));
    SEE(early(4));
    SEE(early(9));
    SEE(early(1));
    SEE(back(7));
}
