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
#include "finding/shown.h"
#include "model/model.h"

struct replay {
    const struct options *options;
    struct arena arena;
    const char *path;
    struct shown shown;
    const char *binary;
    struct program tables;
    bool changed; /* the program is not the one that failed */
};

static bool open_finding(struct replay *r, struct err *e)
{
    const struct finding *f = &r->shown.finding;

    if (!shown_read(r->path, &r->arena, &r->shown, e))
        return false;
    if (f->model->loads_move_down)
        return err_set(e,
                       "%s: no machine is as weak as %s: there is nothing to "
                       "replay; fencer report shows it",
                       r->path, f->model->words);
    if (!f->binary || !*f->binary)
        return err_set(e,
                       "%s: no machine did this: there is nothing to replay; "
                       "fencer report shows it",
                       r->path);
    r->binary = finding_beside(r->path, f->binary, &r->arena);
    if (access(r->binary, X_OK) != 0)
        return err_set(e, "%s: its program %s: %s", r->path, r->binary,
                       strerror(errno));
    if (!program_read(r->binary, &r->arena, &r->tables, e))
        return false;
    r->changed = r->tables.file_size != f->binary_size ||
                 r->tables.file_hash != f->binary_hash;
    return true;
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

static bool tell(struct replay *r, const struct replayed *again, struct err *e)
{
    struct lines limits = {.arena = &r->arena};
    struct shown *s = &r->shown;
    const struct shown *findings[] = {s};
    struct report report = {.command = "replay",
                            .program = s->finding.program,
                            .strategy = s->finding.strategy,
                            .seed = s->finding.seed,
                            .findings = findings,
                            .finding_count = 1};

    s->finding.output = again->output;
    s->finding.output_lost = again->output_lost;
    s->replay = tell_replay_command(r->path, &r->arena);
    if (!again->traced)
        s->cycle.length = 0;
    if (!again->traced)
        lines_add(&limits, "no interleaving: %s", again->trace_error.text);
    report.limits = limits.list;
    report.limit_count = limits.count;
    return tell_report(&report, r->options, e);
}

static int did_not_come_again(const struct replay *r,
                              const struct replayed *again, struct err *e)
{
    if (again->failed)
        err_set(e, "it failed in another way: %s", again->failure.message);
    else
        err_set(e, "it did not come again%s",
                again->misfit ? ": the program cannot follow its decisions"
                              : "");
    if (r->changed)
        err_set(e, "%s; %s has changed since the finding was made", e->text,
                r->binary);
    err_in(e, "%s", r->path);
    return EXIT_UNFINISHED;
}

static int replay(struct replay *r, struct err *e)
{
    struct replayed again;

    worker_catch_interrupts();
    if (!finding_execute(&r->shown.finding, r->binary, true, 0, &r->tables,
                         &r->arena, &again, e))
        return EXIT_UNFINISHED;
    r->shown.trace = again.trace;
    if (!finding_came_again(&r->shown.finding, &again) ||
        (again.traced && !shown_check(&r->shown, e)))
        return did_not_come_again(r, &again, e);
    if (r->options->trace && !trace_write(&again.trace, r->options->trace, e))
        return EXIT_UNFINISHED;
    return tell(r, &again, e) ? EXIT_FOUND : EXIT_UNFINISHED;
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
