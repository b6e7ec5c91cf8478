/* SPDX-License-Identifier: MIT
 *
 * The table of library functions, from its rows in the .def files.
 */
#include "event/externs.h"

#include <stdlib.h>
#include <string.h>

#include "event/must.h"

#define ROWS_MAX 2500

/* Functions of one class, as the .def files have them. */
static struct {
    enum extern_class class;
    char *text; /* cut into names and captures when it is read */
} lists[] = {
#define EXTERNS(class, text) {EXTERN_##class, (char[]){text}},
#define MODELLED(name, captures) EXTERNS(MODELLED, #name "(" captures ")")
#include "event/externs-libc.def"
#include "event/externs-threads.def"
#undef MODELLED
#undef EXTERNS
};

static struct extern_row rows[ROWS_MAX];
static size_t row_count;

/* "fopen(nn) fdopen(-n)" */
static void add_rows(enum extern_class class, char *text)
{
    char *rest;

    for (char *name; (name = strtok_r(text, "( ", &rest)); text = NULL) {
        MUST(row_count < ROWS_MAX);
        rows[row_count++] =
            (struct extern_row){name, class, strtok_r(NULL, ")", &rest)};
    }
}

static int by_name(const void *left, const void *right)
{
    const struct extern_row *a = left, *b = right;

    return strcmp(a->name, b->name);
}

const struct extern_row *extern_rows(size_t *count)
{
    if (!row_count) {
        for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
            add_rows(lists[i].class, lists[i].text);
        qsort(rows, row_count, sizeof(rows[0]), by_name);
    }
    *count = row_count;
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
    const char *rest = strchr(row->captures, '*');

    if (rest && parameter >= (size_t)(rest - row->captures))
        return false;
    if (parameter >= strlen(row->captures))
        return true;
    return row->captures[parameter] == 'c';
}

bool extern_tells(const struct extern_row *row, size_t parameter)
{
    size_t listed = strcspn(row->captures, "*");

    return parameter < listed && strchr("ro", row->captures[parameter]);
}

int extern_written(const struct extern_row *row)
{
    const char *at = strpbrk(row->captures, "wo");

    return at ? (int)(at - row->captures) : -1;
}
