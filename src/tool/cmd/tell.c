/* SPDX-License-Identifier: MIT
 *
 * Reports to stdout, errors to stderr, JSON to its file.
 */
#include "cmd/tell.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool tell_text(const struct buf *text, struct err *e)
{
    if (fwrite(text->bytes, 1, text->count, stdout) != text->count ||
        fflush(stdout) != 0)
        return err_set(e, "cannot write the report: %s", strerror(errno));
    return true;
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
