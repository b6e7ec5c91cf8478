/* SPDX-License-Identifier: MIT
 *
 * Boyer and Moore's string search (CACM 1977).
 */
#ifndef BM_H
#define BM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define BM_LONGEST 32

struct bm {
    unsigned char pattern[BM_LONGEST];
    int length;
    bool ignore_case;
    int character[UCHAR_MAX + 1]; /* how far after this mismatch */
    int suffix[BM_LONGEST + 1];   /* how far after this much matched */
};

/* False if the pattern is empty or too long. */
bool bm_compile(struct bm *b, const char *pattern, bool ignore_case);

/* Where the pattern is in the text, from `from` on; -1 if nowhere. */
long bm_find(const struct bm *b, const char *text, long length, long from);

#endif
