/* SPDX-License-Identifier: MIT
 *
 * fencer trace dump|stats FILE: what is in a trace.
 */
#include "trace/trace.h"

#include <string.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/tell.h"

static int show(const char *verb, const char *path, struct err *e)
{
    struct arena a = ARENA_INIT;
    struct trace t;
    struct buf text = {0};
    int code = EXIT_USAGE;

    if (trace_read(path, &a, &t, e)) {
        if (strcmp(verb, "dump") == 0)
            trace_dump(&t, &text);
        else
            trace_stats(&t, &text);
        code = tell_text(&text, e) ? EXIT_NOTHING_FOUND : EXIT_UNFINISHED;
    }
    buf_free(&text);
    arena_free(&a);
    return code;
}

int cmd_trace(struct options *o, struct err *e)
{
    if (o->operand_count != 2 || (strcmp(o->operands[0], "dump") != 0 &&
                                  strcmp(o->operands[0], "stats") != 0)) {
        err_set(e, "usage: fencer trace dump|stats FILE");
        return EXIT_USAGE;
    }
    return show(o->operands[0], o->operands[1], e);
}
