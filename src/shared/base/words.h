/* SPDX-License-Identifier: MIT
 *
 * Small services for words that people type.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The word most like `typed`, or NULL when none is close enough to be meant.
 * Of equally close ones the first. */
const char *words_nearest(const char *typed, const char *const *words,
                          size_t count);

/* A whole decimal number in [low, high], and nothing else. */
bool words_number(const char *text, uint64_t low, uint64_t high,
                  uint64_t *number);

#endif
