/* SPDX-License-Identifier: MIT
 *
 * Lines, as lines.h says.
 */
#include "base/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lines_add(struct lines *l, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->list[i], text) == 0)
            return;
    }
    if (l->count == l->room) {
        size_t room = l->room ? l->room * 2 : 16;
        const char **more = arena_array(l->arena, room, sizeof(*more));

        if (l->count)
            memcpy(more, l->list, l->count * sizeof(*more));
        l->list = more;
        l->room = room;
    }
    l->list[l->count++] = arena_copy(l->arena, text);
}
