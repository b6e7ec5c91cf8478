/* SPDX-License-Identifier: MIT
 *
 * A trace taken out of the memory shared with the tested program.  That
 * program may have written anywhere, so nothing in there is believed: counts
 * are cut to what fits, and the result goes through trace_check like a file.
 */
#include "trace/trace.h"

#include <string.h>
#include <sys/mman.h>

/* Beyond this a trace is of no use to a reader, and too long for its file. */
#define EVENTS_MAX (8ull << 20)
#define OBJECTS_MAX (1ull << 20)

static const char *object_name(const struct object_record *r,
                               const struct program *p, struct arena *a)
{
    switch (r->kind) {
    case OBJECT_GLOBAL:
        if (r->number < p->global_count)
            return p->globals[r->number].name;
        return "global";
    case OBJECT_HEAP:
        return arena_printf(a, "heap#%u", r->number);
    case OBJECT_STACK:
        return arena_printf(a, "stack of T%u", r->number);
    case OBJECT_TLS:
        return arena_printf(a, "thread-local of T%u", r->number);
    case OBJECT_NONE:
        return "";
    default:
        return "memory";
    }
}

/* `count` things from `first` on, of a region that has room for `max`: cuts
 * both to what is there. */
static void cut_range(uint64_t *first, uint64_t *count, uint64_t max)
{
    if (*first > max)
        *first = max;
    if (*count > max - *first)
        *count = max - *first;
}

static void take_objects(const char *raw, uint64_t first, uint64_t count,
                         const struct program *p, struct arena *a,
                         struct trace *t)
{
    cut_range(&first, &count, CHANNEL_OBJECTS_MAX);
    if (count > OBJECTS_MAX)
        count = OBJECTS_MAX;
    raw += CHANNEL_OBJECTS_AT + first * sizeof(struct object_record);
    t->object_count = count ? count : 1;
    t->objects = arena_array(a, t->object_count, sizeof(*t->objects));
    t->objects[0].name = t->objects[0].fields = "";
    for (uint64_t i = 0; i < count; i++) {
        struct object_record r;
        struct trace_object *o = &t->objects[i];

        memcpy(&r, raw + i * sizeof(r), sizeof(r));
        *o = (struct trace_object){
            .kind = r.kind,
            .number = r.number,
            .site = r.site,
            .thread = r.thread,
            .address = r.address,
            .size = r.size,
            .name = object_name(&r, p, a),
            .fields = "",
        };
        if (r.kind == OBJECT_GLOBAL && r.number < p->global_count)
            o->fields = p->globals[r.number].fields;
    }
}

/* Threads are what the events say they are.  Whoever reads a trace has tables
 * of threads by threads, so there must not be more than can be. */
static bool find_threads(struct trace *t, struct arena *a, struct err *e)
{
    uint32_t last = 0;

    for (size_t i = 0; i < t->event_count; i++) {
        if (t->events[i].thread > last)
            last = t->events[i].thread;
    }
    t->thread_count = last < EVENT_THREADS_MAX ? (size_t)last + 1 : 1;
    t->threads = arena_array(a, t->thread_count, sizeof(*t->threads));
    if (last >= EVENT_THREADS_MAX)
        return err_set(e, "no thread %u", last);
    for (uint32_t i = 0; i <= last; i++)
        t->threads[i].parent = i;
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];

        t->threads[ev->thread].events++;
        if (ev->kind == EV_CREATE && ev->value <= last) {
            t->threads[ev->value].parent = ev->thread;
            t->threads[ev->value].create = (uint32_t)i + 1;
        }
    }
    return true;
}

static void take_events(const char *raw, uint64_t first, uint64_t count,
                        struct arena *a, struct trace *t)
{
    cut_range(&first, &count, CHANNEL_EVENTS_MAX);
    if (count > EVENTS_MAX) {
        t->events_lost += count - EVENTS_MAX;
        count = EVENTS_MAX;
    }
    t->event_count = count;
    t->events = arena_array(a, count ? count : 1, sizeof(*t->events));
    memcpy(t->events, raw + CHANNEL_EVENTS_AT + first * sizeof(*t->events),
           count * sizeof(*t->events));
}

/* What the whole job was. */
static void take_job(const struct channel *c, struct arena *a, struct trace *t)
{
    memset(t, 0, sizeof(*t));
    t->program = "";
    t->model = arena_copy_n(a, c->model, strnlen(c->model, sizeof(c->model)));
    t->strategy = strategy_words(c->strategy);
    if (!t->strategy)
        t->strategy = "";
    t->flags = c->flags;
    t->seed = c->seed;
    t->buffer = c->buffer;
    t->events_lost = c->events_lost;
}

static bool take_execution(const char *raw, const struct channel_execution *x,
                           const struct program *p, struct arena *a,
                           struct trace *t, struct err *e)
{
    take_job((const struct channel *)raw, a, t);
    t->run = x->run;
    t->failure = x->failure;
    t->failure.message[sizeof(t->failure.message) - 1] = '\0';
    t->sites = p->sites;
    t->site_count = p->site_count;
    take_objects(raw, x->first_object, x->object_count, p, a, t);
    take_events(raw, x->first_event, x->event_count, a, t);
    return (find_threads(t, a, e) && trace_check(t, e)) ||
           err_in(e, "the program damaged its own trace");
}

bool trace_from_channel_nth(const void *raw, size_t n, const struct program *p,
                            struct arena *a, struct trace *t, struct err *e)
{
    const struct channel *c = raw;
    struct channel_execution x;

    if (n >= c->execution_count || n >= CHANNEL_EXECUTIONS_MAX)
        return err_set(e, "the program left no trace %zu", n);
    memcpy(&x, (const char *)raw + CHANNEL_EXECUTIONS_AT + n * sizeof(x),
           sizeof(x));
    return take_execution(raw, &x, p, a, t, e);
}

/* The events region in pieces: one that the execution ends in is left to
 * whoever comes after it. */
#define PIECE (4ull << 20)

void trace_forget_nth(void *raw, size_t n)
{
    const struct channel *c = raw;
    struct channel_execution x;
    uint64_t from, to;

    if (n >= c->execution_count || n >= CHANNEL_EXECUTIONS_MAX)
        return;
    memcpy(&x, (const char *)raw + CHANNEL_EXECUTIONS_AT + n * sizeof(x),
           sizeof(x));
    if (x.first_event > CHANNEL_EVENTS_MAX ||
        x.event_count > CHANNEL_EVENTS_MAX - x.first_event)
        return;
    from = x.first_event * sizeof(struct event) / PIECE * PIECE;
    to = (x.first_event + x.event_count) * sizeof(struct event) / PIECE * PIECE;
    /* Should it fail, it costs memory and nothing else. */
    if (to > from)
        (void)madvise((char *)raw + CHANNEL_EVENTS_AT + from, to - from,
                      MADV_REMOVE);
}

bool trace_from_channel(const void *raw, const struct program *p,
                        struct arena *a, struct trace *t, struct err *e)
{
    const struct channel *c = raw;
    struct channel_execution x = {.run = c->run,
                                  .event_count = c->event_count,
                                  .object_count = c->object_count,
                                  .failure = c->failure};

    if (c->execution_count)
        return trace_from_channel_nth(raw, c->execution_count - 1, p, a, t, e);
    return take_execution(raw, &x, p, a, t, e);
}
