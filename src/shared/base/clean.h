/* SPDX-License-Identifier: MIT
 *
 * Text from outside, made fit to be shown: from a tested program, a file, a
 * file's name.  UTF-8 stays.  What is none, or could drive a terminal (control
 * characters, marks that change the direction of writing), becomes \xHH, byte
 * by byte.  Clean text stays as it is.
 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

#include "base/arena.h"
#include "base/buf.h"

enum clean_keep {
    CLEAN_LINE,  /* one line of a report: nothing else may begin in it */
    CLEAN_LINES, /* newlines and tabs stay */
    CLEAN_REPORT /* so do the colours of our own reports */
};

void clean_put(struct buf *out, const char *text, size_t n,
               enum clean_keep keep);

/* A copy that is one line. */
char *clean_copy(struct arena *a, const char *text);

/* The same in place; what does not fit is cut after a whole character. */
void clean_line(char *text, size_t size);

/* Would it stay as it is, as one line? */
bool clean_is_line(const char *text);

/* Control characters are UTF-8, too. */
bool clean_is_utf8(const char *text, size_t n);

#endif
