/* SPDX-License-Identifier: MIT
 *
 * A counterexample on the runtime.  First guided: the execution that takes
 * effect in the order that the solver found (replay_steps.c).  Where that does
 * not come about, say because the program does more than the unrolled test
 * shows, the model's executions are explored until one fails in the same way.
 * Either way what is given back has come a second time, from its decisions.
 *
 * An undefined value that is used is no failure to a machine, which reads what
 * is there, nor is an access after the end of a variable.  Such an execution
 * has to come about, and that is all.
 */
#include "engine/engine_replay.h"

#include <string.h>

#include "base/log.h"
#include "engine/replay_inside.h"
#include "finding/every.h"
#include "finding/gate.h"

#define CYCLE_LENGTH 8
#define EXPLORE_MS 20000u /* at most, for an execution that fails */
#define EXPLORE_MOST 5000000u
#define UNROLL 100
/* Events after an undefined value, where the program may do anything: few, so
 * that what came before is seen; more, if that was too early. */
#define FEW_AFTER 16
#define MANY_AFTER 2000

struct attempt {
    const struct check_execution *x;
    struct arena *arena;
    struct channel_failure expected;
    struct shown *out;
    bool came;
    const char *why_not;
};

/* ---- The observation ---- */

static void put_thread(const struct flat *f, const struct flat_run *run,
                       uint32_t thread, struct buf *out)
{
    for (uint32_t i = 0; i < f->observe_count; i++) {
        const struct flat_observe *o = &f->observes[i];

        if (o->thread == thread && check_holds(run, o->guard))
            buf_printf(out, "%s=%lld ", o->label,
                       (long long)run->values[o->value].bits);
    }
}

/* As runtime/runtime_observe.c and harness.c write it. */
const char *check_observation(const struct flat *f, const struct flat_run *run,
                              struct arena *a)
{
    struct buf out = {0};
    const char *text;

    buf_puts(&out, "");
    for (uint32_t t = 0; t < f->thread_count; t++) {
        if (f->test && (t > 1 || (t == 1 && out.count)))
            buf_puts(&out, "| ");
        put_thread(f, run, t, &out);
    }
    if (out.count)
        out.bytes[out.count - 1] = '\0';
    text = arena_copy(a, out.bytes);
    buf_free(&out);
    return text;
}

void check_failure(const struct check_execution *x, struct arena *a,
                   struct channel_failure *out)
{
    *out = (struct channel_failure){.kind = FAIL_OBSERVATION};
    if (!x->error) {
        snprintf(out->message, sizeof(out->message), "%s: %s",
                 failure_kind_words(FAIL_OBSERVATION),
                 check_observation(x->flat, x->run, a));
        return;
    }
    out->kind = x->error->failure;
    out->site = x->error->site;
    out->thread = x->error->thread;
    snprintf(out->message, sizeof(out->message), "%s",
             x->error->text && *x->error->text ? x->error->text
                                               : failure_kind_words(out->kind));
}

/* ---- Is it what was expected? ---- */

static bool is_silent(const struct attempt *t)
{
    return t->expected.kind == FAIL_UNDEFINED ||
           t->expected.kind == FAIL_OUT_OF_BOUNDS ||
           t->expected.kind == FAIL_SEGV;
}

/* Any failure of the execution that the solver describes is the program's,
 * and what an undefined value leads to cannot be said. */
static bool is_expected(const struct attempt *t, const struct replayed *r,
                        bool guided)
{
    if (!r->failed)
        return guided && is_silent(t) && !r->misfit;
    if (r->failure.kind == FAIL_UNSUPPORTED)
        return false;
    return guided ? t->x->error || r->failure.kind == FAIL_OBSERVATION
                  : r->failure.kind == t->expected.kind;
}

/* "an undefined value is observed, at queue.c:31" */
static const char *silent_words(const struct attempt *t)
{
    struct buf where = {0};
    const char *words;

    lsl_put_site(t->x->flat->program, t->expected.site, &where);
    words =
        arena_printf(t->arena, "%s, at %s", t->expected.message, where.bytes);
    buf_free(&where);
    return words;
}

static void pass_gate(struct attempt *t)
{
    struct gate g = {.binary = t->x->base.program,
                     .tables = t->x->tables,
                     .until_ms = t->x->until_ms,
                     .arena = t->arena};
    struct err why;

    t->came = gate_replay(&g, t->out, &why) && !*g.trace_error.text;
    if (!t->came)
        t->why_not = arena_copy(
            t->arena, *g.trace_error.text ? g.trace_error.text : why.text);
    else if (t->x->model != &model_sc)
        shown_explain(t->out, CYCLE_LENGTH);
}

/* What that execution was, if it is the one; then once more. */
static void take(struct attempt *t, const struct worker *w, bool guided)
{
    const struct check_execution *x = t->x;
    struct finding *f = &t->out->finding;
    struct replayed r;

    finding_of_job(&w->job, w->channel->run, x->tables, f);
    finding_results(w, f, x->tables, t->arena, &r);
    if (!is_expected(t, &r, guided)) {
        t->why_not = r.failed   ? arena_copy(t->arena, r.failure.message)
                     : r.misfit ? "the program does not follow its steps"
                                : "no failure";
        return;
    }
    t->out->trace = r.trace;
    f->decisions = r.decisions;
    f->decision_count = r.decision_count;
    f->outcome = r.outcome;
    t->out->class = class_of_failure(x->model);
    t->out->cycles = 1;
    if (r.failed)
        f->failure = r.failure;
    else
        t->out->error = silent_words(t);
    pass_gate(t);
}

/* ---- Two ways to it ---- */

static bool run_and_take(struct attempt *t, const struct job *j, bool guided,
                         uint64_t until_ms, struct err *e)
{
    struct worker w;

    if (!worker_run(&w, j, until_ms, e))
        return false;
    if (w.end == WORKER_BAD)
        t->why_not = "the program cannot be run";
    else if (w.end == WORKER_STOPPED)
        t->why_not = "there was no time for it";
    else
        take(t, &w, guided);
    worker_free(&w);
    return true;
}

static struct job job_of(const struct attempt *t)
{
    struct job j = t->x->base;

    j.model = t->x->model->name;
    j.flags &= FINDING_FLAGS;
    j.flags |= CHANNEL_RECORD;
    j.first = 0;
    if (!t->x->error)
        j.forbidden = strchr(t->expected.message, ':') + 2;
    return j;
}

/* `more`: events after its steps, at most; 0: no limit. */
static bool guide(struct attempt *t, uint64_t more, struct err *e)
{
    struct job j = job_of(t);

    j.strategy = STRATEGY_WITNESS;
    j.flags |= CHANNEL_TRACE | CHANNEL_LOG;
    j.count = 1;
    j.witness = replay_steps(t->x, t->arena, &j.witness_count);
    if (more)
        j.max_events = more + j.witness_count;
    return run_and_take(t, &j, true, t->x->until_ms, e);
}

/* The steps of an execution that fails; or it was run on the way to them. */
static bool run_failed(struct attempt *t, const struct every *v,
                       const struct worker *w, uint64_t until_ms, struct err *e)
{
    struct job j;

    if (v->step_by_step) {
        take(t, w, false);
        return true;
    }
    t->why_not = v->why_not ? v->why_not : "no failure";
    if (!v->list_count)
        return true;
    j = every_run(v, 0, 1);
    j.flags |= CHANNEL_TRACE;
    return run_and_take(t, &j, false, until_ms, e);
}

static bool explore(struct attempt *t, struct err *e)
{
    uint64_t until = worker_now_ms() + EXPLORE_MS;
    struct job base = job_of(t);
    struct every v;
    bool again = true, ok = true;

    if (t->x->until_ms && t->x->until_ms < until)
        until = t->x->until_ms;
    every_begin(&v, &base, t->x->model, EVERY_FAILED, UNROLL);
    while (ok && again) {
        struct job j = every_job(&v, EXPLORE_MOST);
        struct worker w;

        ok = worker_run(&w, &j, until, e);
        if (!ok)
            break;
        again = every_take(&v, &w, t->arena);
        ok = again || run_failed(t, &v, &w, until, e);
        worker_free(&w);
    }
    every_free(&v);
    return ok;
}

struct flat_run check_whole_run(const struct flat *f,
                                const struct flat_run *run, struct arena *a)
{
    struct flat_run r = *run;

#define COPY(field, count)                                                     \
    r.field = memcpy(arena_array(a, (count) + 1, sizeof(*r.field)),            \
                     run->field, (count) * sizeof(*r.field))
    COPY(values, f->value_count);
    COPY(executed, f->event_count);
    COPY(address, f->event_count);
    COPY(value, f->event_count);
#undef COPY
    flat_evaluate(f, &r);
    return r;
}

bool check_replay(const struct check_execution *given, struct arena *a,
                  enum check_replayed *how, struct shown *out,
                  const char **why_not, struct err *e)
{
    struct check_execution x = *given;
    struct flat_run run = check_whole_run(x.flat, x.run, a);
    struct attempt t = {.x = &x, .arena = a, .out = out};

    x.run = &run;
    memset(out, 0, sizeof(*out));
    *how = CHECK_REPLAYED;
    check_failure(&x, a, &t.expected);
    if (!guide(&t, is_silent(&t) ? FEW_AFTER : 0, e) ||
        (!t.came && is_silent(&t) && !guide(&t, MANY_AFTER, e)))
        return false;
    LOG(REPLAY, "%s on %s: %s", t.expected.message, x.model->name,
        t.came ? "brought about" : t.why_not);
    if (t.came)
        return true;
    *why_not = t.why_not;
    *how = CHECK_NOT_REPLAYED;
    if (is_silent(&t))
        return true;
    if (!explore(&t, e))
        return false;
    LOG(REPLAY, "explored: %s", t.came ? "found" : t.why_not);
    if (t.came)
        *how = CHECK_EXPLORED;
    return true;
}
