/* SPDX-License-Identifier: MIT
 *
 * The steps that commands share.
 */
#include "cmd/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/keep.h"
#include "cmd/sample_graphs.h"
#include "cmd/tell.h"
#include "session/progress.h"
#include "worker/counts.h"

static int open_call(struct call *call, const struct call_steps *steps,
                     struct err *e)
{
    if (!tell_can(call->options, &call->arena, e) ||
        !keep_can_write(call->options->trace, &call->arena, e))
        return EXIT_USAGE;
    return steps->open(call, e);
}

/* Interrupted or not: what was found is kept and told, which is short. */
static bool do_work(struct call *call, const struct call_steps *steps,
                    struct err *e)
{
    bool ok;

    if (call->options->time_ms)
        call->until_ms = worker_now_ms() + call->options->time_ms;
    worker_catch_interrupts();
    progress_init(call->options->quiet);
    ok = steps->work(call, e);
    progress_end();
    call->interrupted = worker_interrupted();
    worker_go_on();
    if (ok && call->stop && call->stop->refused)
        return err_set(e, "%s: %s", call->target.program, call->stop->refused);
    return ok;
}

/* A run that was stopped is not over: the same command continues it. */
static bool tell_work(struct call *call, struct err *e)
{
    struct report *r = &call->report;
    bool over = call->store && !call->stop->why;

    if (r->checks == CHECKS_UNREACHED)
        lines_add(&call->limits,
                  "wrong results: no execution came to an assertion, "
                  "observation or exit code that would show them");
    r->limits = call->limits.list;
    r->limit_count = call->limits.count;
    r->awaits = call->awaits;
    r->await_count = call->await_count;
    if (!tell_report(r, call->options, e) ||
        (over && !store_finish(call->store, e)))
        return false;
    e->text[0] = '\0'; /* what was in it is among the limits */
    return true;
}

int command_work(struct call *call, struct options *o,
                 const struct call_steps *steps, struct err *e)
{
    int code;

    call->options = o;
    call->limits.arena = &call->arena;
    call->report.models = call->models;
    call->report.seed = o->seed;
    call->report.strict = o->strict;
    call->report.all = o->all;
    call->report.fail_on = (enum fail_on)o->fail_on;
    code = open_call(call, steps, e);
    if (code == EXIT_NOTHING_FOUND)
        code = do_work(call, steps, e) && steps->fill(call, e) &&
                       tell_work(call, e)
                   ? (int)report_exit_status(&call->report)
                   : EXIT_UNFINISHED;
    if (steps->close)
        steps->close(call);
    store_close(call->store);
    target_close(&call->target);
    arena_free(&call->arena);
    return code;
}

int command_open_target(struct call *call, struct err *e)
{
    struct target *t = &call->target;

    if (target_open(call->options, &call->arena, t, e)) {
        call->report.program = t->program;
        if (!(t->tables.flags & PROGRAM_CHECKS))
            call->report.checks = CHECKS_NONE;
        return EXIT_NOTHING_FOUND;
    }
    return t->unable ? EXIT_UNFINISHED : EXIT_USAGE;
}

/* Does it ask for schedules, which are of machines? */
static bool asks_for_machines(const struct options *o)
{
    return options_given(o, "bound") || o->no_dpor || o->count_traces ||
           o->locks_paper || o->cas_bufferable || o->buffer || o->deps ||
           o->by_process ||
           (options_given(o, "expose") && o->expose != STRATEGY_DIRECTED) ||
           (options_given(o, "strategy") &&
            !strategy_makes_graphs(o->strategy));
}

void command_choose_models(struct options *o)
{
    if (options_given(o, "model") || !asks_for_machines(o))
        return;
    o->model_count = 0;
    for (size_t i = 0; model_all[i]; i++)
        o->models[o->model_count++] = model_all[i];
}

/* Without any of the weak ones of our choice, PSO and PSLO stand in, whose
 * executions C11 allows, too. */
static void let_stand_in(struct options *o)
{
    if (options_given(o, "model"))
        return;
    for (size_t i = 0; i < o->model_count; i++)
        if (!model_has_machine(o->models[i]) || o->models[i] == &model_pso)
            return;
    CHECK(o->model_count + 2 <= OPTIONS_MODELS_MAX);
    o->models[o->model_count++] = &model_pso;
    o->models[o->model_count++] = &model_pslo;
}

void command_leave_out(struct call *call, const struct model *m,
                       const char *why)
{
    struct options *o = call->options;
    size_t i = 0;

    lines_add(&call->limits, "executions on %s: %s", m->words, why);
    while (o->models[i] != m)
        i++;
    CHECK(i < o->model_count);
    o->model_count--;
    memmove(&o->models[i], &o->models[i + 1],
            (o->model_count - i) * sizeof(*o->models));
    let_stand_in(o);
}

/* Processors keep dependent accesses in order: what fails without these may be
 * what they forbid. */
bool command_has_dependencies(struct call *call, struct err *e)
{
    const struct options *o = call->options;

    for (size_t i = o->model_count; i-- > 0;) {
        if (!o->models[i]->by_axioms ||
            call->target.tables.flags & PROGRAM_DEPENDS)
            continue;
        if (!options_named(o, o->models[i]))
            command_leave_out(
                call, o->models[i],
                arena_printf(&call->arena,
                             "%s was built without its dependencies (fencer "
                             "cc --track-deps)",
                             call->target.program));
        else
            return err_set(e,
                           "%s was built without its dependencies, which %s "
                           "needs: link it with 'fencer cc --track-deps'",
                           call->target.program, o->models[i]->words);
    }
    return true;
}

/* All that the answers depend on: a run is continued only under the same key.
 */
static const char *key_of(struct call *call, const char *more)
{
    const struct options *o = call->options;
    const struct program *p = &call->target.tables;
    uint32_t flags = target_job(o, &call->target).flags;
    struct buf key = {0};
    const char *text;

    buf_printf(&key, "%s %s %" PRIx64 " %" PRIx64, FENCER_VERSION,
               call->target.program, p->file_size, p->file_hash);
    for (size_t i = 0; i < o->model_count; i++)
        buf_printf(&key, " %s", o->models[i]->name);
    buf_printf(&key, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %x %s", o->seed,
               o->buffer, o->max_events, flags, more);
    for (size_t i = 0; i < o->argument_count; i++)
        buf_printf(&key, " %zu:%s", strlen(o->arguments[i]), o->arguments[i]);
    text = arena_copy(&call->arena, key.bytes);
    buf_free(&key);
    return text;
}

bool command_open_store(struct call *call, const char *name, uint32_t layout,
                        struct err *e, const char *fmt, ...)
{
    const char *out = call->options->out;
    char more[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(more, sizeof(more), fmt, args);
    va_end(args);
    return folder_make(out, e) &&
           store_open(arena_printf(&call->arena, "%s/%s", out, name),
                      key_of(call, more), layout, &call->store, e);
}

struct report_model *command_add_model(struct call *call, const struct model *m)
{
    struct report_model *to = &call->models[call->report.model_count++];

    CHECK(call->report.model_count <= OPTIONS_MODELS_MAX);
    *to = (struct report_model){.model = m};
    return to;
}

static bool is_there(const struct call *call, const struct report_await *a)
{
    for (size_t i = 0; i < call->await_count; i++) {
        if (call->awaits[i].line == a->line &&
            strcmp(call->awaits[i].file, a->file) == 0)
            return true;
    }
    return false;
}

void command_note_checks(struct call *call, const struct counts *n)
{
    call->checked = call->checked || n->checked;
    if (call->report.checks == CHECKS_NONE)
        return;
    call->report.checks =
        n->complete && !call->checked ? CHECKS_UNREACHED : CHECKS_THERE;
}

void command_add_awaits(struct call *call, const struct counts *n)
{
    const struct program *p = &call->target.tables;

    if (!call->awaits)
        call->awaits =
            arena_alloc(&call->arena, OPTIONS_MODELS_MAX * CHANNEL_AWAITS_MAX *
                                          sizeof(*call->awaits));
    for (size_t i = 0; i < n->await_count; i++) {
        const struct fencer_site *s =
            &p->sites[n->awaits[i] < p->site_count ? n->awaits[i] : 0];
        struct report_await a = {s->file, s->line};

        if (s->line && !is_there(call, &a))
            call->awaits[call->await_count++] = a;
    }
}
