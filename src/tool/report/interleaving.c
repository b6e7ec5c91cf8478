/* SPDX-License-Identifier: MIT
 *
 * The readable interleaving:
 *
 *    step  T1 left                       T2 right
 *       4  12: x = 1;
 *          x = 1, buffered (1 waiting)
 *       5                                20: y = 1;
 *                                        y = 1, buffered (1 waiting)
 *
 * "(2)" before an effect says that it is the second step of the finding's
 * cycle.  Step numbers are those of `fencer trace dump`.  A cell has the source
 * line, unless the row above shows it already, and below it what happened.
 * Where the columns would be too narrow, threads share one column and each cell
 * begins with its thread.
 *
 * A table fits on a page: if it does not, long lines of the source are cut,
 * then the steps that are needed least are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "report/steps.h"

#define LINES_MAX                                                              \
    37               /* of a table, but for --full; with its note that is 40   \
                      */
#define STEP_WIDTH 7 /* "  1234 ", or more for a larger number */
#define GAP 2
#define NARROWEST 24

/* What the table is made of. */
struct table {
    const struct trace *trace;
    const struct shown_cycle *cycle;
    const struct report_style *style;
    struct sources *sources;
    struct arena arena;
    const char *file; /* whose lines need no name before them */
    bool *keep;       /* by event */
    int *column_of;   /* by thread; -1: has none */
    unsigned *shown;  /* threads with a column, in order */
    unsigned columns;
    unsigned margin; /* for step numbers */
    unsigned width;  /* of a column */
    bool list;       /* one column for all */
    bool tight;      /* a line of the source is one line here */
    size_t last;     /* event of the row above; event_count: none */
    struct buf *out;
};

static const char *const plain = "";
static const char *const red = "\033[31m";
static const char *const yellow = "\033[33m";
static const char *const dim = "\033[2m";
static const char *const reset = "\033[0m";

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Is that a function's name?  Where the call that made the thread does not name
 * one, its site has other words. */
static bool is_name(const char *text)
{
    const char *at = text;

    while (is_of_word(*at))
        at++;
    return *text && !*at;
}

const char *steps_thread(const struct trace *t, unsigned thread)
{
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];

        if (ev->kind == EV_CREATE && ev->value == thread &&
            is_name(t->sites[ev->site].name))
            return t->sites[ev->site].name;
        if (ev->thread == thread && ev->site && ev->kind != EV_START &&
            ev->kind != EV_COMMIT && *t->sites[ev->site].function)
            return t->sites[ev->site].function;
    }
    return "";
}

/* How much of `text` goes on a line of n columns: up to the last space that
 * fits, or after the last ( or comma where that leaves a ragged line, or up to
 * where a word begins or ends.  Words longer than a line, and only these, are
 * cut, UTF-8 sequences never. */
static size_t fitting(const char *text, size_t n)
{
    size_t bytes = 0, columns = 0, space = 0, sign = 0, word = 0;

    while (text[bytes] && columns < n) {
        if (text[bytes] == ' ')
            space = bytes;
        bytes++;
        if (text[bytes - 1] == '(' || text[bytes - 1] == ',')
            sign = bytes;
        while (((unsigned char)text[bytes] & 0xc0) == 0x80)
            bytes++;
        if (!is_of_word(text[bytes - 1]) || !is_of_word(text[bytes]))
            word = bytes;
        columns++;
    }
    if (text[bytes] == '\0' || text[bytes] == ' ')
        return bytes;
    if (space > n / 2)
        return space;
    if (sign > n / 2)
        return sign;
    return space > word / 2 ? space : word ? word : bytes;
}

static void put_margin(struct table *b, int column)
{
    buf_pad(b->out, ' ', b->margin + (size_t)column * (b->width + GAP));
}

/* Text in its column, over as many lines as it needs.  The first line's margin
 * holds the step number when there is one; *step is 0 afterwards. */
static void put_cell(struct table *b, int column, const char *text,
                     const char *color, size_t *step)
{
    bool colored = b->style->color && *color;

    do {
        size_t n = fitting(text, b->width);
        size_t start = b->out->count;

        put_margin(b, column);
        if (*step) {
            char number[24];
            int digits = snprintf(number, sizeof(number), "%*zu",
                                  (int)b->margin - GAP, *step);

            memcpy(b->out->bytes + start, number, (size_t)digits);
            *step = 0;
        }
        if (colored)
            buf_puts(b->out, color);
        buf_add(b->out, text, n);
        if (colored)
            buf_puts(b->out, reset);
        buf_putc(b->out, '\n');
        text += n;
        while (*text == ' ')
            text++;
    } while (*text);
}

static const char *effect_color(const struct event *ev)
{
    if (ev->kind == EV_FAIL)
        return red;
    if (ev->flags & (EVF_STALE | EVF_BUFFERED) || ev->kind == EV_COMMIT)
        return yellow;
    return plain;
}

static bool same_line(const struct table *b, const struct event *ev)
{
    const struct trace *t = b->trace;

    if (b->last >= t->event_count)
        return false;

    const struct event *above = &t->events[b->last];

    return above->thread == ev->thread && above->kind != EV_COMMIT &&
           t->sites[above->site].line == t->sites[ev->site].line &&
           strcmp(t->sites[above->site].file, t->sites[ev->site].file) == 0;
}

/* The beginning, as far as it fits. */
static void cut_to(struct buf *text, size_t width)
{
    size_t n = fitting(text->bytes, width);

    if (!text->bytes[n])
        return;
    n = fitting(text->bytes, width - 4);
    text->bytes[n] = '\0';
    text->count = n;
    buf_puts(text, " ...");
}

/* A commit belongs to a line that was shown when the store was issued. */
static void put_source_line(struct table *b, size_t i, int column,
                            const char *who, size_t *step)
{
    const struct event *ev = &b->trace->events[i];
    const struct fencer_site *site = &b->trace->sites[ev->site];
    struct buf text = {0};

    if (site->line == 0 || ev->kind == EV_COMMIT || same_line(b, ev))
        return;

    const char *line = sources_line(b->sources, site);

    buf_puts(&text, who);
    if (strcmp(site->file, b->file) != 0)
        buf_printf(&text, "%s:", steps_file(site));
    buf_printf(&text, "%u: %s", site->line, line ? line : site->function);
    if (b->tight)
        cut_to(&text, b->width);
    put_cell(b, column, text.bytes, dim, step);
    buf_free(&text);
}

/* The number of that event in the cycle, from 1; its commit has it too. */
static unsigned place_in_cycle(const struct table *b, size_t i)
{
    const struct event *ev = &b->trace->events[i];
    size_t own = ev->kind == EV_COMMIT && ev->from ? ev->from - 1 : i;

    for (uint32_t k = 0; k < b->cycle->length; k++) {
        if (b->cycle->events[k] == own)
            return k + 1;
    }
    return 0;
}

static void put_row(struct table *b, size_t i)
{
    const struct event *ev = &b->trace->events[i];
    int column = b->list ? 0 : b->column_of[ev->thread];
    size_t step = i + 1;
    char who[16] = "";
    struct buf text = {0};

    if (b->list)
        snprintf(who, sizeof(who), "T%u ", ev->thread);
    put_source_line(b, i, column, who, &step);
    buf_puts(&text, step || !*who ? who : "   ");
    if (place_in_cycle(b, i))
        buf_printf(&text, "(%u) ", place_in_cycle(b, i));
    steps_effect(b->trace, i, &text);
    put_cell(b, column, text.bytes, effect_color(ev), &step);
    buf_free(&text);
    b->last = i;
}

static void put_heads(struct table *b)
{
    size_t start = b->out->count;

    if (b->list) {
        buf_puts(b->out, " step\n");
        return;
    }
    buf_puts(b->out, " step");
    for (unsigned c = 0; c < b->columns; c++) {
        size_t at = b->margin + (size_t)c * (b->width + GAP);
        const char *name = steps_thread(b->trace, b->shown[c]);

        buf_pad(b->out, ' ', at - (b->out->count - start));
        buf_printf(b->out, "T%u %.*s", b->shown[c], (int)b->width - 5, name);
    }
    while (b->out->bytes[b->out->count - 1] == ' ')
        b->out->count--;
    buf_putc(b->out, '\n');
}

/* Columns for the threads that have a row, as wide as the page allows. */
static void lay_out(struct table *b)
{
    const struct trace *t = b->trace;

    memset(b->column_of, 0, t->thread_count * sizeof(int));
    b->columns = 0;
    for (size_t i = 0; i < t->event_count; i++) {
        if (b->keep[i])
            b->column_of[t->events[i].thread] = 1;
    }
    for (unsigned i = 0; i < t->thread_count; i++) {
        if (!b->column_of[i])
            continue;
        b->column_of[i] = (int)b->columns;
        b->shown[b->columns++] = i;
    }
    if (b->columns == 0)
        b->columns = 1;

    unsigned room;

    b->margin = (unsigned)snprintf(NULL, 0, "%zu", t->event_count) + GAP;
    if (b->margin < STEP_WIDTH)
        b->margin = STEP_WIDTH;
    room = b->style->width - b->margin;
    b->list = (room + GAP) / b->columns < NARROWEST + GAP;
    b->width = b->list ? room : (room + GAP) / b->columns - GAP;
}

/* The file of the failure, or of the first step. */
static const char *main_file(const struct trace *t)
{
    if (t->failure.site)
        return t->sites[t->failure.site].file;
    for (size_t i = 0; i < t->event_count; i++) {
        if (t->events[i].site)
            return t->sites[t->events[i].site].file;
    }
    return "";
}

/* Of a very long execution only the first steps were recorded. */
static void put_left_out(const struct trace *t, size_t shown, struct buf *out)
{
    uint64_t all = t->event_count + t->events_lost;

    if (shown == all)
        return;
    buf_printf(out, "\n%zu of %" PRIu64 " steps are shown", shown, all);
    if (shown < t->event_count && t->events_lost)
        buf_printf(out, "; --full shows the first %zu", t->event_count);
    else if (shown < t->event_count)
        buf_puts(out, "; --full shows all");
    buf_puts(out, t->events_lost ? ", the others were not recorded.\n" : ".\n");
}

static void put_table(struct table *b, struct buf *out)
{
    b->out = out;
    b->last = b->trace->event_count;
    lay_out(b);
    put_heads(b);
    for (size_t i = 0; i < b->trace->event_count; i++) {
        if (b->keep[i])
            put_row(b, i);
    }
}

static bool fits(struct table *b)
{
    struct buf page = {0};
    size_t lines = 0;

    put_table(b, &page);
    for (size_t i = 0; i < page.count; i++)
        lines += page.bytes[i] == '\n';
    buf_free(&page);
    return lines <= LINES_MAX;
}

/* Leaves out the step that is needed least, if it is of that rank or above.
 * False: there is none. */
static bool drop_one(struct table *b, const uint8_t *rank, enum step_rank least)
{
    size_t worst = b->trace->event_count;

    for (size_t i = 0; i < b->trace->event_count; i++) {
        if (b->keep[i] && rank[i] >= least &&
            (worst == b->trace->event_count || rank[i] > rank[worst]))
            worst = i;
    }
    if (worst == b->trace->event_count)
        return false;
    b->keep[worst] = false;
    return true;
}

/* Returns how many steps were left out for it. */
static size_t make_fit(struct table *b)
{
    const struct trace *t = b->trace;
    uint8_t *rank = arena_array(&b->arena, t->event_count + 1, 1);
    size_t dropped = 0;

    if (fits(b))
        return 0;
    steps_rank(t, b->cycle->events, b->cycle->length, rank);
    while (!fits(b) && drop_one(b, rank, STEP_FRAME))
        dropped++;
    b->tight = !fits(b);
    while (!fits(b) && drop_one(b, rank, STEP_SOURCE))
        dropped++;
    return dropped;
}

void interleaving_put(const struct trace *t, const struct shown_cycle *cycle,
                      const struct report_style *style, struct buf *out)
{
    struct table b = {.trace = t,
                      .cycle = cycle,
                      .style = style,
                      .sources = sources_new(),
                      .file = main_file(t)};
    size_t shown = t->event_count;

    b.keep = arena_array(&b.arena, t->event_count, sizeof(bool));
    b.column_of = arena_array(&b.arena, t->thread_count, sizeof(int));
    b.shown = arena_array(&b.arena, t->thread_count, sizeof(unsigned));
    if (style->full) {
        memset(b.keep, 1, t->event_count);
    } else {
        shown = steps_choose(t, cycle, b.keep);
        shown -= make_fit(&b);
    }
    put_table(&b, out);
    put_left_out(t, shown, out);
    sources_free(b.sources);
    arena_free(&b.arena);
}
