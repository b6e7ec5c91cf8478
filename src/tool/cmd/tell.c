/* SPDX-License-Identifier: MIT
 *
 * Reports to stdout, errors to stderr, JSON, pages and the like to their files.
 */
#include "cmd/tell.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/hash.h"
#include "base/json.h"
#include "cmd/keep.h"
#include "cmd/pager.h"

static bool tell_by(const char *pager, const struct buf *text, struct err *e)
{
    struct buf clean = {0};
    bool ok;

    clean_put(&clean, text->bytes, text->count, CLEAN_REPORT);
    ok = (pager && pager_show(pager, &clean)) ||
         (fwrite(clean.bytes, 1, clean.count, stdout) == clean.count &&
          fflush(stdout) == 0) ||
         err_set(e, "cannot write the report: %s", strerror(errno));
    buf_free(&clean);
    return ok;
}

bool tell_text(const struct buf *text, struct err *e)
{
    return tell_by(NULL, text, e);
}

enum report_color tell_color(const struct options *o)
{
    return o->no_color ? COLOR_NEVER : (enum report_color)o->color;
}

/* ---- Files ---- */

/* What a report is also written as. */
static const struct output {
    const char *option;
    size_t field; /* of its path, in struct options */
    void (*put)(const struct report *, struct buf *);
    bool json;
} outputs[] = {
    {"json", offsetof(struct options, json), report_json, true},
    {"html", offsetof(struct options, html), report_html, false},
    {"sarif", offsetof(struct options, sarif), report_sarif, true},
    {"junit", offsetof(struct options, junit), report_junit, false},
    {"litmus", offsetof(struct options, litmus), report_litmus, false},
};
#define OUTPUT_COUNT (sizeof(outputs) / sizeof(outputs[0]))

static const char *path_of(const struct options *o, size_t i)
{
    return *(const char *const *)((const char *)o + outputs[i].field);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* The option that takes stdout; NULL: the report has it. */
static const char *taker_of_stdout(const struct options *o)
{
    for (size_t i = 0; i < OUTPUT_COUNT; i++) {
        if (is_stdout(path_of(o, i)))
            return outputs[i].option;
    }
    return NULL;
}

bool tell_is_elsewhere(const struct options *o)
{
    return taker_of_stdout(o) != NULL;
}

bool tell_can(const struct options *o, struct arena *a, struct err *e)
{
    const char *taker = taker_of_stdout(o);

    for (size_t i = 0; i < OUTPUT_COUNT; i++) {
        if (is_stdout(path_of(o, i)) && strcmp(taker, outputs[i].option) != 0)
            return err_set(e, "--%s - and --%s - cannot both be stdout", taker,
                           outputs[i].option);
        if (!keep_can_write(path_of(o, i), a, e))
            return false;
    }
    if (taker && o->github)
        return err_set(e, "--github writes to stdout, which --%s - takes",
                       taker);
    return true;
}

bool tell_bytes(const char *path, const struct buf *bytes, struct err *e)
{
    return is_stdout(path) ? tell_text(bytes, e)
                           : file_write(path, bytes->bytes, bytes->count, e);
}

/* Escapes of ours would be none of JSON's. */
bool tell_json(const char *path, const struct buf *json, struct err *e)
{
    struct buf ascii = {0};
    bool ok;

    if (!is_stdout(path))
        return tell_bytes(path, json, e);
    json_put_ascii(json->bytes, json->count, &ascii);
    ok = tell_text(&ascii, e);
    buf_free(&ascii);
    return ok;
}

static bool tell_to(const char *path, const struct report *r,
                    const struct output *as, struct err *e)
{
    struct buf text = {0};
    bool ok;

    as->put(r, &text);
    ok = as->json ? tell_json(path, &text, e) : tell_bytes(path, &text, e);
    buf_free(&text);
    return ok;
}

/* ---- GitHub ---- */

/* Other steps may have written there before. */
bool tell_summary(const struct buf *text, struct err *e)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    FILE *f;
    bool ok;

    if (!path || !*path)
        return true;
    f = fopen(path, "a");
    if (!f)
        return err_set(e, "%s: %s", path, strerror(errno));
    ok = fwrite(text->bytes, 1, text->count, f) == text->count;
    ok = fclose(f) == 0 && ok;
    return ok || err_set(e, "%s: %s", path, strerror(errno));
}

static bool tell_github(const struct report *r, struct err *e)
{
    struct buf text = {0};
    bool ok;

    report_annotations(r, &text);
    ok = text.count == 0 || tell_text(&text, e);
    buf_clear(&text);
    report_markdown(r, &text);
    ok = tell_summary(&text, e) && ok;
    buf_free(&text);
    return ok;
}

static bool has_word(const struct buf *text, uint64_t word)
{
    char name[24];

    snprintf(name, sizeof(name), "%016" PRIx64, word);
    return text->count && strstr(text->bytes, name);
}

/* A line of the report could be a command to GitHub: between a word that no
 * line of it is and the same word again, there are none. */
void tell_enclose(struct buf *text)
{
    struct buf all = {0};
    uint64_t word = HASH_START;

    do
        word = hash_bytes(word, text->bytes, text->count);
    while (has_word(text, word));
    buf_printf(&all, "::stop-commands::fencer-%016" PRIx64 "\n", word);
    buf_add(&all, text->bytes, text->count);
    buf_printf(&all, "::fencer-%016" PRIx64 "::\n", word);
    buf_free(text);
    *text = all;
}

/* ---- All of it ---- */

bool tell_report(const struct report *r, const struct options *o, struct err *e)
{
    struct buf text = {0};
    bool ok = true;

    for (size_t i = 0; i < OUTPUT_COUNT; i++) {
        if (path_of(o, i))
            ok = tell_to(path_of(o, i), r, &outputs[i], e) && ok;
    }
    if (!o->quiet && !tell_is_elsewhere(o)) {
        struct report_style style = report_style(tell_color(o), o->full);
        bool browsed = o->browse && report_browse(r);
        bool paged =
            strcmp(r->command, "report") == 0 && !o->no_pager && !browsed;

        report_text(r, &style, &text);
        if (o->github && text.count)
            tell_enclose(&text);
        ok = (text.count == 0 ||
              tell_by(paged ? pager_command() : NULL, &text, e)) &&
             ok;
    }
    buf_free(&text);
    return (!o->github || tell_github(r, e)) && ok;
}
