/* SPDX-License-Identifier: MIT
 *
 * The page: our own markup, style and script, made at build time, with three
 * places to fill.  All that comes from a program or its source goes through one
 * of two functions here: escaped as text of HTML, or as JSON in which no
 * character can end the element around it.  The script never makes markup of
 * it either: the page's Content-Security-Policy forbids that.
 */
#include "report/html/html_inside.h"

#include <string.h>

#include "base/clean.h"

#define TEXT_WIDTH 100 /* of the report as text */

/* Text between tags, or in quotes. */
static void put_escaped(const char *text, struct buf *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            buf_puts(out, "&lt;");
            break;
        case '>':
            buf_puts(out, "&gt;");
            break;
        case '&':
            buf_puts(out, "&amp;");
            break;
        case '"':
            buf_puts(out, "&quot;");
            break;
        case '\'':
            buf_puts(out, "&#39;");
            break;
        default:
            buf_putc(out, *text);
        }
    }
}

static void put_clean(const char *text, struct buf *out)
{
    struct buf clean = {0};

    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    put_escaped(clean.count ? clean.bytes : "", out);
    buf_free(&clean);
}

static void put_title(const struct report *r, struct buf *out)
{
    put_clean(r->program, out);
    buf_printf(out, "%sfencer %s", *r->program ? ": " : "", r->command);
}

static void put_text(const struct report *r, struct buf *out)
{
    struct report_style style = {.width = TEXT_WIDTH};
    struct buf text = {0};

    buf_puts(&text, "");
    report_text(r, &style, &text);
    put_clean(text.bytes, out);
    buf_free(&text);
}

/* ASCII only; what could end the element, or begin a comment in it, is in
 * strings alone, and there it may be written by its number. */
static void put_data(const struct report *r, struct buf *out)
{
    json_t *data = html_data(r);
    char *text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII |
                                      JSON_REAL_PRECISION(6));

    CHECK(text != NULL);
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&')
            buf_printf(out, "\\u%04x", (unsigned)*at);
        else
            buf_putc(out, *at);
    }
    free(text);
    json_decref(data);
}

void report_html(const struct report *r, struct buf *out)
{
    static const struct {
        const char *mark;
        void (*put)(const struct report *, struct buf *);
    } places[] = {
        {"@TITLE@", put_title}, {"@TEXT@", put_text}, {"@DATA@", put_data}};
    const char *rest = html_page;

    report_check(r);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *at = strstr(rest, places[i].mark);

        CHECK(at != NULL);
        buf_add(out, rest, (size_t)(at - rest));
        places[i].put(r, out);
        rest = at + strlen(places[i].mark);
    }
    buf_puts(out, rest);
}
