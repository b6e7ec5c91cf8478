/* SPDX-License-Identifier: MIT
 *
 * A tracing library of the shape of ctrace, one of Relaxer's programs, and two
 * threads that use it while main turns their traces on and off: levels, units
 * and records are in one table under one mutex.  All of it is properly
 * synchronised: no cycle may be reported.
 *
 *   sc: correct
 *   tso: correct
 *   pso: correct
 *   pslo: correct
 *   fenced: correct
 *   runs: 1000
 *
 * Usage: ctrace [-v]
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trc.h"

enum unit { ARITHMETIC = 1, SORTING = 2 };

/* What the threads do: something with calls in calls. */

static long gcd(long a, long b)
{
    long result;

    trc_enter(ARITHMETIC, "gcd");
    trc_value(ARITHMETIC, 2, "b", b);
    result = b == 0 ? a : gcd(b, a % b);
    trc_return(ARITHMETIC, "gcd");
    return result;
}

static void merge(int *to, const int *a, int a_count, const int *b, int b_count)
{
    while (a_count > 0 || b_count > 0) {
        if (b_count == 0 || (a_count > 0 && *a <= *b)) {
            *to++ = *a++;
            a_count--;
        } else {
            *to++ = *b++;
            b_count--;
        }
    }
}

static void sort(int *items, int count)
{
    int half = count / 2, sorted[8];

    trc_enter(SORTING, "sort");
    trc_value(SORTING, 2, "count", count);
    if (count > 1) {
        sort(items, half);
        sort(items + half, count - half);
        merge(sorted, items, half, items + half, count - half);
        memcpy(items, sorted, (size_t)count * sizeof *items);
    }
    trc_return(SORTING, "sort");
}

static void *divide(void *result)
{
    trc_add_thread("divide", 1, ARITHMETIC);
    *(long *)result = gcd(144, 89 * 2);
    trc_remove_thread();
    return NULL;
}

static void *order(void *unused)
{
    int items[] = {3, 1, 2};

    (void)unused;
    trc_add_thread("order", 2, SORTING);
    sort(items, 3);
    assert(items[0] == 1 && items[1] == 2 && items[2] == 3);
    trc_remove_thread();
    return NULL;
}

/* The oracle: every line is whole and has its number, and there are as many
 * lines as the threads say. */
static void check_lines(bool verbose)
{
    const char *line;
    int number;

    for (number = 0; (line = trc_line(number)) != NULL; number++) {
        char *rest;

        if (verbose)
            puts(line);
        assert(strtol(line, &rest, 10) == number);
        assert(strncmp(rest, " divide ", 8) == 0 ||
               strncmp(rest, " order ", 7) == 0);
        assert(strtol(strchr(rest + 1, ' '), &rest, 10) > 0);
        assert(strcmp(rest, " > gcd") == 0 || strcmp(rest, " < gcd") == 0 ||
               strcmp(rest, " > sort") == 0 || strcmp(rest, " < sort") == 0 ||
               strstr(rest, " = "));
    }
    assert(number == trc_lines());
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    pthread_t first, second;
    long divisor;

    trc_init();
    pthread_create(&first, NULL, divide, &divisor);
    pthread_create(&second, NULL, order, NULL);
    trc_turn_on("divide", 2, ARITHMETIC | SORTING);
    trc_turn_on("order", 1, SORTING);
    trc_turn_off("divide");
    trc_turn_on("divide", 1, ARITHMETIC);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(divisor == 2);
    assert(trc_calls() == 6 + 5);
    check_lines(verbose);
    return 0;
}
