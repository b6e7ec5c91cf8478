/* SPDX-License-Identifier: MIT
 *
 * Log areas and their switch.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool log_is_on[LOG_AREA_COUNT];

static const char *const words[] = {
#define AREA(name, word, tells) word,
    LOG_AREAS(AREA)
#undef AREA
};

bool log_enable(const char *word)
{
    bool all = strcmp(word, "all") == 0;
    bool found = all;

    for (int i = 0; i < LOG_AREA_COUNT; i++) {
        if (all || strcmp(word, words[i]) == 0)
            found = log_is_on[i] = true;
    }
    return found;
}

void log_line(enum log_area area, const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "fencer[%s]: ", words[area]);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}
