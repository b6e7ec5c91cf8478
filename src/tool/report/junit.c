/* SPDX-License-Identifier: MIT */
#include "report/junit.h"

#include <string.h>

#include "base/clean.h"

/* Clean text has no control characters, which XML cannot say.  Neither can it
 * say U+FFFE and U+FFFF.  Characters of `named` are written by their numbers.
 */
static void put_xml(const char *text, const char *named, struct buf *out)
{
    struct buf clean = {0};

    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    for (size_t i = 0; i < clean.count; i++) {
        const char *at = &clean.bytes[i];

        if (strncmp(at, "\xef\xbf\xbe", 3) == 0 ||
            strncmp(at, "\xef\xbf\xbf", 3) == 0) {
            buf_puts(out, "?");
            i += 2;
        } else if (strchr(named, *at)) {
            buf_printf(out, "&#%d;", *at);
        } else {
            buf_putc(out, *at);
        }
    }
    buf_free(&clean);
}

static void put_attribute(const char *name, const char *text, struct buf *out)
{
    buf_printf(out, " %s=\"", name);
    put_xml(text, "<>&\"'\n\t", out);
    buf_putc(out, '"');
}

static size_t count_ends(const struct junit_case *list, size_t count,
                         enum junit_end end)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += list[i].end == end;
    return n;
}

static void put_counts(const struct junit_case *list, size_t count,
                       struct buf *out)
{
    double seconds = 0;

    for (size_t i = 0; i < count; i++)
        seconds += list[i].seconds;
    buf_printf(out,
               " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
               "skipped=\"%zu\" time=\"%.3f\"",
               count, count_ends(list, count, JUNIT_FAILED),
               count_ends(list, count, JUNIT_ERROR),
               count_ends(list, count, JUNIT_SKIPPED), seconds);
}

static void put_element(const char *name, const char *text, struct buf *out)
{
    buf_printf(out, "<%s>", name);
    put_xml(text, "<>&", out);
    buf_printf(out, "</%s>\n", name);
}

/* Only failures and errors have text of their own. */
static void put_end(const struct junit_case *c, struct buf *out)
{
    static const char *const elements[] = {NULL, "failure", "error", "skipped"};
    bool told = c->end == JUNIT_FAILED || c->end == JUNIT_ERROR;

    if (elements[c->end]) {
        buf_printf(out, "      <%s", elements[c->end]);
        put_attribute("message", c->message ? c->message : "", out);
        if (told)
            put_attribute("type", c->type ? c->type : "", out);
        buf_putc(out, '>');
        put_xml(told && c->text ? c->text : "", "<>&", out);
        buf_printf(out, "</%s>\n", elements[c->end]);
    }
    if (!told && c->text)
        put_element("system-out", c->text, out);
}

static void put_case(const char *suite, const struct junit_case *c,
                     struct buf *out)
{
    buf_puts(out, "    <testcase");
    put_attribute("classname", suite, out);
    put_attribute("name", c->name, out);
    buf_printf(out, " time=\"%.3f\">\n", c->seconds);
    put_end(c, out);
    buf_puts(out, "    </testcase>\n");
}

void junit_put(const char *name, const char *suite,
               const struct junit_case *list, size_t count, const char *notes,
               struct buf *out)
{
    buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute("name", name, out);
    put_counts(list, count, out);
    buf_puts(out, ">\n  <testsuite");
    put_attribute("name", suite, out);
    put_counts(list, count, out);
    buf_puts(out, ">\n");
    for (size_t i = 0; i < count; i++)
        put_case(suite, &list[i], out);
    if (notes && *notes)
        put_element("system-out", notes, out);
    buf_puts(out, "  </testsuite>\n</testsuites>\n");
}
