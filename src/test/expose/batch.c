/* SPDX-License-Identifier: MIT
 *
 * The tested program as a process, and what an execution leaves behind.
 */
#include <stdlib.h>
#include <string.h>

#include "expose/expose_inside.h"

bool batch_stopped(struct expose *x)
{
    struct expose_result *r = x->r;

    if (r->refused || r->stopped)
        return true;
    if (worker_interrupted())
        r->stopped = "interrupted";
    else if (worker_time_is_up(x->o->until_ms))
        r->stopped = "the time limit came";
    return r->stopped != NULL;
}

/* A program that cannot be watched on SC is refused; one that later does what
 * we cannot run, on some path, is tested without that path. */
static void note_refusal(struct expose *x, const struct worker *w)
{
    struct channel_failure f;
    struct buf why = {0};

    if (w->end == WORKER_BAD)
        worker_complaint(w, &why);
    else if (worker_failure(w, &f) && f.kind == FAIL_UNSUPPORTED)
        buf_puts(&why, f.message);
    if (why.count && !x->watched)
        x->r->refused = arena_copy(x->arena, why.bytes);
    else if (why.count && !x->r->trouble)
        x->r->trouble = arena_copy(x->arena, why.bytes);
    buf_free(&why);
}

bool batch_start(struct expose *x, const struct job *job, struct worker *w,
                 struct err *e)
{
    struct job j = *job;

    j.stay = true;
    while (x->spare_count > 0) {
        *w = x->spares[--x->spare_count];
        if (worker_again(w, &j))
            return true;
        worker_free(w);
    }
    return worker_start(w, &j, e);
}

void batch_end(struct expose *x, struct worker *w)
{
    if (w->end == WORKER_DONE && x->spare_count < SPARES_MAX)
        x->spares[x->spare_count++] = *w;
    else
        worker_free(w);
}

void batch_dismiss(struct expose *x)
{
    while (x->spare_count > 0)
        worker_free(&x->spares[--x->spare_count]);
}

bool batch_run(struct expose *x, const struct job *j, struct worker *w,
               struct err *e)
{
    if (!batch_start(x, j, w, e))
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

static void take_replay(struct expose *x, const struct worker *w,
                        struct exposure *e)
{
    struct replayed again;

    finding_results(w, &e->finding, x->o->tables, &e->arena, &again);
    e->failed = again.failed;
    e->trace = again.trace;
    e->finding.output = again.output;
    e->finding.output_lost = again.output_lost;
    if (e->failed)
        e->finding.failure = again.failure;
    else
        memset(&e->trace.failure, 0, sizeof(e->trace.failure));
    if (w->channel->execution_count)
        e->outcome = outcome_key(w->channel, w->channel->execution_count - 1);
}

/* Searching goes without traces, which would make it several times slower:
 * what is worth looking at is run again from its decisions. */
struct exposure *exposure_of(struct expose *x, const struct model *m,
                             const struct worker *w, struct err *e)
{
    struct exposure *found = calloc(1, sizeof(*found));
    struct job j = w->job;
    struct worker again;

    CHECK(found != NULL);
    found->model = m;
    finding_of_job(&w->job, w->channel->run, x->o->tables, &found->finding);
    finding_take_decisions(w, &found->arena, &found->finding.decisions,
                           &found->finding.decision_count);
    j.strategy = STRATEGY_REPLAY;
    j.flags = (j.flags & FINDING_FLAGS) | CHANNEL_TRACE;
    j.first = w->channel->run;
    j.count = 1;
    j.schedule = found->finding.decisions;
    j.schedule_count = found->finding.decision_count;
    j.goal = NULL;
    if (j.fence_count && j.fences[0].bits == CHANNEL_FENCE_COMMIT)
        j.fence_count = 0; /* its decisions have those commits */
    if (!batch_run(x, &j, &again, e)) {
        exposure_free(found);
        return NULL;
    }
    take_replay(x, &again, found);
    batch_end(x, &again);
    return found;
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
