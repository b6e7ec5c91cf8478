/* SPDX-License-Identifier: MIT
 *
 * One variable of the environment, read at the first point.
 */
#include "base/point.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static struct {
    bool read, list, time_came;
    char name[32], what[8];
    uint64_t passes_left; /* 0: nothing more happens */
} point;

static void read_environment(void)
{
    const char *text = getenv("FENCER_POINT");
    char number[24];

    point.read = true;
    if (!text)
        return;
    point.list = strcmp(text, "list") == 0;
    if (sscanf(text, "%31[^:]:%23[0-9]:%7s", point.name, number, point.what) !=
            3 ||
        !words_number(number, 1, UINT32_MAX, &point.passes_left))
        point.passes_left = 0;
}

static void disturb(void)
{
    if (strcmp(point.what, "twice") == 0)
        raise(SIGINT);
    if (strcmp(point.what, "time") == 0)
        point.time_came = true;
    else
        raise(strcmp(point.what, "kill") == 0 ? SIGKILL : SIGINT);
}

void point_reached(const char *name)
{
    if (!point.read)
        read_environment();
    if (point.list)
        fprintf(stderr, "point %s\n", name);
    if (point.passes_left == 0 ||
        (strcmp(point.name, "any") != 0 && strcmp(point.name, name) != 0))
        return;
    if (--point.passes_left == 0)
        disturb();
}

bool point_is_wanted(const char *name)
{
    if (!point.read)
        read_environment();
    return point.passes_left && strcmp(point.name, name) == 0;
}

bool point_time_came(void)
{
    return point.time_came;
}
