/* SPDX-License-Identifier: MIT
 *
 * One table says for each library function we know what to do with a call of
 * it: modelled, pure, reading, draining, stateful, blocking or refused (enum
 * extern_class).  Rows live in the .def files beside this header:
 *
 *   MODELLED(name, "captures")
 *   EXTERNS(CLASS, "name(captures) name(captures) ...")
 *
 * What is modelled has rows of its own, because functions are declared from
 * them (sync/sync.h).  `captures` has a letter per parameter: 'n' a pointer
 * that is not kept, 'w' the same, and the function writes through no other,
 * 'c' a pointer that is kept, '-' no pointer; '*' is all the rest, of which
 * none is kept.  Parameters beyond the string count as kept.  Two letters say
 * more, of models whose accesses are seen one by one (libc/libc.h): 'r' is an
 * 'n' through which the function only reads, 'o' a 'w'.
 */
#ifndef EVENT_EXTERNS_H
#define EVENT_EXTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "event/program.h"

struct extern_row {
    const char *name;
    enum extern_class class;
    const char *captures;
};

/* The row of that function, or NULL: unknown, drains. */
const struct extern_row *extern_find(const char *name);

/* May the function keep the pointer it gets as that parameter? */
bool extern_captures(const struct extern_row *row, size_t parameter);

/* Is all seen that the function does through that parameter? */
bool extern_tells(const struct extern_row *row, size_t parameter);

/* The parameter that alone it writes through, or -1: that is not known. */
int extern_written(const struct extern_row *row);

/* All rows, sorted by name. */
const struct extern_row *extern_rows(size_t *count);

#endif
