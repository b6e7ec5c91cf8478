/* SPDX-License-Identifier: MIT
 *
 * "Did you mean": the fewest letters to add, drop, change or swap.
 */
#include "base/words.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 40 /* no word of ours is longer */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Rows of the usual table, the two before the present one kept for swaps. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST + 1];

    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *before = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);

            row[j] = least(change, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *words_nearest(const char *typed, const char *const *words,
                          size_t count)
{
    size_t n = strlen(typed);
    size_t best = n / 3 + 1; /* more letters wrong: something else is meant */
    const char *nearest = NULL;

    if (n == 0 || n > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t m = strlen(words[i]);
        size_t d = m > LONGEST ? LONGEST : distance(typed, n, words[i], m);

        if (d < best || (d == best && !nearest)) {
            best = d;
            nearest = words[i];
        }
    }
    return nearest;
}

bool words_number(const char *text, uint64_t low, uint64_t high,
                  uint64_t *number)
{
    uint64_t n = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;

        uint64_t digit = (uint64_t)(*text - '0');

        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    if (n < low || n > high)
        return false;
    *number = n;
    return true;
}

bool words_take(const char **list, char *word, size_t size)
{
    size_t n = *list ? strcspn(*list, ",") : 0;

    if (!*list)
        return false;
    snprintf(word, size, "%.*s", (int)n, *list);
    *list = (*list)[n] ? *list + n + 1 : NULL;
    return true;
}

bool words_unknown(struct err *e, const char *what, const char *typed,
                   const char *const *words, size_t count, const char *hint)
{
    const char *near = words_nearest(typed, words, count);

    if (near)
        return err_set(e, "unknown %s '%s', did you mean '%s'?", what, typed,
                       near);
    return err_set(e, "unknown %s '%s': %s", what, typed, hint);
}

const char *words_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
