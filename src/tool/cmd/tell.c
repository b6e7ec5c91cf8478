/* SPDX-License-Identifier: MIT
 *
 * Reports to stdout, errors to stderr, JSON to its file.
 */
#include "cmd/tell.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"

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

bool tell_report(const struct report *r, const struct options *o, struct err *e)
{
    struct buf text = {0};
    bool to_pipe = o->json && strcmp(o->json, "-") == 0;
    bool ok = true;

    if (o->json) {
        report_json(r, &text);
        ok = to_pipe ? tell_text(&text, e)
                     : file_write(o->json, text.bytes, text.count, e);
        buf_clear(&text);
    }
    if (!o->quiet && !to_pipe) {
        struct report_style style = report_style(o->no_color, o->full);

        report_text(r, &style, &text);
        ok = (text.count == 0 || tell_text(&text, e)) && ok;
    }
    buf_free(&text);
    return ok;
}
