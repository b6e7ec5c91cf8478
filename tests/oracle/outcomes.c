/* SPDX-License-Identifier: MIT
 *
 * Outcome sets as sorted arrays: programs here have at most some hundred.
 */
#include "outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[] = {"none", "never", "sometimes", "always"};

void outcomes_init(struct outcomes *o, size_t width)
{
    memset(o, 0, sizeof *o);
    o->width = width;
}

void outcomes_free(struct outcomes *o)
{
    free(o->values);
    memset(o, 0, sizeof *o);
}

const uint64_t *outcomes_row(const struct outcomes *o, size_t i)
{
    return o->values + i * o->width;
}

static int compare_rows(const uint64_t *a, const uint64_t *b, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Index of the first row that is not smaller. */
static size_t lower_bound(const struct outcomes *o, const uint64_t *values)
{
    size_t low = 0, high = o->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (compare_rows(outcomes_row(o, middle), values, o->width) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool outcomes_has(const struct outcomes *o, const uint64_t *values)
{
    size_t at = lower_bound(o, values);

    return at < o->count &&
           !compare_rows(outcomes_row(o, at), values, o->width);
}

bool outcomes_add(struct outcomes *o, const uint64_t *values)
{
    size_t at = lower_bound(o, values), row = o->width * sizeof *o->values;

    if (at < o->count && !compare_rows(outcomes_row(o, at), values, o->width))
        return false;
    if (o->count == o->room) {
        o->room = o->room ? 2 * o->room : 16;
        o->values = realloc(o->values, o->room * row + 1);
        REQUIRE(o->values, "out of memory");
    }
    memmove(o->values + (at + 1) * o->width, o->values + at * o->width,
            (o->count - at) * row);
    memcpy(o->values + at * o->width, values, row);
    o->count++;
    return true;
}

bool outcomes_within(const struct outcomes *a, const struct outcomes *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!outcomes_has(b, outcomes_row(a, i)))
            return false;
    return true;
}

bool outcomes_equal(const struct outcomes *a, const struct outcomes *b)
{
    return a->count == b->count && outcomes_within(a, b);
}

void outcome_text(const struct program *p, const uint64_t *values, char *text,
                  size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < p->observed_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%lld",
                                 i ? " " : "", p->observed[i].label,
                                 (long long)values[i]);
}

bool outcome_parse(const struct program *p, const char *text, uint64_t *values)
{
    for (size_t i = 0; i < p->observed_count; i++) {
        size_t length = strlen(p->observed[i].label);
        char *end;

        while (*text == ' ')
            text++;
        if (strncmp(text, p->observed[i].label, length) || text[length] != '=')
            return false;
        values[i] = (uint64_t)strtoll(text + length + 1, &end, 10);
        if (end == text + length + 1)
            return false;
        text = end;
    }
    while (*text == ' ')
        text++;
    return !*text;
}

enum verdict outcomes_verdict(const struct program *p, const struct outcomes *o)
{
    size_t holds = 0;

    if (!p->term_count)
        return VERDICT_NONE;
    for (size_t i = 0; i < o->count; i++)
        holds += program_holds(p, outcomes_row(o, i));
    return holds == 0 ? NEVER : holds == o->count ? ALWAYS : SOMETIMES;
}
