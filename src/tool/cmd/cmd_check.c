/* SPDX-License-Identifier: MIT
 *
 * fencer check: a data type against its tests, by a solver.  The work is
 * src/check/engine's; here is what the user asks and sees of it.
 */
#include "engine/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd/check_tell.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"
#include "cmd/run_keep.h"
#include "cmd/run_tell.h"
#include "lower/lower.h"

/* ---- What is asked ---- */

/* The machines of the paper's axioms have no such switches. */
static bool only_what_check_knows(const struct options *o, struct err *e)
{
    const char *name = o->buffer           ? "buffer"
                       : o->locks_paper    ? "locks"
                       : o->cas_bufferable ? "cas"
                       : o->deps           ? "deps"
                                           : NULL;

    return !name || err_set(e, "--%s is not supported by fencer check", name);
}

static bool is_source(const char *path, struct err *e)
{
    size_t n = strlen(path);

    if (n < 2 || strcmp(path + n - 2, ".c") != 0)
        return err_set(e, "%s: check takes .c files", path);
    if (access(path, R_OK) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    return true;
}

static bool only_sources(const struct options *o, struct err *e)
{
    if (o->operand_count == 0)
        return err_set(e, "no file given");
    for (size_t i = 0; i < o->operand_count; i++) {
        if (!is_source(o->operands[i], e))
            return false;
    }
    if (o->spec && !is_source(o->spec, e))
        return false;
    if (o->argument_count)
        return err_set(e, "check takes no arguments for the program");
    return true;
}

/* Returns the exit code, EXIT_NOTHING_FOUND if all is well. */
static int lower(struct checking *c, const char *const *sources, size_t count,
                 struct lsl_program *out, struct err *e)
{
    switch (
        lower_sources(sources, count, c->options->cflags, &c->arena, out, e)) {
    case LOWER_DONE:
        return EXIT_NOTHING_FOUND;
    case LOWER_BAD_SOURCE:
        return EXIT_USAGE;
    case LOWER_REFUSED:
        break;
    }
    return EXIT_UNFINISHED;
}

/* ---- Tests ---- */

static bool add_test(struct checking *c, const char *text, struct err *e)
{
    struct test *t = &c->tests[c->test_count];

    if (!lsl_parse_test(&c->program, text, &c->arena, t, e))
        return err_in(e, "%s", c->program.source);
    c->test_count++;
    return true;
}

/* "T0,T1": neither names nor notations have commas. */
static bool add_tests(struct checking *c, const char *list, struct err *e)
{
    while (true) {
        size_t n = strcspn(list, ",");

        if (!add_test(c, arena_copy_n(&c->arena, list, n), e))
            return false;
        if (list[n] == '\0')
            return true;
        list += n + 1;
    }
}

static size_t most_tests(const struct checking *c)
{
    size_t most = c->program.test_count;

    for (size_t i = 0; i < c->options->test_count; i++) {
        most++;
        for (const char *at = c->options->tests[i]; *at; at++)
            most += *at == ',';
    }
    return most;
}

/* Those asked for, or all of the file; none if it has a main instead. */
static bool choose_tests(struct checking *c, struct err *e)
{
    const struct lsl_program *p = &c->program;

    c->tests = arena_array(&c->arena, most_tests(c), sizeof(*c->tests));
    for (size_t i = 0; i < c->options->test_count; i++) {
        if (!add_tests(c, c->options->tests[i], e))
            return false;
    }
    if (c->options->test_count)
        return true;
    for (uint32_t i = 0; i < p->test_count; i++) {
        if (!lsl_parse_test(p, p->tests[i].notation, &c->arena,
                            &c->tests[c->test_count], e))
            return err_in(e, "%s:%u", p->source, p->tests[i].line);
        c->tests[c->test_count++].name = p->tests[i].name;
    }
    if (c->test_count == 0 && p->main == LSL_NONE)
        return err_set(e, "%s has no FENCER_TEST and no main: give --test",
                       p->source);
    return true;
}

/* The reference implementation, if there is one, can specify the tests. */
static int take_reference(struct checking *c, struct err *e)
{
    int code;

    if (!c->options->spec)
        return EXIT_NOTHING_FOUND;
    if (c->test_count == 0) {
        err_set(e, "--spec is for tests, and there is none");
        return EXIT_USAGE;
    }
    code = lower(c, &c->options->spec, 1, &c->reference, e);
    for (size_t i = 0; code == EXIT_NOTHING_FOUND && i < c->test_count; i++) {
        if (!spec_fits(&c->program, &c->tests[i], &c->reference, e))
            code = EXIT_USAGE;
    }
    return code;
}

/* ---- The engine ---- */

static void tell_progress(void *unused, const struct check_progress *p)
{
    (void)unused;
    if (!progress_begin(p->stage))
        return;
    if (p->observations)
        progress_put(", %" PRIu64 " observations", p->observations);
    if (p->accesses)
        progress_put(", %" PRIu64 " accesses", p->accesses);
    if (p->rounds)
        progress_put(", round %" PRIu64, p->rounds);
    if (p->solves)
        progress_put(", %" PRIu64 " solves", p->solves);
    progress_flush();
}

/* Executions are replayed on the machines of all models but Relaxed. */
static bool needs_program(const struct options *o)
{
    for (size_t i = 0; i < o->model_count; i++) {
        if (!o->models[i]->loads_move_down)
            return true;
    }
    return false;
}

static const char *program_name(struct checking *c)
{
    struct buf names = {0};
    const char *text;

    for (size_t i = 0; i < c->options->operand_count; i++)
        buf_printf(&names, "%s%s", i ? " " : "", c->options->operands[i]);
    text = arena_copy(&c->arena, names.bytes);
    buf_free(&names);
    return text;
}

/* What is built is for replays only. */
static bool open_target(struct checking *c, struct err *e)
{
    if (needs_program(c->options))
        return target_open(c->options, &c->arena, &c->target, e);
    c->target.program = program_name(c);
    return true;
}

static bool prepare(struct checking *c, struct err *e)
{
    const struct options *o = c->options;

    c->check = (struct check_options){
        .program = &c->program,
        .reference = o->spec ? &c->reference : NULL,
        .tests = c->tests,
        .test_count = c->test_count,
        .models = o->models,
        .model_count = o->model_count,
        .unroll = (uint32_t)o->unroll,
        .fences = o->fences,
        .order = (enum encode_order)o->order,
        .no_ranges = o->no_ranges,
        .in_formula = o->in_formula,
        .until_ms = o->time_ms ? worker_now_ms() + o->time_ms : 0,
        .base = target_job(o, &c->target),
        .tables = &c->target.tables,
        .progress = tell_progress,
    };
    progress_init(o->quiet);
    return folder_make(o->out, e) &&
           spec_open(arena_printf(&c->arena, "%s/check.db", o->out),
                     &c->check.store, e);
}

static int run(struct checking *c, struct err *e)
{
    worker_catch_interrupts();
    check_run(&c->check, &c->arena, &c->result);
    progress_end();
    c->interrupted = worker_interrupted();
    worker_go_on();
    if (!check_tell(c, e))
        return EXIT_UNFINISHED;
    e->text[0] = '\0';
    return c->broken ? EXIT_FOUND
           : c->open ? EXIT_UNFINISHED
                     : EXIT_NOTHING_FOUND;
}

/* Returns the exit code; what is to be told is in e. */
static int check_all(struct checking *c, struct err *e)
{
    const struct options *o = c->options;
    int code;

    if (!only_sources(o, e) || !keep_can_write(o->json, &c->arena, e))
        return EXIT_USAGE;
    if (!only_what_check_knows(o, e))
        return EXIT_UNFINISHED;
    code = lower(c, o->operands, o->operand_count, &c->program, e);
    if (code != EXIT_NOTHING_FOUND)
        return code;
    if (!choose_tests(c, e))
        return EXIT_USAGE;
    code = take_reference(c, e);
    if (code != EXIT_NOTHING_FOUND)
        return code;
    if (!open_target(c, e))
        return c->target.unable ? EXIT_UNFINISHED : EXIT_USAGE;
    return prepare(c, e) ? run(c, e) : EXIT_UNFINISHED;
}

int cmd_check(struct options *o, struct err *e)
{
    struct checking c = {.options = o, .arena = ARENA_INIT};
    int code = check_all(&c, e);

    spec_close(c.check.store);
    target_close(&c.target);
    arena_free(&c.arena);
    return code;
}
