/* SPDX-License-Identifier: MIT
 *
 * fencer replay FINDING: that execution again, exactly, decision by decision;
 * or inside gdb, which stops where it fails.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/tell.h"
#include "finding/gate.h"

struct replay {
    struct call call;
    const char *path;
    struct shown shown;
    const struct shown *findings[1]; /* that one */
    const char *binary;
    struct program tables;
};

static bool open_finding(struct replay *r, struct err *e)
{
    struct arena *a = &r->call.arena;

    return shown_read(r->path, a, &r->shown, e) &&
           gate_open(r->path, &r->shown, a, &r->binary, &r->tables, e);
}

/* ---- In gdb ---- */

/* The script with our gdb commands lies beside the tool. */
static const char *gdb_script(struct arena *a)
{
    char tool[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", tool, sizeof(tool) - 1);

    if (n <= 0)
        return NULL;
    tool[n] = '\0';

    char *slash = strrchr(tool, '/');

    if (!slash)
        return NULL;
    *slash = '\0';

    const char *script = arena_printf(a, "%s/fencer-gdb.py", tool);

    return access(script, R_OK) == 0 ? script : NULL;
}

static int start_gdb(struct replay *r, struct err *e)
{
    const struct finding *f = &r->shown.finding;
    const char *script = gdb_script(&r->call.arena);
    char **argv =
        arena_array(&r->call.arena, f->argument_count + 14, sizeof(*argv));
    struct worker w;
    struct job j;
    size_t n = 0;

    finding_job(f, r->binary, true, &j);
    j.flags |= CHANNEL_STOP;
    if (!worker_channel(&w, &j, e) || !worker_hand_over(&w, e))
        return EXIT_UNFINISHED;
    argv[n++] = arena_copy(&r->call.arena, "gdb");
    argv[n++] = arena_copy(&r->call.arena, "-q");
    if (script) {
        argv[n++] = arena_copy(&r->call.arena, "-x");
        argv[n++] = arena_copy(&r->call.arena, script);
    }
    argv[n++] = arena_copy(&r->call.arena, "-ex");
    argv[n++] = arena_copy(&r->call.arena, "run");
    if (script) { /* it stops in the runtime, called by the program */
        argv[n++] = arena_copy(&r->call.arena, "-ex");
        argv[n++] = arena_copy(&r->call.arena, "fencer where");
    }
    argv[n++] = arena_copy(&r->call.arena, "--args");
    argv[n++] = arena_copy(&r->call.arena, r->binary);
    for (size_t i = 0; i < f->argument_count; i++)
        argv[n++] = f->arguments[i];
    fflush(NULL);
    execvp("gdb", argv);
    if (errno == ENOENT)
        err_set(e, "gdb is not installed");
    else
        err_set(e, "gdb: %s", strerror(errno));
    worker_free(&w);
    return EXIT_USAGE;
}

/* ---- By itself ---- */

static bool replay(struct call *call, struct err *e)
{
    struct replay *r = (struct replay *)call;
    struct gate g = {
        .binary = r->binary, .tables = &r->tables, .arena = &call->arena};

    if (!gate_replay(&g, &r->shown, e))
        return g.ran && err_in(e, "%s", r->path);
    if (*g.trace_error.text)
        lines_add(&call->limits, "no interleaving: %s", g.trace_error.text);
    return !call->options->trace ||
           trace_write(&r->shown.trace, call->options->trace, e);
}

static bool fill_report(struct call *call, struct err *e)
{
    struct replay *r = (struct replay *)call;
    struct report *to = &call->report;
    struct shown *s = &r->shown;

    (void)e;
    s->replay = gate_command(r->path, s, &call->arena);
    r->findings[0] = s;
    to->program = s->finding.program;
    to->seed = s->finding.seed;
    to->findings = r->findings;
    to->finding_count = 1;
    to->strict = true; /* a benign one that comes again is found again */
    return true;
}

static int open_replay(struct call *call, struct err *e)
{
    struct replay *r = (struct replay *)call;

    if (call->options->operand_count != 1) {
        err_set(e, "replay takes one finding, as .fencer/finding-1.json");
        return EXIT_USAGE;
    }
    r->path = call->options->operands[0];
    if (!open_finding(r, e))
        return EXIT_USAGE;
    return call->options->gdb ? start_gdb(r, e) : EXIT_NOTHING_FOUND;
}

int cmd_replay(struct options *o, struct err *e)
{
    static const struct call_steps steps = {
        .open = open_replay, .work = replay, .fill = fill_report};
    struct replay r = {.call.report.command = "replay"};

    return command_work(&r.call, o, &steps, e);
}
