/* SPDX-License-Identifier: MIT
 *
 * One execution again, in a process of its own, with every event and decision
 * written down.  Only what comes again in this way is reported.
 */
#include "finding/finding.h"

#include <string.h>

#include "base/log.h"

/* Of a fault without a hook the line is known, but not which of its accesses
 * it was. */
static bool is_same_place(const struct channel_failure *x,
                          const struct channel_failure *y)
{
    return x->site == y->site || x->pc || y->pc;
}

bool finding_same_failure(const struct channel_failure *x,
                          const struct channel_failure *y)
{
    return x->kind == y->kind && is_same_place(x, y) &&
           x->signal == y->signal && x->exit_code == y->exit_code &&
           strcmp(x->message, y->message) == 0;
}

bool finding_same_sort(const struct channel_failure *x,
                       const struct channel_failure *y)
{
    if (x->kind != y->kind)
        return false;
    return x->kind == FAIL_DEADLOCK || x->kind == FAIL_LOST_WAKEUP ||
           x->kind == FAIL_LIVELOCK || x->site == y->site;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint64_t mix_text(uint64_t h, const char *text, size_t max)
{
    uint64_t of_text = 1;

    for (size_t i = 0; i < max && text[i]; i++)
        of_text = mix(of_text, (unsigned char)text[i]);
    return mix(h, of_text);
}

/* What it observed, after that. */
static uint64_t mix_outcome(uint64_t h, const char *raw,
                            const struct channel_execution *x)
{
    const struct outcome *o =
        (const struct outcome *)(raw + CHANNEL_OUTCOMES_AT);

    if (x->outcome && x->outcome <= CHANNEL_OUTCOMES_MAX)
        h = mix_text(h, o[x->outcome - 1].text, sizeof(o->text));
    return h + (h == 0);
}

static struct channel_execution execution_at(const struct channel *c, size_t n)
{
    struct channel_execution x;

    memcpy(&x, (const char *)c + CHANNEL_EXECUTIONS_AT + n * sizeof(x),
           sizeof(x));
    return x;
}

uint64_t finding_outcome(const struct channel *c, size_t n)
{
    struct channel_execution x = execution_at(c, n);

    return mix_outcome(mix(0, x.output_hash), (const char *)c, &x);
}

uint64_t finding_observed(const struct channel *c, size_t n)
{
    struct channel_execution x = execution_at(c, n);

    return mix_outcome(mix(0, ~0ull), (const char *)c, &x);
}

/* Of the last execution that came to its end; 0: none did. */
static uint64_t last_outcome(const struct channel *c)
{
    uint64_t n = c->execution_count;

    return n && n <= CHANNEL_EXECUTIONS_MAX ? finding_outcome(c, n - 1) : 0;
}

static uint32_t strategy_of(const char *words)
{
    for (uint32_t i = 0; strategy_words(i); i++) {
        if (strcmp(words, strategy_words(i)) == 0)
            return i;
    }
    return STRATEGY_RANDOM;
}

/* The observation of a failure of that kind, after its words. */
static const char *observation_of(const struct channel_failure *f)
{
    size_t n = strlen(failure_kind_words(FAIL_OBSERVATION)) + 2;

    if (f->kind != FAIL_OBSERVATION || strlen(f->message) < n)
        return NULL;
    return f->message + n;
}

void finding_job(const struct finding *f, const char *binary, bool by_decisions,
                 struct job *j)
{
    *j = (struct job){
        .program = binary,
        .name = f->program,
        .arguments = f->arguments,
        .model = f->model->name,
        .strategy = by_decisions ? STRATEGY_REPLAY : strategy_of(f->strategy),
        .flags = (f->flags & FINDING_FLAGS) | CHANNEL_TRACE,
        .depth = f->depth,
        .seed = f->seed,
        .first = f->run,
        .count = 1,
        .buffer = f->buffer,
        .max_events = f->max_events,
        .forbidden = observation_of(&f->failure),
    };
    if (by_decisions) {
        j->schedule = f->decisions;
        j->schedule_count = f->decision_count;
    } else {
        j->flags |= CHANNEL_RECORD;
    }
}

void finding_of_job(const struct job *j, uint64_t run, const struct program *p,
                    struct finding *f)
{
    *f = (struct finding){
        .program = j->name,
        .binary = j->program,
        .binary_size = p->file_size,
        .binary_hash = p->file_hash,
        .arguments = (char **)(uintptr_t)j->arguments,
        .model = model_find(j->model),
        .strategy = strategy_words(j->strategy),
        .flags = j->flags & FINDING_FLAGS,
        .depth = j->depth,
        .seed = j->seed,
        .run = run,
        .buffer = j->buffer,
        .max_events = j->max_events,
        .output = "",
        .trace = "",
    };
    while (j->arguments && j->arguments[f->argument_count])
        f->argument_count++;
}

void finding_take_decisions(const struct worker *w, struct arena *a,
                            uint32_t **decisions, size_t *count)
{
    uint64_t n = w->channel->recorded_count;

    if (n > CHANNEL_SCHEDULE_MAX)
        n = CHANNEL_SCHEDULE_MAX;
    *decisions = arena_array(a, n + 1, sizeof(**decisions));
    memcpy(*decisions, (const char *)w->channel + CHANNEL_SCHEDULE_AT,
           n * sizeof(**decisions));
    *count = n;
}

void finding_again(const struct worker *w, const struct program *p,
                   struct arena *a, struct finding *f, struct job *j)
{
    finding_of_job(&w->job, w->channel->run, p, f);
    finding_take_decisions(w, a, &f->decisions, &f->decision_count);
    *j = w->job;
    j->strategy = STRATEGY_REPLAY;
    j->flags = (j->flags & FINDING_FLAGS) | CHANNEL_TRACE;
    j->first = w->channel->run;
    j->count = 1;
    j->schedule = f->decisions;
    j->schedule_count = f->decision_count;
    j->goal = NULL;
    j->explore = NULL;
}

/* A program that wrote over its own trace still has a failure to report. */
static void empty_trace(struct trace *t)
{
    t->event_count = 0;
    t->object_count = 1;
    t->objects[0] = (struct trace_object){.name = "", .fields = ""};
    t->thread_count = 1;
    t->threads[0] = (struct trace_thread){0, 0, 0};
}

/* What it asked of the world; else the library call that is known to do so. */
static const char *source_of(const struct channel *c, const struct program *p,
                             struct arena *a)
{
    const struct channel_source *s = &c->nondeterministic;
    size_t n = strnlen(s->what, sizeof(s->what));
    const char *what = arena_copy_n(a, s->what, n);

    if (n && s->site < p->site_count && p->sites[s->site].line)
        return arena_printf(a, "%s at %s:%u", what, p->sites[s->site].file,
                            p->sites[s->site].line);
    if (n)
        return what;
    n = strnlen(c->by_process_why, sizeof(c->by_process_why));
    return c->by_process && n ? arena_copy_n(a, c->by_process_why, n) : NULL;
}

void finding_results(const struct worker *w, const struct finding *f,
                     const struct program *p, struct arena *a,
                     struct replayed *r)
{
    struct buf output = {0};

    memset(r, 0, sizeof(*r));
    r->failed = worker_failure(w, &r->failure);
    r->misfit = w->channel->misfit;
    r->traced =
        trace_from_channel(w->channel, p, a, &r->trace, &r->trace_error);
    if (!r->traced)
        empty_trace(&r->trace);
    if (r->failure.site >= p->site_count)
        r->failure.site = 0;
    r->trace.program = f->program;
    r->trace.strategy = f->strategy;
    r->trace.run = f->run;
    /* A process of its own changes nothing in the execution. */
    r->trace.flags = f->flags & FINDING_FLAGS & ~(uint32_t)CHANNEL_BY_PROCESS;
    r->trace.failure = r->failure;
    r->trace.failure.run = f->run;
    finding_take_decisions(w, a, &r->decisions, &r->decision_count);
    r->outcome = last_outcome(w->channel);
    r->source = source_of(w->channel, p, a);
    worker_output(w, &output);
    r->output = arena_copy_n(a, output.bytes, output.count);
    r->output_lost = w->channel->output_lost;
    buf_free(&output);
}

bool finding_execute(const struct finding *f, const char *binary,
                     bool by_decisions, uint64_t until_ms,
                     const struct program *p, struct arena *a,
                     struct replayed *r, struct err *e)
{
    struct worker w;
    struct job j;
    bool ok = true;

    finding_job(f, binary, by_decisions, &j);
    if (!worker_run(&w, &j, until_ms, e))
        return false;
    if (w.end == WORKER_STOPPED) {
        ok = err_set(e, "stopped before the replay had ended");
    } else if (w.end == WORKER_BAD) {
        struct buf why = {0};

        worker_complaint(&w, &why);
        ok = err_set(e, "%s", why.bytes);
        buf_free(&why);
    } else {
        finding_results(&w, f, p, a, r);
        LOG(REPLAY, "execution %llu by %s: %s, %zu events, %zu decisions%s",
            (unsigned long long)f->run, by_decisions ? "decisions" : "seed",
            r->failed ? r->failure.message : "no failure", r->trace.event_count,
            r->decision_count, r->traced ? "" : ", its trace is damaged");
    }
    worker_free(&w);
    return ok;
}
