/* SPDX-License-Identifier: MIT
 *
 * The pattern is compared from its end.  After a mismatch it moves on by the
 * larger of two distances: until the text's character meets its last place in
 * the pattern, or until what matched meets its next place in the pattern.
 */
#include "bm.h"

#include <ctype.h>
#include <string.h>

static unsigned char folded(const struct bm *b, char c)
{
    unsigned char u = (unsigned char)c;

    return b->ignore_case ? (unsigned char)tolower(u) : u;
}

static void compile_characters(struct bm *b)
{
    for (int c = 0; c <= UCHAR_MAX; c++)
        b->character[c] = b->length;
    for (int i = 0; i < b->length; i++)
        b->character[b->pattern[i]] = b->length - 1 - i;
}

/* border[i]: where the longest border of pattern[i..] begins. */
static void compile_suffixes(struct bm *b)
{
    int border[BM_LONGEST + 1], i = b->length, j = b->length + 1;

    memset(b->suffix, 0, sizeof b->suffix);
    border[i] = j;
    while (i > 0) {
        while (j <= b->length && b->pattern[i - 1] != b->pattern[j - 1]) {
            if (b->suffix[j] == 0)
                b->suffix[j] = j - i;
            j = border[j];
        }
        border[--i] = --j;
    }
    j = border[0];
    for (i = 0; i <= b->length; i++) {
        if (b->suffix[i] == 0)
            b->suffix[i] = j;
        if (i == j)
            j = border[j];
    }
}

bool bm_compile(struct bm *b, const char *pattern, bool ignore_case)
{
    size_t length = strlen(pattern);

    if (length == 0 || length > BM_LONGEST)
        return false;
    b->length = (int)length;
    b->ignore_case = ignore_case;
    for (int i = 0; i < b->length; i++)
        b->pattern[i] = folded(b, pattern[i]);
    compile_characters(b);
    compile_suffixes(b);
    return true;
}

long bm_find(const struct bm *b, const char *text, long length, long from)
{
    while (from + b->length <= length) {
        int i = b->length - 1, by_character, by_suffix;
        unsigned char c = 0;

        while (i >= 0 && (c = folded(b, text[from + i])) == b->pattern[i])
            i--;
        if (i < 0)
            return from;
        by_character = b->character[c] - (b->length - 1 - i);
        by_suffix = b->suffix[i + 1];
        from += by_character > by_suffix ? by_character : by_suffix;
    }
    return -1;
}
