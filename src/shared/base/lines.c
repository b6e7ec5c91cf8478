/* SPDX-License-Identifier: MIT
 *
 * Lines, as lines.h says.
 */
#include "base/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"

void lines_add(struct lines *l, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    clean_line(text, sizeof(text));
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->list[i], text) == 0)
            return;
    }
    VEC_PUSH_IN(l->arena, l, arena_copy(l->arena, text));
}
