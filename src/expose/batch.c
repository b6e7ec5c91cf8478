/* SPDX-License-Identifier: MIT
 *
 * The tested program as a process, and what an execution leaves behind.
 */
#include <stdlib.h>
#include <string.h>

#include "expose/inside.h"

bool batch_stopped(struct expose *x)
{
    struct expose_result *r = x->r;

    if (r->refused || r->stopped)
        return true;
    if (worker_interrupted())
        r->stopped = "interrupted";
    else if (x->o->until_ms && worker_now_ms() >= x->o->until_ms)
        r->stopped = "the time limit came";
    return r->stopped != NULL;
}

static void note_refusal(struct expose *x, const struct worker *w)
{
    struct channel_failure f;
    struct buf why = {0};

    if (w->end == WORKER_BAD) {
        worker_complaint(w, &why);
        x->r->refused = arena_copy(x->arena, why.bytes);
    } else if (worker_failure(w, &f) && f.kind == FAIL_UNSUPPORTED) {
        x->r->refused = arena_copy(x->arena, f.message);
    }
    buf_free(&why);
}

bool batch_run(struct expose *x, const struct job *j, struct worker *w,
               struct err *e)
{
    if (!worker_start(w, j, e))
        return false;
    while (w->end == WORKER_RUNS && worker_wait(&w, 1, x->o->until_ms))
        ;
    worker_stop(w);
    note_refusal(x, w);
    batch_stopped(x);
    return true;
}

void batch_account(struct expose *x, size_t model, const struct worker *w)
{
    const struct channel *c = w->channel;
    struct expose_model *m = &x->r->models[model];

    m->executions += c->done < w->job.count ? c->done : w->job.count;
    m->cut += c->cut;
    m->assumed += c->assumed;
    for (size_t i = 0; i < 8; i++)
        x->r->extern_hits[i] |= c->extern_hits[i];
    if (c->by_process && !x->r->by_process)
        x->r->by_process =
            arena_copy_n(x->arena, c->by_process_why,
                         strnlen(c->by_process_why, sizeof(c->by_process_why)));
}

static void fill_finding(struct expose *x, const struct worker *w,
                         struct finding *f)
{
    const struct job *j = &w->job;

    *f = (struct finding){
        .program = j->name,
        .binary = j->program,
        .binary_size = x->o->tables->file_size,
        .binary_hash = x->o->tables->file_hash,
        .arguments = (char **)(uintptr_t)j->arguments,
        .model = j->model,
        .strategy = strategy_words(j->strategy),
        .flags = j->flags & FINDING_FLAGS,
        .depth = j->depth,
        .seed = j->seed,
        .run = w->channel->run,
        .buffer = j->buffer,
        .max_events = j->max_events,
        .output = "",
        .trace = "",
    };
    while (j->arguments && j->arguments[f->argument_count])
        f->argument_count++;
}

struct exposure *exposure_of(struct expose *x, const struct model *m,
                             const struct worker *w)
{
    struct exposure *e = calloc(1, sizeof(*e));
    struct replayed again;

    CHECK(e != NULL);
    e->model = m;
    fill_finding(x, w, &e->finding);
    finding_results(w, &e->finding, x->o->tables, &e->arena, &again);
    e->failed = again.failed && again.failure.run == w->channel->run;
    e->trace = again.trace;
    e->finding.decisions = again.decisions;
    e->finding.decision_count = again.decision_count;
    e->finding.output = again.output;
    e->finding.output_lost = again.output_lost;
    if (e->failed)
        e->finding.failure = again.failure;
    else
        memset(&e->trace.failure, 0, sizeof(e->trace.failure));
    if (w->channel->execution_count)
        e->outcome = outcome_key(w->channel, w->channel->execution_count - 1);
    return e;
}

static void clone_trace(struct trace *t, const struct trace *from,
                        struct arena *a)
{
    *t = *from;
    t->program = arena_copy(a, from->program);
    t->model = arena_copy(a, from->model);
    t->strategy = arena_copy(a, from->strategy);
    t->objects = arena_array(a, from->object_count, sizeof(*t->objects));
    t->threads = arena_array(a, from->thread_count, sizeof(*t->threads));
    t->events = arena_array(a, from->event_count + 1, sizeof(*t->events));
    memcpy(t->threads, from->threads, from->thread_count * sizeof(*t->threads));
    if (from->event_count)
        memcpy(t->events, from->events, from->event_count * sizeof(*t->events));
    for (size_t i = 0; i < from->object_count; i++) {
        t->objects[i] = from->objects[i];
        t->objects[i].name = arena_copy(a, from->objects[i].name);
        t->objects[i].fields = arena_copy(a, from->objects[i].fields);
    }
}

struct exposure *exposure_clone(const struct exposure *from)
{
    struct exposure *e = calloc(1, sizeof(*e));
    struct finding *f;
    size_t bytes = from->finding.decision_count * sizeof(uint32_t);

    CHECK(e != NULL);
    *e = *from;
    e->arena = (struct arena)ARENA_INIT;
    e->kept = false;
    clone_trace(&e->trace, &from->trace, &e->arena);
    f = &e->finding;
    f->decisions = arena_alloc(&e->arena, bytes + 1);
    if (bytes)
        memcpy(f->decisions, from->finding.decisions, bytes);
    f->output = arena_copy(&e->arena, from->finding.output);
    if (from->pairs) {
        e->pairs =
            arena_array(&e->arena, from->pair_count + 1, sizeof(*e->pairs));
        memcpy(e->pairs, from->pairs, from->pair_count * sizeof(*e->pairs));
    }
    f->trace = "";
    return e;
}

void exposure_free(struct exposure *e)
{
    if (!e)
        return;
    arena_free(&e->arena);
    free(e);
}
