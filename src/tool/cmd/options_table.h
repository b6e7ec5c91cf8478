/* SPDX-License-Identifier: MIT
 *
 * A row of the table of options.  Parsing, --help and shell completion come
 * from the rows; fencer(1) is compared with them by a test.
 */
#ifndef CMD_OPTIONS_TABLE_H
#define CMD_OPTIONS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/log.h"

enum option_type {
    OPT_FLAG,    /* bool, takes no value */
    OPT_NUMBER,  /* uint64_t in [low, high] */
    OPT_SECONDS, /* uint64_t milliseconds, from "1.5" */
    OPT_TEXT,    /* const char * */
    OPT_WORD,    /* uint64_t: low + which of "a|b|c" in `value` */
    OPT_MODELS,
    OPT_TESTS, /* const char *, once more each time */
    OPT_LOG
};

struct option_row {
    const char *name;  /* NULL: the table ends */
    const char *value; /* its word in the help; OPT_WORD: the choices */
    enum option_type type;
    unsigned commands;   /* enum option_command */
    size_t field;        /* in struct options */
    const char *initial; /* as if it had been given; NULL: unset, all bits 0 */
    uint64_t low, high;
    const char *help;
};

/* "cc, instrument, ..., all" */
#define OPTION_LOG_AREA(name, word, tells) word ", "
#define OPTION_LOG_AREAS LOG_AREAS(OPTION_LOG_AREA) "all"

extern const struct option_row option_rows[];

#endif
