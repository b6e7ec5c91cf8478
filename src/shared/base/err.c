/* SPDX-License-Identifier: MIT
 *
 * Error texts, and the end of a run whose invariants broke.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"

bool err_set(struct err *e, const char *fmt, ...)
{
    /* The arguments may point into e->text, hence the copy. */
    char text[sizeof(e->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    clean_line(text, sizeof(text));
    memcpy(e->text, text, sizeof(text));
    return false;
}

bool err_in(struct err *e, const char *fmt, ...)
{
    char context[sizeof(e->text)];
    char text[sizeof(e->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(context, sizeof(context), fmt, args);
    va_end(args);
    clean_line(context, sizeof(context));
    memcpy(text, e->text, sizeof(text));
    text[sizeof(text) - 1] = '\0';

    /* Too long: the end goes, the place stays. */
    size_t n = strlen(context);
    size_t room = sizeof(e->text) - 1;

    if (n > room - 2)
        n = room - 2;
    memcpy(e->text, context, n);
    memcpy(e->text + n, ": ", 2);
    n += 2;

    size_t rest = strlen(text);

    if (rest > room - n)
        rest = room - n;
    memcpy(e->text + n, text, rest);
    e->text[n + rest] = '\0';
    return false;
}

_Noreturn void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "fencer: internal error: %s:%d: %s does not hold\n", file,
            line, what);
    exit(3); /* could not do the work; temporary files go */
}
