/* SPDX-License-Identifier: MIT
 *
 * Time is virtual: it starts in 2000, moves forward, and a loop until a
 * deadline ends.
 *
 * expect: 0
 * options: --model tso --runs 20
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;

    assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
    time_t start = time(NULL), t;
    struct timeval tv;
    struct tm tm;
    char text[64];
    double before = seconds();
    clock_t used = clock();

    assert(start == 946684800);
    assert(time(&t) == t && gettimeofday(&tv, NULL) == 0 && tv.tv_sec == t);
    assert(gmtime_r(&t, &tm) == &tm && tm.tm_year == 100 && tm.tm_mday == 1);
    assert(strftime(text, sizeof(text), "%Y-%m-%d", &tm) == 10);
    assert(strcmp(text, "2000-01-01") == 0);
    assert(timegm(&tm) == t);
    sleep(3);
    assert(time(NULL) >= start + 3);
    assert(seconds() >= before + 3);
    while (seconds() < before + 3.001)
        ;
    assert(clock() > used);
    assert(clock_gettime(12345, NULL) == -1);
    return 0;
}
