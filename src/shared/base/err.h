/* SPDX-License-Identifier: MIT
 *
 * What went wrong in the world outside: a missing file, a damaged trace.  Who
 * knows the fact sets it, who knows the place adds it, only main prints it:
 *
 *     if (!kind_of(letter, &out->kind))
 *         return err_set(e, "unknown event kind '%c'", letter);
 *     ...
 *     if (!parse_line(line, &list[i], e))
 *         return err_in(e, "line %zu", i + 1);
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

#include "base/check.h"

struct err {
    char text[1024];
};

/* Set the text; what a terminal would obey is escaped in it (base/clean.h).
 * Returns false, so that `return err_set(...)` is enough. */
bool err_set(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Put "context: " before the text.  Returns false. */
bool err_in(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
