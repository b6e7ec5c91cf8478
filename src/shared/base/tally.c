/* SPDX-License-Identifier: MIT
 *
 * Counting texts, as tally.h says.
 */
#include "base/tally.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *x, const void *y)
{
    return strcmp(((const struct tally_entry *)x)->text,
                  ((const struct tally_entry *)y)->text);
}

static struct tally_entry *find_entry(const struct tally *t, const char *text)
{
    struct tally_entry key = {text, 0};

    if (!t->sorted)
        return NULL;
    return bsearch(&key, t->list, t->sorted, sizeof(key), by_text);
}

void tally_add(struct tally *t, const char *text, uint64_t count,
               struct arena *a)
{
    struct tally_entry *known = find_entry(t, text);

    if (known)
        known->count += count;
    else
        VEC_PUSH_IN(a, t, {arena_copy(a, text), count});
}

void tally_sort(struct tally *t)
{
    size_t n = 0;

    if (t->count == 0)
        return;
    qsort(t->list, t->count, sizeof(*t->list), by_text);
    for (size_t i = 1; i < t->count; i++) {
        if (by_text(&t->list[n], &t->list[i]) == 0)
            t->list[n].count += t->list[i].count;
        else
            t->list[++n] = t->list[i];
    }
    t->count = t->sorted = n + 1;
}

void tally_copy(struct tally *to, const struct tally *from, struct arena *a)
{
    VEC_CLEAR(to);
    VEC_FIT_IN(a, to, from->count);
    if (from->count)
        memcpy(to->list, from->list, from->count * sizeof(*to->list));
    to->count = from->count;
    to->sorted = from->sorted;
}

bool tally_has(const struct tally *t, const char *text)
{
    return find_entry(t, text) != NULL;
}
