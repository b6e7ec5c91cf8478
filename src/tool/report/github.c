/* SPDX-License-Identifier: MIT
 *
 * GitHub's workflow commands are lines of a step's output.  What a program says
 * must not become a command: commands end at the first newline, and their
 * fields at a colon or comma, so these are written by their numbers.
 */
#include "report/github.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"

/* ---- Annotations ---- */

static void put_value(const char *text, bool field, struct buf *out)
{
    struct buf clean = {0};

    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    for (size_t i = 0; i < clean.count; i++) {
        char c = clean.bytes[i];

        if (c == '%' || c == '\n' || c == '\r' ||
            (field && (c == ':' || c == ',')))
            buf_printf(out, "%%%02X", (unsigned)c);
        else
            buf_putc(out, c);
    }
    buf_free(&clean);
}

void github_line(const char *level, const char *title, const char *text,
                 struct buf *out)
{
    buf_printf(out, "::%s title=", level);
    put_value(title, true, out);
    buf_puts(out, "::");
    put_value(text, false, out);
    buf_putc(out, '\n');
}

void github_at(const char *level, const char *file, size_t line,
               const char *title, const char *text, struct buf *out)
{
    buf_printf(out, "::%s file=", level);
    put_value(file, true, out);
    buf_printf(out, ",line=%zu,title=", line);
    put_value(title, true, out);
    buf_puts(out, "::");
    put_value(text, false, out);
    buf_putc(out, '\n');
}

static unsigned digit(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                     : (unsigned)(toupper(c) - 'A' + 10);
}

/* The path that the URI was made of. */
static void put_path(const char *uri, struct buf *out)
{
    if (strncmp(uri, "file://", 7) == 0)
        uri += 7;
    for (; *uri; uri++) {
        if (*uri == '%' && isxdigit((unsigned char)uri[1]) &&
            isxdigit((unsigned char)uri[2])) {
            buf_putc(out, (char)(digit(uri[1]) * 16 + digit(uri[2])));
            uri += 2;
        } else {
            buf_putc(out, *uri);
        }
    }
}

static const json_t *first_of(const json_t *j, const char *key)
{
    return json_array_get(json_object_get(j, key), 0);
}

static const char *text_of(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));

    return text ? text : "";
}

static void put_place(const json_t *result, struct buf *out)
{
    const json_t *place =
        json_object_get(first_of(result, "locations"), "physicalLocation");
    const json_t *region = json_object_get(place, "region");
    struct buf path = {0};

    if (!place)
        return;
    put_path(text_of(json_object_get(place, "artifactLocation"), "uri"), &path);
    buf_puts(out, "file=");
    put_value(path.count ? path.bytes : "", true, out);
    buf_printf(out, ",line=%d",
               (int)json_integer_value(json_object_get(region, "startLine")));
    if (json_object_get(region, "startColumn"))
        buf_printf(
            out, ",col=%d",
            (int)json_integer_value(json_object_get(region, "startColumn")));
    buf_putc(out, ',');
    buf_free(&path);
}

static void put_result(const json_t *result, struct buf *out)
{
    const char *text = text_of(json_object_get(result, "message"), "text");
    const char *level = text_of(result, "level");
    char *title = strndup(text, strcspn(text, "\n"));

    buf_printf(out, "::%s ", strcmp(level, "note") == 0 ? "notice" : level);
    put_place(result, out);
    buf_puts(out, "title=Fencer%3A ");
    put_value(title, true, out);
    buf_puts(out, "::");
    put_value(text, false, out);
    buf_putc(out, '\n');
    free(title);
}

void github_annotate(const json_t *sarif, struct buf *out)
{
    const json_t *runs = json_object_get(sarif, "runs");

    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *results =
            json_object_get(json_array_get(runs, i), "results");

        for (size_t k = 0; k < json_array_size(results); k++) {
            const json_t *result = json_array_get(results, k);

            if (!json_object_get(result, "suppressions"))
                put_result(result, out);
        }
    }
}

/* ---- Markdown ---- */

void markdown_text(const char *text, struct buf *out)
{
    struct buf clean = {0};

    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    for (size_t i = 0; i < clean.count; i++) {
        unsigned char c = (unsigned char)clean.bytes[i];

        if (c == '\n' || c == '\t')
            buf_putc(out, ' ');
        else if (c == '<' || c == '>' || c == '&' || c == '@')
            buf_printf(out, "&#%d;", c);
        else
            buf_printf(out, "%s%c", strchr("\\`*_{}[]#|~!", c) ? "\\" : "", c);
    }
    buf_free(&clean);
}

/* The fence is longer than any in the text. */
void markdown_block(const char *language, const char *text, struct buf *out)
{
    struct buf clean = {0};
    size_t run = 0, longest = 2;

    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    for (size_t i = 0; i < clean.count; i++) {
        run = clean.bytes[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    buf_pad(out, '`', longest + 1);
    buf_printf(out, "%s\n", language);
    buf_add(out, clean.bytes, clean.count);
    if (clean.count && clean.bytes[clean.count - 1] != '\n')
        buf_putc(out, '\n');
    buf_pad(out, '`', longest + 1);
    buf_putc(out, '\n');
    buf_free(&clean);
}
