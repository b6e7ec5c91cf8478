/* SPDX-License-Identifier: MIT
 *
 * A reader of TOML 1.0.  Debian 12 has none for C (decision 26).  It is strict:
 * what it takes means the same to every other reader.  It refuses, and says so,
 * what a list of tests does not need: strings over several lines, dates,
 * numbers that are not decimal.
 */
#ifndef BASE_TOML_H
#define BASE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum toml_type {
    TOML_STRING,
    TOML_INTEGER,
    TOML_REAL,
    TOML_BOOLEAN,
    TOML_ARRAY,
    TOML_TABLE
};

struct toml {
    enum toml_type type;
    const char *key;  /* in its table; NULL in an array */
    size_t line;      /* 1 is the first */
    const char *text; /* a string; a number as it is written, without `_' */
    int64_t integer;
    bool truth;
    struct toml *first, *last, *next; /* what is in it; its neighbour */

    enum toml_origin {
        ORIGIN_VALUE,    /* written out: nothing can be added */
        ORIGIN_IMPLICIT, /* [a.b] makes an a */
        ORIGIN_HEADER,   /* [a], [[a]] */
        ORIGIN_DOTTED    /* a.b = 1 makes an a */
    } origin;
};

/* "string", "table", ... */
const char *toml_words(enum toml_type type);

/* The table of the whole text.  The error begins with "line N: ". */
bool toml_parse(const char *text, size_t n, struct arena *a,
                const struct toml **root, struct err *e);

/* NULL: it has no such key. */
const struct toml *toml_get(const struct toml *table, const char *key);

#endif
