/* SPDX-License-Identifier: MIT
 *
 * One finding's execution as data: its steps in columns, memory and buffers at
 * every step, its cycle, and its words.  The words are those of the text
 * report.  A long execution is cut to a window that has the cycle's first
 * access, or the end; step numbers stay those of `fencer trace dump`.
 */
#include "report/html/html_inside.h"

#include <inttypes.h>
#include <string.h>

#define BEFORE_CYCLE 50 /* steps */

struct window {
    size_t first, end; /* events */
};

struct execution {
    const struct shown *f;
    const struct trace *t;
    struct html_files *files;
    struct html_strings strings;
    struct html_memory memory;
    struct arena arena;
    struct window window;
    struct map sites; /* of the trace, to their row */
    json_t *site_rows;
    bool machine;
};

static void add_number(json_t *list, uint64_t n)
{
    json_array_append_new(list, json_integer((json_int_t)n));
}

/* The two accesses of a race are told as a cycle is. */
static struct shown_cycle cycle_of(const struct shown *f)
{
    if (f->class != CLASS_RACE)
        return f->cycle;
    return (struct shown_cycle){.length = 2,
                                .events = {f->race[0], f->race[1]}};
}

static struct window choose_window(const struct trace *t,
                                   const struct shown_cycle *c, size_t room)
{
    size_t first = t->event_count;

    if (t->event_count <= room)
        return (struct window){0, t->event_count};
    for (uint32_t i = 0; i < c->length; i++) {
        if (c->events[i] < first)
            first = c->events[i];
    }
    first = first > BEFORE_CYCLE ? first - BEFORE_CYCLE : 0;
    if (first > t->event_count - room)
        first = t->event_count - room;
    return (struct window){first, first + room};
}

/* ---- Steps ---- */

static uint32_t site_row(struct execution *x, uint32_t number)
{
    const struct fencer_site *s = &x->t->sites[number];
    uint64_t *row = map_put(&x->sites, number);

    if (*row)
        return (uint32_t)*row - 1;
    *row = json_array_size(x->site_rows) + 1;

    const char *line = sources_line(html_sources(x->files), s);
    json_t *j = json_array();

    add_number(j, s->line ? html_file(x->files, s) : 0);
    add_number(j, s->line);
    add_number(j, s->column);
    add_number(j, html_string(&x->strings, s->function));
    add_number(j, html_string(&x->strings, line ? line : ""));
    json_array_append_new(x->site_rows, j);
    return (uint32_t)*map_get(&x->sites, number) - 1;
}

static uint32_t effect_text(struct execution *x, size_t i)
{
    struct buf text = {0};
    uint32_t number;

    steps_effect(x->t, i, &text);
    number = html_string(&x->strings, text.bytes);
    buf_free(&text);
    return number;
}

/* Kind, order and how the access was made, in one number. */
static uint32_t nature_of(const struct event *ev)
{
    return ev->kind * 64u + (ev->flags & EVF_ORDER) * 8 + (ev->flags >> 4 & 7);
}

/* Only steps of the page can be gone to. */
static uint32_t source_step(const struct execution *x, const struct event *ev)
{
    bool has = event_reads(ev) || ev->kind == EV_COMMIT;

    return has && ev->from > x->window.first ? ev->from : 0;
}

static json_t *steps_json(struct execution *x)
{
    json_t *thread = json_array(), *nature = json_array();
    json_t *site = json_array(), *text = json_array(), *from = json_array();
    json_t *cell = json_array(), *until = json_array();

    for (size_t i = x->window.first; i < x->window.end; i++) {
        const struct event *ev = &x->t->events[i];
        uint32_t c = html_cell_of(&x->memory, ev);
        uint32_t wait = x->memory.until[i];

        add_number(thread, ev->thread);
        add_number(nature, nature_of(ev));
        add_number(site, site_row(x, ev->site));
        add_number(text, effect_text(x, i));
        add_number(from, source_step(x, ev));
        add_number(cell, c == UINT32_MAX ? 0 : c + 1);
        add_number(until, wait == UINT32_MAX ? x->t->event_count + 1 : wait);
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "thread", thread,
                     "nature", nature, "site", site, "text", text, "from", from,
                     "cell", cell, "until", until);
}

/* The steps that the text report shows. */
static json_t *shown_json(struct execution *x, const struct shown_cycle *c)
{
    bool *keep = arena_array(&x->arena, x->t->event_count + 1, sizeof(bool));
    json_t *list = json_array();

    steps_choose(x->t, c, keep);
    for (size_t i = x->window.first; i < x->window.end; i++) {
        if (keep[i])
            add_number(list, i + 1);
    }
    return list;
}

/* Stores that wait when the window begins. */
static json_t *waiting_json(struct execution *x)
{
    json_t *list = json_array();

    for (size_t i = 0; i < x->window.first; i++) {
        uint32_t until = x->memory.until[i];
        json_t *j;

        if (until <= x->window.first)
            continue;
        j = json_array();
        add_number(j, i + 1);
        add_number(j, x->t->events[i].thread);
        add_number(j, effect_text(x, i));
        add_number(j, until == UINT32_MAX ? x->t->event_count + 1 : until);
        json_array_append_new(list, j);
    }
    return list;
}

/* ---- Memory ---- */

/* Pairs of step and text.  Of what is before the window only the last. */
static json_t *history_json(const struct html_change *list, size_t count,
                            const struct window *w)
{
    json_t *j = json_array();

    for (size_t i = 0; i < count; i++) {
        bool over = i + 1 < count && (list[i + 1].step <= w->first ||
                                      list[i + 1].step == list[i].step);

        if (over || list[i].step > w->end ||
            (i > 0 && list[i].text == list[i - 1].text &&
             json_array_size(j) > 0))
            continue;
        add_number(j, list[i].step);
        add_number(j, list[i].text);
    }
    return j;
}

static json_t *cells_json(struct execution *x)
{
    json_t *list = json_array();

    for (size_t i = 0; i < x->memory.cells.count; i++) {
        const struct html_cell *c = &x->memory.cells.list[i];
        struct buf place = {0};
        json_t *j = json_array();

        trace_place(x->t, c->object, c->offset, &place);
        add_number(j, html_string(&x->strings, place.bytes));
        add_number(j, c->size);
        json_array_append_new(
            j, history_json(c->held.list, c->held.count, &x->window));
        json_array_append_new(
            j, history_json(c->held_sc.list, c->held_sc.count, &x->window));
        json_array_append_new(list, j);
        buf_free(&place);
    }
    return list;
}

static json_t *what_if_json(struct execution *x)
{
    json_t *strays = json_array(), *differs = json_array();

    for (size_t i = 0; i < x->t->thread_count; i++)
        add_number(strays, x->memory.strays[i]);
    for (size_t i = 0; i < x->memory.differs.count; i++) {
        struct html_change c = x->memory.differs.list[i];

        if (c.step > x->window.first && c.step <= x->window.end) {
            add_number(differs, c.step);
            add_number(differs, c.text);
        }
    }
    return json_pack(
        "{s:o, s:o, s:I}", "differs", differs, "strays", strays, "first",
        (json_int_t)(x->memory.differs.count ? x->memory.differs.list[0].step
                                             : 0));
}

/* ---- Words ---- */

static json_t *words_of(const struct shown *f,
                        void (*put)(const struct shown *, struct buf *))
{
    struct buf text = {0};
    json_t *j;

    buf_puts(&text, "");
    put(f, &text);
    j = json_text(text.bytes);
    buf_free(&text);
    return j;
}

static json_t *diff_json(const struct execution *x)
{
    struct buf text = {0};
    json_t *j = patches_diff(x->f, html_sources(x->files), &text)
                    ? json_text(text.bytes)
                    : json_null();

    buf_free(&text);
    return j;
}

static json_t *cycle_json(const struct shown *f, const struct shown_cycle *c)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < c->length; i++)
        json_array_append_new(
            list, json_pack("{s:I, s:s, s:b}", "step",
                            (json_int_t)c->events[i] + 1, "edge",
                            f->class == CLASS_RACE ? "races with"
                                                   : report_edge_words(f, i),
                            "reordered", (int)(c->reordered >> i & 1)));
    return list;
}

static json_t *threads_json(const struct trace *t)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < t->thread_count; i++)
        json_array_append_new(list, json_text(steps_thread(t, i)));
    return list;
}

static const char *origin_of(struct execution *x)
{
    const struct trace *t = x->t;

    if (strcmp(t->strategy, "solver") == 0)
        return "An execution that the solver found, checked against the "
               "model's axioms.";
    if (!x->machine)
        return "An execution that the search found, checked against the "
               "model's axioms.";
    return arena_printf(&x->arena,
                        "Execution %" PRIu64 " (%s, seed %" PRIu64 ").", t->run,
                        t->strategy, t->seed);
}

json_t *html_execution(const struct shown *f, struct html_files *files,
                       size_t room)
{
    struct shown_cycle cycle = cycle_of(f);
    struct execution x = {.f = f,
                          .t = &f->trace,
                          .files = files,
                          .window = choose_window(&f->trace, &cycle, room),
                          .site_rows = json_array(),
                          .machine = model_has_machine(f->finding.model)};
    json_t *j = json_object();

    html_strings_init(&x.strings);
    html_memory_init(&x.memory, x.t, &x.strings, x.machine);
    site_row(&x, 0);
    json_object_set_new(j, "headline", words_of(f, report_headline));
    json_object_set_new(j, "story", words_of(f, report_reordered));
    json_object_set_new(j, "advice", words_of(f, report_cure));
    json_object_set_new(j, "diff", diff_json(&x));
    json_object_set_new(j, "origin", json_text(origin_of(&x)));
    json_object_set_new(j, "words", json_string(f->finding.model->words));
    json_object_set_new(j, "machine", json_boolean(x.machine));
    json_object_set_new(j, "output",
                        json_text(f->finding.output ? f->finding.output : ""));
    json_object_set_new(j, "threads", threads_json(x.t));
    json_object_set_new(j, "first", json_integer((json_int_t)x.window.first));
    json_object_set_new(
        j, "total",
        json_integer((json_int_t)(x.t->event_count + x.t->events_lost)));
    json_object_set_new(j, "cycle", cycle_json(f, &cycle));
    json_object_set_new(j, "steps", steps_json(&x));
    json_object_set_new(j, "shown", shown_json(&x, &cycle));
    json_object_set_new(j, "waiting", waiting_json(&x));
    json_object_set_new(j, "cells", cells_json(&x));
    json_object_set_new(j, "what_if", what_if_json(&x));
    json_object_set_new(j, "sites", x.site_rows);
    json_object_set_new(j, "strings", x.strings.list);
    html_memory_free(&x.memory);
    map_free(&x.strings.numbers);
    map_free(&x.sites);
    arena_free(&x.arena);
    return j;
}
