/* SPDX-License-Identifier: MIT
 *
 * fencer check: a data type against its tests, by a solver.  The work is
 * src/check/engine's; here is what the user asks and sees of it.
 */
#include "engine/engine.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/check_tell.h"
#include "cmd/keep.h"
#include "compiler/compiler.h"

/* ---- What is asked ---- */

/* The machines of the paper's axioms have no such switches. */
static bool only_what_check_knows(const struct options *o, struct err *e)
{
    const char *name = o->buffer           ? "buffer"
                       : o->locks_paper    ? "locks"
                       : o->cas_bufferable ? "cas"
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
    switch (compiler_lower(sources, count, c->call.options->cflags,
                           &c->call.arena, out, e)) {
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

    if (!lsl_parse_test(&c->program, text, &c->call.arena, t, e))
        return err_in(e, "%s", c->program.source);
    c->test_count++;
    return true;
}

/* "T0,T1": neither names nor notations have commas. */
static bool add_tests(struct checking *c, const char *list, struct err *e)
{
    while (true) {
        size_t n = strcspn(list, ",");

        if (!add_test(c, arena_copy_n(&c->call.arena, list, n), e))
            return false;
        if (list[n] == '\0')
            return true;
        list += n + 1;
    }
}

static size_t most_tests(const struct checking *c)
{
    size_t most = c->program.test_count;

    for (size_t i = 0; i < c->call.options->test_count; i++) {
        most++;
        for (const char *at = c->call.options->tests[i]; *at; at++)
            most += *at == ',';
    }
    return most;
}

/* Those asked for, or all of the file; none if it has a main instead. */
static bool choose_tests(struct checking *c, struct err *e)
{
    const struct lsl_program *p = &c->program;

    c->tests = arena_array(&c->call.arena, most_tests(c), sizeof(*c->tests));
    for (size_t i = 0; i < c->call.options->test_count; i++) {
        if (!add_tests(c, c->call.options->tests[i], e))
            return false;
    }
    if (c->call.options->test_count)
        return true;
    for (uint32_t i = 0; i < p->test_count; i++) {
        if (!lsl_parse_test(p, p->tests[i].notation, &c->call.arena,
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

    if (!c->call.options->spec)
        return EXIT_NOTHING_FOUND;
    if (c->test_count == 0) {
        err_set(e, "--spec is for tests, and there is none");
        return EXIT_USAGE;
    }
    code = lower(c, &c->call.options->spec, 1, &c->reference, e);
    for (size_t i = 0; code == EXIT_NOTHING_FOUND && i < c->test_count; i++) {
        if (!spec_fits(&c->program, &c->tests[i], &c->reference, e))
            code = EXIT_USAGE;
    }
    return code;
}

/* ---- The engine ---- */

/* Executions are replayed where the model has a machine. */
static bool needs_program(const struct options *o)
{
    for (size_t i = 0; i < o->model_count; i++) {
        if (model_has_machine(o->models[i]))
            return true;
    }
    return false;
}

/* What is built is for replays only. */
static int open_target(struct checking *c, struct err *e)
{
    if (needs_program(c->call.options))
        return command_open_target(&c->call, e);
    c->call.report.program = c->call.target.program =
        target_name(c->call.options, &c->call.arena);
    return EXIT_NOTHING_FOUND;
}

static bool prepare(struct checking *c, struct err *e)
{
    const struct options *o = c->call.options;

    c->check = (struct check_options){
        .program = &c->program,
        .reference = o->spec ? &c->reference : NULL,
        .tests = c->tests,
        .test_count = c->test_count,
        .models = o->models,
        .model_count = o->model_count,
        .arm = (unsigned)o->arm,
        .rcpc = o->rcpc,
        .deps = o->deps,
        .unroll = (uint32_t)o->unroll,
        .fences = o->fences,
        .order = (enum encode_order)o->order,
        .no_ranges = o->no_ranges,
        .in_formula = o->in_formula,
        .until_ms = c->call.until_ms,
        .base = target_job(o, &c->call.target),
        .tables = &c->call.target.tables,
    };
    return folder_make(o->out, e) &&
           spec_open(arena_printf(&c->call.arena, "%s/check.db", o->out),
                     &c->check.store, e);
}

/* ---- The command ---- */

static int open_check(struct call *call, struct err *e)
{
    struct checking *c = (struct checking *)call;
    const struct options *o = call->options;
    int code;

    if (!only_sources(o, e))
        return EXIT_USAGE;
    if (!only_what_check_knows(o, e))
        return EXIT_UNFINISHED;
    command_choose_models(c->call.options);
    code = lower(c, o->operands, o->operand_count, &c->program, e);
    if (code != EXIT_NOTHING_FOUND)
        return code;
    if (!choose_tests(c, e))
        return EXIT_USAGE;
    code = take_reference(c, e);
    return code == EXIT_NOTHING_FOUND ? open_target(c, e) : code;
}

static bool check_program(struct call *call, struct err *e)
{
    struct checking *c = (struct checking *)call;

    if (!prepare(c, e))
        return false;
    check_run(&c->check, &call->arena, &c->result);
    return true;
}

static void close_check(struct call *call)
{
    spec_close(((struct checking *)call)->check.store);
}

int cmd_check(struct options *o, struct err *e)
{
    static const struct call_steps steps = {open_check, check_program,
                                            check_tell, close_check};
    struct checking c = {.call.report.command = "check"};

    return command_work(&c.call, o, &steps, e);
}
