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

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/run_limits.h"
#include "cmd/run_tell.h"
#include "finding/gate.h"

struct replay {
    const struct options *options;
    struct arena arena;
    const char *path;
    struct shown shown;
    const char *binary;
    struct program tables;
};

static bool open_finding(struct replay *r, struct err *e)
{
    return shown_read(r->path, &r->arena, &r->shown, e) &&
           gate_open(r->path, &r->shown, &r->arena, &r->binary, &r->tables, e);
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
    const char *script = gdb_script(&r->arena);
    char **argv = arena_array(&r->arena, f->argument_count + 12, sizeof(*argv));
    struct worker w;
    struct job j;
    size_t n = 0;

    finding_job(f, r->binary, true, &j);
    j.flags |= CHANNEL_STOP;
    if (!worker_channel(&w, &j, e) || !worker_hand_over(&w, e))
        return EXIT_UNFINISHED;
    argv[n++] = arena_copy(&r->arena, "gdb");
    argv[n++] = arena_copy(&r->arena, "-q");
    if (script) {
        argv[n++] = arena_copy(&r->arena, "-x");
        argv[n++] = arena_copy(&r->arena, script);
    }
    argv[n++] = arena_copy(&r->arena, "-ex");
    argv[n++] = arena_copy(&r->arena, "run");
    argv[n++] = arena_copy(&r->arena, "--args");
    argv[n++] = arena_copy(&r->arena, r->binary);
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

static bool tell(struct replay *r, const char *no_trace, struct err *e)
{
    struct lines limits = {.arena = &r->arena};
    const struct shown *findings[] = {&r->shown};
    struct report report = {.command = "replay",
                            .program = r->shown.finding.program,
                            .strategy = r->shown.finding.strategy,
                            .seed = r->shown.finding.seed,
                            .findings = findings,
                            .finding_count = 1};

    r->shown.replay = gate_command(r->path, &r->shown, &r->arena);
    if (*no_trace)
        lines_add(&limits, "no interleaving: %s", no_trace);
    report.limits = limits.list;
    report.limit_count = limits.count;
    return tell_report(&report, r->options, e);
}

static int replay(struct replay *r, struct err *e)
{
    struct gate g = {
        .binary = r->binary, .tables = &r->tables, .arena = &r->arena};

    worker_catch_interrupts();
    if (!gate_replay(&g, &r->shown, e)) {
        if (g.ran)
            err_in(e, "%s", r->path);
        return EXIT_UNFINISHED;
    }
    if (r->options->trace &&
        !trace_write(&r->shown.trace, r->options->trace, e))
        return EXIT_UNFINISHED;
    return tell(r, g.trace_error.text, e) ? EXIT_FOUND : EXIT_UNFINISHED;
}

int cmd_replay(struct options *o, struct err *e)
{
    struct replay r = {.options = o, .arena = ARENA_INIT};
    int code = EXIT_USAGE;

    if (o->operand_count != 1) {
        err_set(e, "replay takes one finding, as .fencer/finding-1.json");
        return code;
    }
    r.path = o->operands[0];
    if (open_finding(&r, e))
        code = o->gdb ? start_gdb(&r, e) : replay(&r, e);
    arena_free(&r.arena);
    return code;
}
