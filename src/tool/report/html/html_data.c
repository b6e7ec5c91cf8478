/* SPDX-License-Identifier: MIT
 *
 * The data of the page: the object that --json writes, as it is, and beside it
 * what only a page shows: names for machines, sources, executions.
 */
#include <string.h>

#include "report/html/html_inside.h"
#include "report/report_object.h"

/* The page stays below 3 MB: a step takes some 100 bytes. */
#define STEPS_MAX 16000
#define STEPS_LEAST 300     /* of a finding */
#define SOURCE_BYTES 500000 /* of all files */
#define LINES_WHOLE 3000    /* a longer file is cut */
#define LINES_AROUND 60

struct file {
    const struct fencer_site *site; /* the first that asked */
    uint32_t low, high;             /* lines that are asked for */
};

struct html_files {
    VEC(struct file);
    struct sources *sources;
};

struct sources *html_sources(struct html_files *files)
{
    return files->sources;
}

uint32_t html_file(struct html_files *files, const struct fencer_site *site)
{
    size_t i = 0;

    while (i < files->count &&
           (strcmp(files->list[i].site->file, site->file) != 0 ||
            strcmp(files->list[i].site->dir, site->dir) != 0))
        i++;
    if (i == files->count)
        VEC_PUSH(files, {site, site->line, site->line});

    struct file *f = &files->list[i];

    if (site->line < f->low)
        f->low = site->line;
    if (site->line > f->high)
        f->high = site->line;
    return (uint32_t)i;
}

static size_t count_lines(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* The lines from `first` to `last`, while there is room. */
static json_t *lines_json(const char *text, size_t first, size_t last,
                          size_t *room)
{
    json_t *list = json_array();
    struct buf line = {0};

    for (size_t n = 1; text && n <= last; n++) {
        size_t length = strcspn(text, "\n");

        if (n >= first && length < *room) {
            buf_clear(&line);
            buf_add(&line, text, length);
            json_array_append_new(list, json_text(line.bytes));
            *room -= length + 3;
        }
        text = text[length] ? text + length + 1 : NULL;
    }
    buf_free(&line);
    return list;
}

static json_t *file_json(const struct html_files *files, const struct file *f,
                         size_t *room)
{
    const char *text = sources_text(files->sources, f->site);
    size_t first = 1, last = text ? count_lines(text) : 0;

    if (last > LINES_WHOLE) {
        first = f->low > LINES_AROUND ? f->low - LINES_AROUND : 1;
        if (last > f->high + LINES_AROUND)
            last = f->high + LINES_AROUND;
    }
    return json_pack(
        "{s:o, s:I, s:o}", "name", json_text(f->site->file), "first",
        (json_int_t)first, "lines",
        lines_json(text ? text : "", first, text ? last : 0, room));
}

static json_t *files_json(const struct html_files *files)
{
    json_t *list = json_array();
    size_t room = SOURCE_BYTES;

    for (size_t i = 0; i < files->count; i++)
        json_array_append_new(list, file_json(files, &files->list[i], &room));
    return list;
}

static void set_text(json_t *j, const char *key, const char *text)
{
    if (text)
        json_object_set_new(j, key, json_text(text));
}

static json_t *machines_json(const struct report *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->model_count; i++) {
        const struct report_model *m = &r->models[i];
        json_t *j = json_pack("{s:s}", "words", m->model->words);

        set_text(j, "because", m->because);
        set_text(j, "stopped", m->stopped);
        json_array_append_new(list, j);
    }
    return list;
}

static json_t *kinds_json(void)
{
    json_t *list = json_array();

    for (int k = 0; k < EV_KIND_COUNT; k++)
        json_array_append_new(list, json_string(event_kind_words(k)));
    return list;
}

static json_t *orders_json(void)
{
    json_t *list = json_array();

    for (int k = 0; k <= ORDER_SEQ_CST; k++) {
        const char *words = order_words(k);

        json_array_append_new(list, json_string(words ? words : ""));
    }
    return list;
}

/* The finding that counts says it, or that there is none does.  The folder of
 * a run does not know what was done. */
static json_t *heading_json(const struct report *r)
{
    struct buf text = {0};
    json_t *j;

    buf_puts(&text, "");
    if (report_exit_code(r) == EXIT_FOUND)
        report_headline(r->findings[0], &text);
    else if (strcmp(r->command, "report") == 0)
        buf_puts(&text, "no finding could be read");
    else
        report_heading(r, &text);
    j = json_text(text.bytes);
    buf_free(&text);
    return j;
}

json_t *html_data(const struct report *r)
{
    struct html_files files = {.sources = sources_new()};
    json_t *executions = json_array();
    size_t room = STEPS_MAX;

    for (size_t i = 0; i < r->finding_count; i++) {
        size_t steps = r->findings[i]->trace.event_count;
        size_t share = room > STEPS_LEAST ? room : STEPS_LEAST;

        json_array_append_new(executions,
                              html_execution(r->findings[i], &files, share));
        room -= steps < room ? steps : room;
    }

    json_t *all = json_pack(
        "{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "report", report_object(r),
        "heading", heading_json(r), "exit", (int)report_exit_code(r),
        "machines", machines_json(r), "kinds", kinds_json(), "orders",
        orders_json(), "executions", executions, "files", files_json(&files));

    CHECK(all != NULL);
    VEC_FREE(&files);
    sources_free(files.sources);
    return all;
}
