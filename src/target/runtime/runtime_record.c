/* SPDX-License-Identifier: MIT
 *
 * Writing down what happens, into the channel: decisions, so that an execution
 * can be replayed; events and the objects they touch, so that it can be shown.
 * Neither changes the execution: a run with a trace takes the same decisions
 * as one without.
 *
 * Traces of several executions lie one after the other, and the executions
 * region says where.  An entry is begun with its execution and counts when that
 * has ended; what an execution without an entry left behind is written over.
 * All of it lives in the channel, so it does not matter which process runs
 * which execution.
 */
#include "runtime/runtime_record.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/buffer.h"
#include "runtime/footprint.h"
#include "runtime/heap.h"
#include "runtime/history.h"
#include "runtime/layout.h"
#include "runtime/native.h"
#include "runtime/sched.h"

#define WRITERS (1u << 20)

/* Events of one execution, of many and where there is only that one.  Then
 * tracing ends: what a long execution does at its beginning must do. */
#define EVENTS_EACH ((32ull << 20) / sizeof(struct event))
#define EVENTS_ALONE ((64ull << 20) / sizeof(struct event))

/* Beyond this no execution is begun after the first, lest the machine's memory
 * be full of traces. */
#define ENOUGH_EVENTS ((96ull << 20) / sizeof(struct event))

/* Who wrote a byte last, and how often it was written. */
struct writer {
    uint64_t address;
    uint32_t event, co;
    uint32_t before, epoch; /* the event before the history's first change */
};

static struct event *events;
static struct object_record *objects;
static uint32_t *decisions;
static struct channel_execution *executions;
static struct writer *writers;
static uint32_t *used_writers; /* places in `writers`, to be cleared */
static uint32_t writer_count;
static uint64_t first_event, first_object; /* of this execution */
static uint64_t room_end;                  /* no event from here on */

/* Numbers of objects, by what they are; 0: nothing is there. */
#define OBJECT_PLACES (1u << 20)
static uint32_t *object_places, *used_places;
static uint32_t object_place_count;

static void *map(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

void record_map(void)
{
    char *base = (char *)rt.channel;

    events = (struct event *)(base + CHANNEL_EVENTS_AT);
    objects = (struct object_record *)(base + CHANNEL_OBJECTS_AT);
    decisions = (uint32_t *)(base + CHANNEL_SCHEDULE_AT);
    executions = (struct channel_execution *)(base + CHANNEL_EXECUTIONS_AT);
    if (!object_places) {
        object_places = map(OBJECT_PLACES * sizeof *object_places);
        used_places = map(OBJECT_PLACES / 2 * sizeof *used_places);
    }
    if (!rt.tracing || writers)
        return;
    writers = map(WRITERS * sizeof *writers);
    used_writers = map(WRITERS / 2 * sizeof *used_writers);
}

static void forget_writers(void)
{
    for (uint32_t i = 0; i < writer_count; i++)
        writers[used_writers[i]] = (struct writer){0};
    writer_count = 0;
}

static void forget_objects(void)
{
    for (uint32_t i = 0; i < object_place_count; i++)
        object_places[used_places[i]] = 0;
    object_place_count = 0;
}

/* FNV-1a. */
static uint64_t hash_byte(uint64_t h, uint8_t byte)
{
    return (h ^ byte) * 0x100000001b3ull;
}

/* What each thread printed.  In which order different ones print is up to the
 * scheduler, unless they wait for each other: as with observations, that makes
 * no other execution. */
static uint64_t printed[RT_MAX_THREADS]; /* 0: nothing */
static uint32_t printed_count;

void record_output(const char *bytes, size_t count)
{
    uint32_t thread = rt.current ? rt.current->id : 0;

    if (!rt.tracing || !count)
        return;
    while (printed_count <= thread)
        printed[printed_count++] = 0;
    if (!printed[thread])
        printed[thread] = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < count; i++)
        printed[thread] = hash_byte(printed[thread], (uint8_t)bytes[i]);
}

static uint64_t hash_output(void)
{
    uint64_t h = 0xcbf29ce484222325ull;

    for (uint32_t t = 0; t < printed_count; t++)
        if (printed[t])
            h = (hash_byte(h, (uint8_t)t) ^ printed[t]) * 0x100000001b3ull;
    return h;
}

/* ---- Rounds of loops that wait ---- */

/* A loop may wait for a million rounds, in each of which it reads the same from
 * the same stores and nobody does anything.  Such rounds tell nothing that the
 * first did not: relations between events, and so cycles and races, are the
 * same for each.  After the first ROUNDS_KEPT they are dropped. */
#define ROUND_MAX 8 /* events */
#define ROUNDS_KEPT 3

/* Shorter executions are told whole: with a log or without, they are compared
 * event by event. */
#define DROPS_FROM 20000

/* By length: how many events in a row were those of a round before. */
static uint32_t repeated[ROUND_MAX + 1];

static void forget_rounds(void)
{
    memset(repeated, 0, sizeof repeated);
}

static bool may_be_dropped(const struct event *e)
{
    return e->kind == EV_LOAD || e->kind == EV_CAS_FAIL ||
           e->kind == EV_LOCK_FAIL || e->kind == EV_YIELD;
}

static bool repeats(const struct event *e, const struct event *before)
{
    return e->kind == before->kind && e->thread == before->thread &&
           e->site == before->site && e->object == before->object &&
           e->offset == before->offset && e->value == before->value &&
           e->from == before->from && e->flags == before->flags &&
           e->size == before->size;
}

/* The event of that number has been written.  Returns the length of the round
 * that it ends if that is one too many, else 0. */
static uint32_t repeated_round(uint64_t number)
{
    const struct event *e = &events[number];

    if (!may_be_dropped(e)) {
        forget_rounds();
        return 0;
    }
    for (uint32_t n = 1; n <= ROUND_MAX; n++) {
        if (number - first_event < n || !repeats(e, e - n))
            repeated[n] = 0;
        else if (++repeated[n] == n * ROUNDS_KEPT)
            return n;
    }
    return 0;
}

static void drop_round(uint32_t length)
{
    uint32_t still = repeated[length] - length;

    if (!length)
        return;
    rt.channel->event_count -= length;
    forget_rounds();
    repeated[length] = still;
}

/* ---- An execution ---- */

/* Behind those before it. */
static void begin_execution(uint64_t run)
{
    struct channel *c = rt.channel;
    struct channel_execution *x = &executions[c->execution_count];

    *x = (struct channel_execution){.run = run};
    if (c->execution_count) {
        x->first_event = x[-1].first_event + x[-1].event_count;
        x->first_object = x[-1].first_object + x[-1].object_count;
    }
    first_event = c->event_count = x->first_event;
    first_object = c->object_count = x->first_object;
    objects[c->object_count++] = (struct object_record){.kind = OBJECT_NONE};
}

void record_begin(void)
{
    struct channel *c = rt.channel;

    if (rt.recording)
        c->recorded_count = 0;
    if (!rt.tracing)
        return;
    forget_writers();
    forget_objects();
    forget_rounds();
    printed_count = 0;
    begin_execution(rt.run);
    room_end = first_event + (c->count == 1 ? EVENTS_ALONE : EVENTS_EACH);
    MUST(room_end < CHANNEL_EVENTS_MAX);
}

/* ---- The trace and the log of what happened (event/happening.h) ---- */

static bool is_access(const struct event *e)
{
    return happening_accesses(&(struct happening){.kind = e->kind});
}

static bool is_same(const struct event *e, const struct happening *h)
{
    if (e->kind != h->kind || e->thread != h->thread || e->site != h->site)
        return false;
    switch (e->kind) {
    case EV_LOAD:
    case EV_CAS_FAIL:
        return e->value == h->read;
    case EV_STORE:
        return e->value == h->wrote;
    case EV_RMW:
        return e->value == h->read && e->wrote == h->wrote;
    default:
        return true;
    }
}

/* On SC both have the same accesses in the same order, from the first time
 * that a thread is made. */
static bool trace_is_log(const struct event *e, uint64_t count)
{
    uint32_t n = 0;
    uint64_t i = 0;

    while (i < count && e[i].kind != EV_CREATE)
        i++;
    for (; i < count; i++) {
        if (!is_access(&e[i]))
            continue;
        while (n < rt.view.log_count && !happening_accesses(&rt.view.log[n]))
            n++;
        if (n == rt.view.log_count || !is_same(&e[i], &rt.view.log[n++]))
            return false;
    }
    while (n < rt.view.log_count && !happening_accesses(&rt.view.log[n]))
        n++;
    return n == rt.view.log_count;
}

static void end_execution(enum execution_end how, uint64_t outcome)
{
    struct channel *c = rt.channel;
    struct channel_execution *x = &executions[c->execution_count];

    x->event_count = c->event_count - x->first_event;
    x->object_count = c->object_count - x->first_object;
    x->outcome = outcome;
    x->output_hash = hash_output();
    x->end = how;
    if (how == END_FAILED)
        x->failure = c->failure;
    c->execution_count++;
    if (c->execution_count >= CHANNEL_EXECUTIONS_MAX ||
        c->event_count >= ENOUGH_EVENTS ||
        c->object_count >= CHANNEL_OBJECTS_MAX / 2)
        c->full = 1;
}

void record_end(enum execution_end how, uint64_t outcome)
{
    struct channel_execution *x = &executions[rt.channel->execution_count];

    if (!rt.tracing)
        return;
    end_execution(how, outcome);
    if (rt.view.log && !rt.model->delays_stores)
        x->unlike = !trace_is_log(&events[x->first_event], x->event_count);
}

void record_taken(enum decision_kind kind, uint32_t number)
{
    if (rt.channel->recorded_count < CHANNEL_SCHEDULE_MAX)
        decisions[rt.channel->recorded_count++] = DECISION(kind, number);
}

/* ---- Objects ---- */

/* The global at an address, as found before: 1 + its number, NONE, or 0 if
 * nobody has asked for what is kept there.  Globals do not move. */
#define GLOBALS_KEPT 4096u
#define NO_GLOBAL UINT32_MAX

static struct {
    uint64_t address;
    uint32_t number;
} kept_globals[GLOBALS_KEPT];

static uint32_t find_global(uint64_t address)
{
    for (uint64_t i = 0; i < __fencer_program.global_count; i++) {
        const struct fencer_global *g = &__fencer_program.globals[i];

        if (address - (uint64_t)g->address < g->size)
            return (uint32_t)i + 1;
    }
    return NO_GLOBAL;
}

static bool global_at(uint64_t address, struct object_record *o)
{
    uint32_t at = (uint32_t)(address ^ address >> 12) % GLOBALS_KEPT;
    const struct fencer_global *g;

    if (kept_globals[at].address != address || !kept_globals[at].number) {
        kept_globals[at].address = address;
        kept_globals[at].number = find_global(address);
    }
    if (kept_globals[at].number == NO_GLOBAL)
        return false;
    g = &__fencer_program.globals[kept_globals[at].number - 1];
    *o = (struct object_record){.kind = OBJECT_GLOBAL,
                                .number = kept_globals[at].number - 1,
                                .address = (uint64_t)g->address,
                                .size = g->size};
    return true;
}

static bool heap_at(uint64_t address, struct object_record *o)
{
    const struct heap_block *b = heap_block_at(address);

    if (!b || address >= b->address + b->size)
        return rt.graphs && native_block_at(address, o);
    *o = (struct object_record){.kind = OBJECT_HEAP,
                                .number = b->number,
                                .site = b->site,
                                .thread = b->thread,
                                .address = b->address,
                                .size = b->size};
    return true;
}

static bool fiber_at(uint64_t address, struct object_record *o)
{
    uint64_t id = (address - FIBER_AT) / FIBER_SIZE;
    uint64_t start = FIBER_AT + id * FIBER_SIZE;

    if (address - FIBER_AT >= FIBER_SIZE * RT_MAX_THREADS)
        return false;
    *o = (struct object_record){.kind = OBJECT_STACK,
                                .number = (uint32_t)id,
                                .thread = (uint32_t)id,
                                .address = start,
                                .size = FIBER_SIZE};
    if (address >= (uint64_t)rt.threads[id].tls) {
        o->kind = OBJECT_TLS;
        o->address = (uint64_t)rt.threads[id].tls;
    }
    return true;
}

/* Where that object is, or is to be, in the table of this execution's objects.
 */
static uint32_t *object_place(const struct object_record *o)
{
    uint64_t h = (o->address * 31 + o->number) * 0x9e3779b97f4a7c15ull ^
                 (uint64_t)o->kind << 40;
    uint32_t i = (uint32_t)(h >> 40) & (OBJECT_PLACES - 1);

    while (object_places[i] &&
           memcmp(&objects[first_object + object_places[i]], o, sizeof *o) != 0)
        i = (i + 1) & (OBJECT_PLACES - 1);
    return &object_places[i];
}

/* Those beyond the table's half have no name. */
static uint32_t object_of(uint64_t address, uint64_t *offset)
{
    struct object_record o = {.kind = OBJECT_OTHER, .address = 0};
    uint64_t count = rt.channel->object_count;
    uint32_t *place;

    if (!address)
        return 0;
    if (!global_at(address, &o) && !heap_at(address, &o))
        fiber_at(address, &o);
    *offset = address - o.address;
    place = object_place(&o);
    if (*place)
        return *place;
    if (count >= CHANNEL_OBJECTS_MAX || object_place_count == OBJECT_PLACES / 2)
        return 0;
    objects[count] = o;
    rt.channel->object_count++;
    used_places[object_place_count++] = (uint32_t)(place - object_places);
    return *place = (uint32_t)(count - first_object);
}

/* ---- Events ---- */

uint32_t record_event(const struct thread *t, struct event *e, uint64_t address)
{
    uint64_t number = rt.channel->event_count;

    if (!rt.tracing)
        return 0;
    if (number >= room_end && e->kind != EV_FAIL && e->kind != EV_STUCK) {
        rt.channel->events_lost++;
        if (!rt.untold)
            sched_end_trace();
        return 0;
    }
    MUST(t->id < rt.thread_count && e->kind < EV_KIND_COUNT);
    e->thread = (uint16_t)t->id;
    e->index = t == rt.current ? __fencer_count : t->clock;
    e->object = object_of(address, &e->offset);
    if (memory_is_ghost(address))
        e->flags |= EVF_GHOST;
    events[number] = *e;
    rt.channel->event_count++;
    if (number - first_event >= DROPS_FROM && !rt.view.log)
        drop_round(repeated_round(number));
    return record_last();
}

void record_told_begin(void)
{
    struct channel *c = rt.channel;

    c->execution_count = 0;
    first_event = c->event_count = 0;
    first_object = 0;
    forget_objects();
    c->object_count = 1;
    objects[0] = (struct object_record){.kind = OBJECT_NONE};
}

void record_told_forget(void)
{
    rt.channel->execution_count = rt.channel->full = 0;
}

void record_told_next(void)
{
    struct channel *c = rt.channel;

    forget_objects();
    begin_execution(c->execution_count);
}

void record_told_end(enum execution_end how, uint64_t outcome)
{
    printed_count = 0;
    end_execution(how, outcome);
}

uint32_t record_told(struct event *e, uint64_t address)
{
    MUST(rt.channel->event_count < CHANNEL_EVENTS_MAX);
    e->object = object_of(address, &e->offset);
    events[rt.channel->event_count++] = *e;
    return record_last();
}

void record_place(uint32_t site)
{
    struct event *last = &events[rt.channel->event_count - 1];

    if (rt.tracing && rt.channel->event_count && last->kind == EV_FAIL)
        last->site = site;
}

uint32_t record_last(void)
{
    return (uint32_t)(rt.channel->event_count - first_event);
}

void record_co(uint32_t event, uint32_t co)
{
    if (event)
        events[first_event + event - 1].co = co;
}

static struct writer *find_writer(uint64_t address)
{
    uint32_t i =
        (uint32_t)(address * 0x9e3779b97f4a7c15ull >> 40) & (WRITERS - 1);

    while (writers[i].address && writers[i].address != address)
        i = (i + 1) & (WRITERS - 1);
    return &writers[i];
}

uint32_t record_writer(uint64_t address)
{
    return find_writer(address)->event;
}

uint32_t record_writer_before(uint64_t address)
{
    const struct writer *w = find_writer(address);

    return w->epoch == history_epoch() ? w->before : w->event;
}

uint32_t record_wrote(uint64_t address, unsigned size, uint32_t event)
{
    uint32_t co = 0;

    for (unsigned i = 0; i < size; i++) {
        struct writer *w = find_writer(address + i);

        if (!w->address && writer_count == WRITERS / 2)
            return 0;
        MUST(w->address || writer_count < WRITERS / 2);
        if (!w->address)
            used_writers[writer_count++] = (uint32_t)(w - writers);
        w->address = address + i;
        if (w->epoch != history_epoch()) {
            w->epoch = history_epoch();
            w->before = w->event;
        }
        w->event = event;
        w->co++;
        if (w->co > co)
            co = w->co;
    }
    return co;
}

/* Kinds that a spin loop may repeat without anything having changed. */
static bool is_quiet(enum event_kind kind)
{
    return kind == EV_LOAD || kind == EV_CAS_FAIL || kind == EV_LOCK_FAIL ||
           kind == EV_YIELD || kind == EV_AWAIT ||
           (kind == EV_FENCE && !rt.current->buffered);
}

/* What it read from, and its place in the coherence order, where it has a
 * place in memory. */
static void trace(const struct thread *t, struct event *e, uint64_t address)
{
    uint32_t number;

    if (e->size && event_reads(e))
        e->from = record_writer(address);
    number = record_event(t, e, address);
    if (e->size && event_writes(e))
        record_co(number, record_wrote(address, e->size, number));
}

void rt_event(enum event_kind kind, const void *address, unsigned size,
              uint64_t value, uint32_t flags, uint32_t site)
{
    struct thread *t = rt.current;
    struct event e = {.kind = kind,
                      .size = (uint8_t)size,
                      .flags = flags,
                      .site = site,
                      .value = value};

    __fencer_count++;
    if (!is_quiet(kind))
        record_effect(t);
    if (kind == EV_LOCK_FAIL)
        record_read(t, (uint64_t)address, 4, *(const uint32_t *)address);
    if (rt.tracing)
        trace(t, &e, (uint64_t)address);
}
