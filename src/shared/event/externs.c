/* SPDX-License-Identifier: MIT
 *
 * The table of library functions, from its rows in the .def files.
 */
#include "event/externs.h"

#include <stdlib.h>
#include <string.h>

static struct extern_row rows[] = {
#define EXTERN(name, class, captures) {#name, EXTERN_##class, captures},
#include "event/externs-libc.def"
#include "event/externs-threads.def"
#undef EXTERN
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static int by_name(const void *left, const void *right)
{
    const struct extern_row *a = left, *b = right;

    return strcmp(a->name, b->name);
}

const struct extern_row *extern_rows(size_t *count)
{
    static bool sorted;

    if (!sorted) {
        qsort(rows, ROW_COUNT, sizeof(rows[0]), by_name);
        sorted = true;
    }
    *count = ROW_COUNT;
    return rows;
}

const struct extern_row *extern_find(const char *name)
{
    size_t count;
    const struct extern_row *all = extern_rows(&count);
    struct extern_row key = {.name = name};

    return bsearch(&key, all, count, sizeof(key), by_name);
}

bool extern_captures(const struct extern_row *row, size_t parameter)
{
    if (strcmp(row->captures, "*") == 0)
        return false;
    if (parameter >= strlen(row->captures))
        return true;
    return row->captures[parameter] == 'c';
}
