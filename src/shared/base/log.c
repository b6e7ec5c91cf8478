/* SPDX-License-Identifier: MIT
 *
 * Log areas and their switch.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"

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
    char text[4096];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    clean_line(text, sizeof(text));
    fprintf(stderr, "fencer[%s]: %s\n", words[area], text);
}
