/* SPDX-License-Identifier: MIT
 *
 * A list of strings.
 */
#include "instrument/strs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static void take_text(struct strs *list, char *text)
{
    CHECK(text);
    VEC_FIT(list, list->count + 2);
    list->list[list->count++] = text;
    list->list[list->count] = NULL;
}

void strs_add(struct strs *list, const char *text)
{
    take_text(list, strdup(text));
}

void strs_add_n(struct strs *list, const char *text, size_t n)
{
    take_text(list, strndup(text, n));
}

void strs_addf(struct strs *list, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    CHECK(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    take_text(list, text);
}

void strs_add_all(struct strs *list, const struct strs *more)
{
    for (size_t i = 0; i < more->count; i++)
        strs_add(list, more->list[i]);
}

bool strs_has(const struct strs *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->list[i], text) == 0)
            return true;
    }
    return false;
}

void strs_free(struct strs *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i]);
    VEC_FREE(list);
}
