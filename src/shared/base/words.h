/* SPDX-License-Identifier: MIT
 *
 * Small services for words that people type.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The word most like `typed`, or NULL when none is close enough to be meant.
 * Of equally close ones the first. */
const char *words_nearest(const char *typed, const char *const *words,
                          size_t count);

/* Sets e: the word is none of these.  Says which may be meant, or the hint. */
bool words_unknown(struct err *e, const char *what, const char *typed,
                   const char *const *words, size_t count, const char *hint);

/* The next word of a list with commas, cut to the size; *list moves on, to NULL
 * after the last.  False: there is none. */
bool words_take(const char **list, char *word, size_t size);

/* The last part of a path. */
const char *words_file_name(const char *path);

/* A whole decimal number in [low, high], and nothing else. */
bool words_number(const char *text, uint64_t low, uint64_t high,
                  uint64_t *number);

#endif
