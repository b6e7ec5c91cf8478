/* SPDX-License-Identifier: MIT
 *
 * The executions of a report, to step through on a terminal.  What is on the
 * screen is made here, line by line, without a terminal; browse_terminal.c
 * draws it and reads keys.
 */
#ifndef REPORT_BROWSE_BROWSE_H
#define REPORT_BROWSE_BROWSE_H

#include "report/html/html_inside.h"

#define BROWSE_LEAST_WIDTH 40
#define BROWSE_LEAST_HEIGHT 12
#define BROWSE_PATTERN_MAX 80

enum browse_key {
    BROWSE_DOWN,
    BROWSE_UP,
    BROWSE_PAGE_DOWN,
    BROWSE_PAGE_UP,
    BROWSE_FIRST,
    BROWSE_LAST,
    BROWSE_NEXT_OF_CYCLE,
    BROWSE_PREVIOUS_OF_CYCLE,
    BROWSE_NEXT_MATCH,
    BROWSE_PREVIOUS_MATCH,
    BROWSE_NEXT_FINDING,
    BROWSE_PREVIOUS_FINDING,
    BROWSE_ALL /* every step, or those that the report shows */
};

enum browse_look {
    LOOK_PLAIN,
    LOOK_BAR,     /* the first and the last line */
    LOOK_CURRENT, /* the step that is looked at */
    LOOK_CYCLE,
    LOOK_FAILED,
    LOOK_DIM
};

struct browse_line {
    const char *text; /* clean, and no wider than the screen */
    enum browse_look look;
};

struct browse {
    const struct report *report;
    size_t finding;     /* the number of it, 0 is the first */
    VEC(uint32_t) rows; /* events of its trace */
    size_t row, top;    /* looked at; first on the screen */
    bool all;
    char pattern[BROWSE_PATTERN_MAX];
    const char *note; /* said in the last line until the next key, or NULL */

    struct shown_cycle cycle;
    struct html_strings strings;
    struct html_memory memory;
    bool machine; /* it has buffers and memory */
    struct sources *sources;
    struct arena screen; /* until the next one */
};

/* There is at least one finding. */
void browse_init(struct browse *b, const struct report *r);
void browse_free(struct browse *b);

void browse_do(struct browse *b, enum browse_key key, unsigned height);

/* To the next step whose text or source has it; letters of either case. */
void browse_search(struct browse *b, const char *pattern);

/* `height` lines; they live until the next call. */
const struct browse_line *browse_screen(struct browse *b, unsigned width,
                                        unsigned height);

/* Until the user leaves; false: there is no terminal, and nothing happened. */
bool browse_terminal(struct browse *b);

#endif
