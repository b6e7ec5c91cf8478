/* SPDX-License-Identifier: MIT
 *
 * The screen as lines:
 *
 *     f1 of 2  assertion failed: ..., on x86 (TSO)
 *      step  T0 main        T1 left          T2 right
 *         4                 (1) x = 1, buff
 *         6                 (2) y is 0, ini                      looked at
 *     ------------------------------------------------
 *     step 6 of 21, T1, sb.c:32 in left
 *       left_saw = right_flag;
 *       right_flag is 0, initial value
 *       (2) of the cycle: program order, swapped
 *       waiting: T1 left_flag = 1 (step 4)
 *       memory: left_flag 0, right_flag 0
 *     arrows: step   n p: along the cycle   / m M: search ...
 *
 * Threads share one column where lanes would be too narrow.
 */
#include "report/browse/browse.h"

#include <string.h>

#include "base/clean.h"

#define MARGIN 7 /* of the step's number */
#define LANE_LEAST 16
#define DETAILS 6 /* lines below the rule */
#define AROUND 4  /* lines that are neither rows nor details */

struct screen {
    struct browse *browse;
    struct browse_line *lines;
    unsigned count, height, width;
};

/* As many columns as there are, with a sign that some are missing. */
static const char *fit(struct arena *a, const char *text, size_t columns)
{
    struct buf clean = {0};
    size_t bytes = 0, n = 0;
    const char *copy;

    buf_puts(&clean, "");
    clean_put(&clean, text, strlen(text), CLEAN_LINE);
    while (clean.bytes[bytes] && n < columns) {
        bytes++;
        while (((unsigned char)clean.bytes[bytes] & 0xc0) == 0x80)
            bytes++;
        n++;
    }
    if (clean.bytes[bytes] && columns > 1) {
        do
            bytes--;
        while (((unsigned char)clean.bytes[bytes] & 0xc0) == 0x80);
        clean.bytes[bytes++] = '>';
    }
    copy = arena_copy_n(a, clean.bytes, bytes);
    buf_free(&clean);
    return copy;
}

static void add_line(struct screen *s, enum browse_look look, const char *text)
{
    if (s->count < s->height)
        s->lines[s->count++] =
            (struct browse_line){fit(&s->browse->screen, text, s->width), look};
}

static void add_buf(struct screen *s, enum browse_look look, struct buf *text)
{
    add_line(s, look, text->count ? text->bytes : "");
    buf_clear(text);
}

static const struct shown *shown_of(const struct screen *s)
{
    return s->browse->report->findings[s->browse->finding];
}

/* The place of an event in the cycle, 1 is the first; 0: none. */
static uint32_t place_in_cycle(const struct browse *b, uint32_t event)
{
    for (uint32_t i = 0; i < b->cycle.length; i++) {
        if (b->cycle.events[i] == event)
            return i + 1;
    }
    return 0;
}

/* ---- Lanes ---- */

static size_t lane_width(const struct screen *s)
{
    size_t threads = shown_of(s)->trace.thread_count;
    size_t width = threads ? (s->width - MARGIN) / threads : 0;

    return width >= LANE_LEAST ? width : 0;
}

static void add_names(struct screen *s)
{
    const struct trace *t = &shown_of(s)->trace;
    size_t lane = lane_width(s);
    struct buf text = {0};

    buf_puts(&text, "  step ");
    for (unsigned i = 0; lane && i < t->thread_count; i++) {
        const char *name =
            arena_printf(&s->browse->screen, "T%u %s", i, steps_thread(t, i));

        buf_pad(&text, ' ', MARGIN + i * lane - text.count);
        buf_puts(&text, fit(&s->browse->screen, name, lane - 1));
    }
    add_buf(s, LOOK_DIM, &text);
    buf_free(&text);
}

static void put_step(struct screen *s, uint32_t event, struct buf *out)
{
    const struct trace *t = &shown_of(s)->trace;
    uint32_t place = place_in_cycle(s->browse, event);

    if (place)
        buf_printf(out, "(%u) ", place);
    steps_effect(t, event, out);
}

static void add_row(struct screen *s, size_t row)
{
    struct browse *b = s->browse;
    const struct trace *t = &shown_of(s)->trace;
    uint32_t event = b->rows.list[row];
    const struct event *ev = &t->events[event];
    size_t lane = lane_width(s);
    struct buf step = {0}, line = {0};
    enum browse_look look = row == b->row              ? LOOK_CURRENT
                            : ev->kind == EV_FAIL      ? LOOK_FAILED
                            : place_in_cycle(b, event) ? LOOK_CYCLE
                                                       : LOOK_PLAIN;

    put_step(s, event, &step);
    buf_printf(&line, "%6u ", event + 1);
    if (lane)
        buf_pad(&line, ' ', ev->thread * lane);
    else
        buf_printf(&line, "T%u ", (unsigned)ev->thread);
    buf_puts(&line, fit(&b->screen, step.count ? step.bytes : "",
                        lane ? lane - 1 : s->width));
    add_buf(s, look, &line);
    buf_free(&step);
    buf_free(&line);
}

/* The step that is looked at stays in sight. */
static void add_rows(struct screen *s, unsigned room)
{
    struct browse *b = s->browse;

    if (b->row < b->top)
        b->top = b->row;
    if (b->row >= b->top + room)
        b->top = b->row - room + 1;
    for (unsigned i = 0; i < room; i++) {
        if (b->top + i < b->rows.count)
            add_row(s, b->top + i);
        else
            add_line(s, LOOK_PLAIN, "");
    }
}

/* ---- Details ---- */

/* "x = 1" of "x = 1, buffered (1 waiting)". */
static void put_store(const struct trace *t, uint32_t event, struct buf *out)
{
    struct buf text = {0};
    const char *end;

    buf_puts(&text, "");
    steps_effect(t, event, &text);
    end = strstr(text.bytes, ", buffered");
    buf_add(out, text.bytes, end ? (size_t)(end - text.bytes) : text.count);
    buf_free(&text);
}

static void put_waiting(struct screen *s, uint32_t event, struct buf *out)
{
    const struct trace *t = &shown_of(s)->trace;
    const struct html_memory *m = &s->browse->memory;
    const char *gap = "  waiting: ";

    for (uint32_t i = 0; i <= event; i++) {
        const struct event *ev = &t->events[i];

        if (m->until[i] <= event + 1)
            continue;
        buf_printf(out, "%sT%u ", gap, (unsigned)ev->thread);
        put_store(t, i, out);
        buf_printf(out, " (step %u)", i + 1);
        gap = ", ";
    }
    if (*gap == ' ')
        buf_puts(out, "  waiting: no store");
}

/* What a cell holds after that step; NULL: nobody knows. */
static const char *held_text(const struct browse *b, const struct html_cell *c,
                             uint32_t step)
{
    const char *text = NULL;

    for (size_t i = 0; i < c->held.count && c->held.list[i].step <= step; i++)
        text = c->held.list[i].text
                   ? json_string_value(
                         json_array_get(b->strings.list, c->held.list[i].text))
                   : NULL;
    return text;
}

static void put_memory(struct screen *s, uint32_t event, struct buf *out)
{
    const struct browse *b = s->browse;
    const char *gap = "  memory: ";

    for (size_t i = 0; i < b->memory.cells.count && out->count < s->width;
         i++) {
        const struct html_cell *c = &b->memory.cells.list[i];
        const char *text = held_text(b, c, event + 1);

        if (!text)
            continue;
        buf_puts(out, gap);
        trace_place(&shown_of(s)->trace, c->object, c->offset, out);
        buf_printf(out, " %s", text);
        gap = ", ";
    }
}

static void put_edge(struct screen *s, uint32_t event, struct buf *out)
{
    const struct shown *f = shown_of(s);
    uint32_t place = place_in_cycle(s->browse, event);

    if (place)
        buf_printf(out, "  (%u) of %u: %s", place, s->browse->cycle.length,
                   f->class == CLASS_RACE ? "races with the other"
                                          : report_edge_words(f, place - 1));
}

static void add_details(struct screen *s)
{
    struct browse *b = s->browse;
    const struct trace *t = &shown_of(s)->trace;
    struct buf text = {0};
    uint32_t event;

    if (b->rows.count == 0) {
        add_line(s, LOOK_PLAIN, "this execution has no steps");
        return;
    }
    event = b->rows.list[b->row];

    const struct event *ev = &t->events[event];
    const struct fencer_site *site = &t->sites[ev->site];
    const char *source = sources_line(b->sources, site);

    buf_printf(&text, "step %u of %zu, T%u", event + 1, t->event_count,
               (unsigned)ev->thread);
    if (site->line)
        buf_printf(&text, ", %s:%u in %s", site->file, site->line,
                   site->function);
    add_buf(s, LOOK_PLAIN, &text);
    buf_printf(&text, "  %s", source ? source : "");
    add_buf(s, LOOK_PLAIN, &text);
    buf_puts(&text, "  ");
    steps_effect(t, event, &text);
    add_buf(s, LOOK_PLAIN, &text);
    put_edge(s, event, &text);
    add_buf(s, LOOK_CYCLE, &text);
    if (b->machine)
        put_waiting(s, event, &text);
    add_buf(s, LOOK_PLAIN, &text);
    if (b->machine)
        put_memory(s, event, &text);
    add_buf(s, LOOK_PLAIN, &text);
    buf_free(&text);
}

/* ---- All of it ---- */

static void add_title(struct screen *s)
{
    struct buf text = {0};

    buf_printf(&text, "f%zu of %zu  ", s->browse->finding + 1,
               s->browse->report->finding_count);
    report_headline(shown_of(s), &text);
    add_buf(s, LOOK_BAR, &text);
    buf_free(&text);
}

static void add_rule(struct screen *s)
{
    struct buf text = {0};

    buf_pad(&text, '-', s->width);
    add_buf(s, LOOK_DIM, &text);
    buf_free(&text);
}

const struct browse_line *browse_screen(struct browse *b, unsigned width,
                                        unsigned height)
{
    static const char keys[] =
        "arrows: step  n p: cycle  / m M: search  a: all steps  Tab: finding  "
        "q: leave";
    struct screen s = {.browse = b, .width = width, .height = height};

    arena_free(&b->screen);
    s.lines = arena_array(&b->screen, height, sizeof(*s.lines));
    if (width < BROWSE_LEAST_WIDTH || height < BROWSE_LEAST_HEIGHT) {
        add_line(&s, LOOK_PLAIN, "too small; q leaves");
    } else {
        add_title(&s);
        add_names(&s);
        add_rows(&s, height - DETAILS - AROUND);
        add_rule(&s);
        add_details(&s);
    }
    while (s.count + 1 < height)
        add_line(&s, LOOK_PLAIN, "");
    if (s.count < height)
        add_line(&s, LOOK_BAR, b->note ? b->note : keys);
    return s.lines;
}
