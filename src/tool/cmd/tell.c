/* SPDX-License-Identifier: MIT
 *
 * Reports to stdout, errors to stderr, JSON and pages to their files.
 */
#include "cmd/tell.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"
#include "cmd/keep.h"

bool tell_text(const struct buf *text, struct err *e)
{
    struct buf clean = {0};
    bool ok;

    clean_put(&clean, text->bytes, text->count, CLEAN_REPORT);
    ok = (fwrite(clean.bytes, 1, clean.count, stdout) == clean.count &&
          fflush(stdout) == 0) ||
         err_set(e, "cannot write the report: %s", strerror(errno));
    buf_free(&clean);
    return ok;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool tell_is_elsewhere(const struct options *o)
{
    return is_stdout(o->json) || is_stdout(o->html);
}

bool tell_can(const struct options *o, struct arena *a, struct err *e)
{
    if (is_stdout(o->json) && is_stdout(o->html))
        return err_set(e, "--json - and --html - cannot both be stdout");
    return keep_can_write(o->json, a, e) && keep_can_write(o->html, a, e);
}

/* To its file, if there is one. */
static bool tell_to(const char *path, const struct report *r,
                    void (*put)(const struct report *, struct buf *),
                    struct err *e)
{
    struct buf text = {0};
    bool ok;

    if (!path)
        return true;
    put(r, &text);
    ok = is_stdout(path) ? tell_text(&text, e)
                         : file_write(path, text.bytes, text.count, e);
    buf_free(&text);
    return ok;
}

bool tell_report(const struct report *r, const struct options *o, struct err *e)
{
    struct buf text = {0};
    bool ok = tell_to(o->json, r, report_json, e);

    ok = tell_to(o->html, r, report_html, e) && ok;
    if (!o->quiet && !tell_is_elsewhere(o)) {
        struct report_style style = report_style(o->no_color, o->full);

        report_text(r, &style, &text);
        ok = (text.count == 0 || tell_text(&text, e)) && ok;
    }
    buf_free(&text);
    return ok;
}
