/* SPDX-License-Identifier: MIT
 *
 * fencer trace dump|stats FILE: what is in a trace.
 */
#include "trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/run_tell.h"

static int show(const char *verb, const char *path, struct err *e)
{
    struct arena a = ARENA_INIT;
    struct trace t;
    struct buf text = {0};
    int code = EXIT_NOTHING_FOUND;

    if (!trace_read(path, &a, &t, e)) {
        arena_free(&a);
        return tell_error(e, EXIT_USAGE);
    }
    if (strcmp(verb, "dump") == 0)
        trace_dump(&t, &text);
    else
        trace_stats(&t, &text);
    if (fwrite(text.bytes, 1, text.count, stdout) != text.count ||
        fflush(stdout) != 0) {
        err_set(e, "cannot write: %s", strerror(errno));
        code = tell_error(e, EXIT_UNFINISHED);
    }
    buf_free(&text);
    arena_free(&a);
    return code;
}

int cmd_trace(int argc, char **argv)
{
    struct options o;
    struct err e = {""};

    if (!options_parse(&o, FOR_TRACE, argc, argv, &e))
        return tell_error(&e, EXIT_USAGE);
    if (o.help)
        return tell_help("trace dump|stats FILE", FOR_TRACE);
    if (o.operand_count != 2 || (strcmp(o.operands[0], "dump") != 0 &&
                                 strcmp(o.operands[0], "stats") != 0)) {
        err_set(&e, "usage: fencer trace dump|stats FILE");
        return tell_error(&e, EXIT_USAGE);
    }
    return show(o.operands[0], o.operands[1], &e);
}
