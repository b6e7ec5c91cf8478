/* SPDX-License-Identifier: MIT
 *
 * A list of strings that grows: command lines, file names, limits.  It owns
 * its strings, and has a NULL after the last, as execv wants it.
 */
#ifndef INSTRUMENT_STRS_H
#define INSTRUMENT_STRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct strs {
    VEC(char *); /* the list is NULL while empty */
};

void strs_add(struct strs *list, const char *text);
void strs_add_n(struct strs *list, const char *text, size_t n);
void strs_addf(struct strs *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strs_add_all(struct strs *list, const struct strs *more);
bool strs_has(const struct strs *list, const char *text);
void strs_free(struct strs *list);

#endif
