/* SPDX-License-Identifier: MIT
 *
 * qsort, bsearch and friends.  Own versions, because the callback is the
 * program's: it may switch fibers or end the execution, and the C library's
 * qsort would leave memory behind.
 *
 * The sort is stable and works in place, like glibc's in all but memory:
 * halves are sorted and then merged by rotation (after Kim and Kutzner's
 * SymMerge), which takes n log^2 n steps and no buffer.
 */
#include "libc/libc.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 8 /* elements that insertion sorts */

struct array {
    char *base;
    size_t size; /* of an element */
    int (*compare)(const void *, const void *);
    int (*compare_r)(const void *, const void *, void *);
    void *argument;
    uint32_t site;
};

static char *at(const struct array *a, size_t i)
{
    return a->base + i * a->size;
}

static bool before(const struct array *a, size_t i, size_t j)
{
    const char *x = at(a, i), *y = at(a, j);

    if (a->compare_r)
        return a->compare_r(x, y, a->argument) < 0;
    return a->compare(x, y) < 0;
}

static void swap(const struct array *a, size_t i, size_t j)
{
    char *x = at(a, i), *y = at(a, j);

    for (size_t left = a->size; left;) {
        char of_x[64], of_y[64];
        size_t n = left < sizeof of_x ? left : sizeof of_x;

        libc_in(of_x, x, n, a->site);
        libc_in(of_y, y, n, a->site);
        libc_out(x, of_y, n, a->site);
        libc_out(y, of_x, n, a->site);
        x += n;
        y += n;
        left -= n;
    }
}

static void reverse(const struct array *a, size_t from, size_t to)
{
    while (from + 1 < to)
        swap(a, from++, --to);
}

/* [from, middle) and [middle, to) change places. */
static void rotate(const struct array *a, size_t from, size_t middle, size_t to)
{
    if (from == middle || middle == to)
        return;
    reverse(a, from, middle);
    reverse(a, middle, to);
    reverse(a, from, to);
}

/* Merges two sorted neighbours: finds, symmetrically around the middle, what
 * must change sides, rotates it, and does the same in both halves. */
static void merge(const struct array *a, size_t from, size_t middle, size_t to)
{
    while (from < middle && middle < to) {
        size_t half = from + (to - from) / 2, sum = half + middle;
        size_t start = middle > half ? sum - to : from;
        size_t end = middle > half ? half : middle;
        size_t pivot = sum - 1, other;

        while (start < end) {
            size_t probe = start + (end - start) / 2;

            if (!before(a, pivot - probe, probe))
                start = probe + 1;
            else
                end = probe;
        }
        other = sum - start;
        rotate(a, start, middle, other);
        merge(a, from, start, half);
        from = half;
        middle = other;
    }
}

static void insertion(const struct array *a, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        for (size_t j = i; j > from && before(a, j, j - 1); j--)
            swap(a, j, j - 1);
}

static void sort(const struct array *a, size_t from, size_t to)
{
    size_t middle = from + (to - from) / 2;

    if (to - from <= SMALL) {
        insertion(a, from, to);
        return;
    }
    sort(a, from, middle);
    sort(a, middle, to);
    /* In order already, as much input is. */
    if (before(a, middle, middle - 1))
        merge(a, from, middle, to);
}

MODEL(void, qsort,
      (void *base, size_t count, size_t size,
       int (*compare)(const void *, const void *)))
{
    struct array a = {.base = base, .size = size, .compare = compare};

    a.site = libc_enter();
    if (count > 1 && size)
        sort(&a, 0, count);
}

MODEL(void, qsort_r,
      (void *base, size_t count, size_t size,
       int (*compare)(const void *, const void *, void *), void *argument))
{
    struct array a = {
        .base = base, .size = size, .compare_r = compare, .argument = argument};

    a.site = libc_enter();
    if (count > 1 && size)
        sort(&a, 0, count);
}

MODEL(void *, bsearch,
      (const void *key, const void *base, size_t count, size_t size,
       int (*compare)(const void *, const void *)))
{
    const char *low = base;

    libc_enter();
    while (count) {
        const char *middle = low + count / 2 * size;
        int order = compare(key, middle);

        if (!order)
            return (void *)middle;
        if (order > 0) {
            low = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

static char *find(const void *key, const char *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < count; i++)
        if (!compare(key, base + i * size))
            return (char *)base + i * size;
    return NULL;
}

MODEL(void *, lfind,
      (const void *key, const void *base, size_t *count, size_t size,
       int (*compare)(const void *, const void *)))
{
    uint32_t site = libc_enter();
    size_t n;

    libc_in(&n, count, sizeof n, site);
    return find(key, base, n, size, compare);
}

MODEL(void *, lsearch,
      (const void *key, void *base, size_t *count, size_t size,
       int (*compare)(const void *, const void *)))
{
    uint32_t site = libc_enter();
    char *found;
    size_t n;

    libc_in(&n, count, sizeof n, site);
    found = find(key, base, n, size, compare);
    if (found)
        return found;
    found = (char *)base + n * size;
    libc_copy(found, key, size, site);
    n++;
    libc_out(count, &n, sizeof n, site);
    return found;
}
