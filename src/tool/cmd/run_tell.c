/* SPDX-License-Identifier: MIT
 *
 * Reports to stdout, errors to stderr, JSON to its file.
 */
#include "cmd/run_tell.h"

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

const char *tell_replay_command(const char *path, struct arena *a)
{
    struct buf text = {0};
    const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "0123456789-_./+=:,@%";

    buf_puts(&text, "fencer replay ");
    if (path[strspn(path, safe)] == '\0') {
        buf_puts(&text, path);
    } else {
        buf_putc(&text, '\'');
        for (; *path; path++) {
            if (*path == '\'')
                buf_puts(&text, "'\\''");
            else
                buf_putc(&text, *path);
        }
        buf_putc(&text, '\'');
    }

    const char *command = arena_copy(a, text.bytes);

    buf_free(&text);
    return command;
}
