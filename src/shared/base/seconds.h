/* SPDX-License-Identifier: MIT
 *
 * How long something took.
 */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Of the processor, for us. */
static inline double seconds_worked(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* On the wall. */
static inline double seconds_passed(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

#endif
