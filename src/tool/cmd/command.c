/* SPDX-License-Identifier: MIT
 *
 * The steps that commands share.
 */
#include "cmd/command.h"

#include "cmd/keep.h"
#include "cmd/tell.h"

static int open_call(struct call *call, const struct call_steps *steps,
                     struct err *e)
{
    if (!keep_can_write(call->options->json, &call->arena, e) ||
        !keep_can_write(call->options->trace, &call->arena, e))
        return EXIT_USAGE;
    return steps->open(call, e);
}

static bool do_work(struct call *call, const struct call_steps *steps,
                    struct err *e)
{
    struct report *r = &call->report;

    if (call->options->time_ms)
        call->until_ms = worker_now_ms() + call->options->time_ms;
    worker_catch_interrupts();
    if (!steps->work(call, e))
        return false;
    r->limits = call->limits.list;
    r->limit_count = call->limits.count;
    if (!tell_report(r, call->options, e) ||
        (steps->finish && !steps->finish(call, e)))
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
    code = open_call(call, steps, e);
    if (code == EXIT_NOTHING_FOUND)
        code = do_work(call, steps, e) ? (int)report_exit_code(&call->report)
                                       : EXIT_UNFINISHED;
    if (steps->close)
        steps->close(call);
    target_close(&call->target);
    arena_free(&call->arena);
    return code;
}

int command_open_target(struct call *call, struct err *e)
{
    struct target *t = &call->target;

    if (target_open(call->options, &call->arena, t, e))
        return EXIT_NOTHING_FOUND;
    return t->unable ? EXIT_UNFINISHED : EXIT_USAGE;
}

struct report_model *command_add_model(struct call *call, const struct model *m)
{
    struct report_model *to = &call->models[call->report.model_count++];

    CHECK(call->report.model_count <= OPTIONS_MODELS_MAX);
    *to = (struct report_model){.model = m};
    return to;
}
