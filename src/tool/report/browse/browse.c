/* SPDX-License-Identifier: MIT
 *
 * Where the user is in an execution, and where a key leads.
 */
#include "report/browse/browse.h"

#include <string.h>

static const struct shown *shown_of(const struct browse *b)
{
    return b->report->findings[b->finding];
}

/* The two accesses of a race are told as a cycle is. */
static struct shown_cycle cycle_of(const struct shown *f)
{
    if (f->class != CLASS_RACE)
        return f->cycle;
    return (struct shown_cycle){.length = 2,
                                .events = {f->race[0], f->race[1]}};
}

static bool is_in_cycle(const struct browse *b, uint32_t event)
{
    for (uint32_t i = 0; i < b->cycle.length; i++) {
        if (b->cycle.events[i] == event)
            return true;
    }
    return false;
}

/* ---- Rows ---- */

/* The row of that event, or the first after it. */
static size_t row_of(const struct browse *b, uint32_t event)
{
    size_t i = 0;

    while (i + 1 < b->rows.count && b->rows.list[i] < event)
        i++;
    return i;
}

static void choose_rows(struct browse *b)
{
    const struct trace *t = &shown_of(b)->trace;
    uint32_t at = b->rows.count ? b->rows.list[b->row] : 0;
    struct arena arena = ARENA_INIT;
    bool *keep = arena_array(&arena, t->event_count + 1, sizeof(bool));

    steps_choose(t, &b->cycle, keep);
    VEC_CLEAR(&b->rows);
    for (uint32_t i = 0; i < t->event_count; i++) {
        if (b->all || keep[i])
            VEC_PUSH(&b->rows, i);
    }
    arena_free(&arena);
    b->row = row_of(b, at);
}

/* ---- Findings ---- */

static void open_finding(struct browse *b)
{
    const struct shown *f = shown_of(b);

    b->cycle = cycle_of(f);
    b->machine = model_has_machine(f->finding.model);
    html_strings_init(&b->strings);
    html_memory_init(&b->memory, &f->trace, &b->strings, b->machine);
    VEC_CLEAR(&b->rows);
    b->row = b->top = 0;
    choose_rows(b);
}

static void close_finding(struct browse *b)
{
    html_memory_free(&b->memory);
    map_free(&b->strings.numbers);
    json_decref(b->strings.list);
}

void browse_init(struct browse *b, const struct report *r)
{
    CHECK(r->finding_count > 0);
    *b = (struct browse){.report = r, .sources = sources_new()};
    open_finding(b);
}

void browse_free(struct browse *b)
{
    close_finding(b);
    sources_free(b->sources);
    VEC_FREE(&b->rows);
    arena_free(&b->screen);
}

static void change_finding(struct browse *b, bool forward)
{
    size_t n = b->report->finding_count;

    close_finding(b);
    b->finding = (b->finding + (forward ? 1 : n - 1)) % n;
    open_finding(b);
}

/* ---- Search ---- */

static bool has_pattern(struct browse *b, size_t row)
{
    const struct trace *t = &shown_of(b)->trace;
    uint32_t event = b->rows.list[row];
    const struct fencer_site *site = &t->sites[t->events[event].site];
    const char *line = sources_line(b->sources, site);
    struct buf text = {0};
    bool found;

    steps_effect(t, event, &text);
    buf_printf(&text, "\n%s\n%s", line ? line : "", site->function);
    found = strcasestr(text.bytes, b->pattern) != NULL;
    buf_free(&text);
    return found;
}

/* From the row that is looked at, around the end. */
static void find_match(struct browse *b, bool forward)
{
    size_t n = b->rows.count;

    if (!*b->pattern) {
        b->note = "nothing to look for: / begins a search";
        return;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t row = (b->row + (forward ? i : n - i)) % n;

        if (has_pattern(b, row)) {
            b->row = row;
            return;
        }
    }
    b->note = "not found";
}

void browse_search(struct browse *b, const char *pattern)
{
    b->note = NULL;
    if (*pattern)
        snprintf(b->pattern, sizeof(b->pattern), "%s", pattern);
    if (b->rows.count)
        find_match(b, true);
}

/* ---- Keys ---- */

/* In the order of time, around the end. */
static void step_along_cycle(struct browse *b, bool forward)
{
    size_t n = b->rows.count;

    for (size_t i = 1; i <= n; i++) {
        size_t row = (b->row + (forward ? i : n - i)) % n;

        if (is_in_cycle(b, b->rows.list[row])) {
            b->row = row;
            return;
        }
    }
    b->note = "this execution has no cycle";
}

static void move(struct browse *b, size_t rows, bool down)
{
    size_t last = b->rows.count - 1;

    if (down)
        b->row = b->row + rows < last ? b->row + rows : last;
    else
        b->row = b->row > rows ? b->row - rows : 0;
}

void browse_do(struct browse *b, enum browse_key key, unsigned height)
{
    size_t page = height > BROWSE_LEAST_HEIGHT ? height / 2 : 1;

    b->note = NULL;
    if (key == BROWSE_NEXT_FINDING || key == BROWSE_PREVIOUS_FINDING) {
        change_finding(b, key == BROWSE_NEXT_FINDING);
        return;
    }
    if (key == BROWSE_ALL) {
        b->all = !b->all;
        choose_rows(b);
        return;
    }
    if (b->rows.count == 0)
        return;
    switch (key) {
    case BROWSE_DOWN:
    case BROWSE_UP:
        move(b, 1, key == BROWSE_DOWN);
        break;
    case BROWSE_PAGE_DOWN:
    case BROWSE_PAGE_UP:
        move(b, page, key == BROWSE_PAGE_DOWN);
        break;
    case BROWSE_FIRST:
        b->row = 0;
        break;
    case BROWSE_LAST:
        b->row = b->rows.count - 1;
        break;
    case BROWSE_NEXT_OF_CYCLE:
    case BROWSE_PREVIOUS_OF_CYCLE:
        step_along_cycle(b, key == BROWSE_NEXT_OF_CYCLE);
        break;
    case BROWSE_NEXT_MATCH:
    case BROWSE_PREVIOUS_MATCH:
        find_match(b, key == BROWSE_NEXT_MATCH);
        break;
    case BROWSE_NEXT_FINDING:
    case BROWSE_PREVIOUS_FINDING:
    case BROWSE_ALL:
        break;
    }
}
