/* SPDX-License-Identifier: MIT
 *
 * For the tests of src/test/predict: executions made by hand or at random,
 * written down as the runtime would, with what really happened beside them (who
 * read what, the order of writes, when things took effect), and docs/cycles.md
 * by plain enumeration over that.  Shares no code with src/test/predict.
 */
#ifndef UNIT_PREDICT_PLAY_H
#define UNIT_PREDICT_PLAY_H

#include <stdio.h>
#include <string.h>

#include "event/channel.h"
#include "predict/predict.h"

#define PLAY_BYTES 64
#define PLAY_EVENTS 128
#define PLAY_THREADS 8
#define PLAY_SITES 64
#define PLAY_KEY 256

/* Object 1 is data; 2 and up are locks and the like. */
#define PLAY_DATA 1
#define PLAY_OBJECTS 8

/* What is true of an event that is an access. */
struct play_access {
    bool is_one, reads, writes;
    int position[16]; /* in the byte's co, from 1; of a write */
    int source[16];   /* event it read; -1: the initial value */
    int effect;       /* two moments for each event */
};

struct play {
    struct trace trace;
    struct event events[PLAY_EVENTS];
    struct trace_object objects[PLAY_OBJECTS];
    struct trace_thread threads[PLAY_THREADS];
    struct fencer_site sites[PLAY_SITES];
    struct play_access truth[PLAY_EVENTS];
    int co[PLAY_BYTES][PLAY_EVENTS]; /* writes of each byte, oldest first */
    int landed[PLAY_BYTES][PLAY_EVENTS];
    int co_count[PLAY_BYTES];
    int buffer[PLAY_THREADS][PLAY_EVENTS];
    int buffered[PLAY_THREADS];
    uint64_t values; /* each write has its own */
};

/* ---- Playing ---- */

static inline void play_begin(struct play *p, const char *model)
{
    memset(p, 0, sizeof(*p));
    p->trace = (struct trace){.program = "play",
                              .model = model,
                              .strategy = "random",
                              .sites = p->sites,
                              .site_count = PLAY_SITES,
                              .objects = p->objects,
                              .object_count = PLAY_OBJECTS,
                              .threads = p->threads,
                              .thread_count = PLAY_THREADS,
                              .events = p->events};
    for (int i = 0; i < PLAY_SITES; i++)
        p->sites[i] = (struct fencer_site){.file = "play.c",
                                           .dir = "",
                                           .function = "f",
                                           .name = "x",
                                           .line = (uint32_t)i};
    for (int i = 0; i < PLAY_OBJECTS; i++)
        p->objects[i] =
            (struct trace_object){.kind = OBJECT_GLOBAL,
                                  .address = (uint64_t)(4096 * (i + 1)),
                                  .size = PLAY_BYTES,
                                  .name = "data",
                                  .fields = ""};
    for (uint32_t i = 0; i < PLAY_THREADS; i++)
        p->threads[i].parent = i;
}

static inline int play_event(struct play *p, struct event e)
{
    int n = (int)p->trace.event_count++;

    e.index = p->threads[e.thread].events++;
    p->events[n] = e;
    return n;
}

static inline int play_access(struct play *p, enum event_kind kind, int thread,
                              int site, int at, int size, uint32_t flags)
{
    int n = play_event(p, (struct event){.kind = (uint8_t)kind,
                                         .size = (uint8_t)size,
                                         .thread = (uint16_t)thread,
                                         .site = (uint32_t)site,
                                         .object = PLAY_DATA,
                                         .offset = (uint64_t)at,
                                         .flags = flags});

    p->truth[n] =
        (struct play_access){.is_one = true,
                             .reads = kind != EV_STORE,
                             .writes = kind == EV_STORE || kind == EV_RMW,
                             .effect = 2 * n + 1};
    return n;
}

static inline void play_land(struct play *p, int store, int when)
{
    const struct event *e = &p->events[store];

    p->truth[store].effect = 2 * when + 1;
    for (int i = 0; i < e->size; i++) {
        int byte = (int)e->offset + i, n = p->co_count[byte]++;

        p->co[byte][n] = store;
        p->landed[byte][n] = when;
        p->truth[store].position[i] = n + 1;
    }
}

static inline int play_store(struct play *p, int thread, int site, int at,
                             int size, bool buffered)
{
    int n = play_access(p, EV_STORE, thread, site, at, size,
                        buffered ? EVF_BUFFERED : 0);

    p->events[n].value = ++p->values * 0x0101010101010101ull;
    if (buffered)
        p->buffer[thread][p->buffered[thread]++] = n;
    else
        play_land(p, n, n);
    return n;
}

static inline void play_commit(struct play *p, int store)
{
    struct event e = p->events[store];
    int *list = p->buffer[e.thread], *count = &p->buffered[e.thread], i = 0;

    while (list[i] != store)
        i++;
    --*count;
    memmove(&list[i], &list[i + 1], (size_t)(*count - i) * sizeof(*list));
    e.kind = EV_COMMIT;
    e.from = (uint32_t)store + 1;
    play_land(p, store, play_event(p, e));
}

/* Per byte from the own buffer, else what memory was at that moment. */
static inline void play_read(struct play *p, int n, int moment)
{
    struct event *e = &p->events[n];
    int last = -1; /* when the byte that was written last was */

    for (int i = 0; i < e->size; i++) {
        int byte = (int)e->offset + i, from = -1;

        for (int k = p->buffered[e->thread]; k-- > 0 && from < 0;) {
            const struct event *s = &p->events[p->buffer[e->thread][k]];

            if ((uint64_t)byte - s->offset < s->size)
                from = p->buffer[e->thread][k];
        }
        if (from >= 0) {
            e->flags |= EVF_FORWARDED;
        } else {
            for (int k = 0; k < p->co_count[byte]; k++)
                if (p->landed[byte][k] < moment) {
                    from = p->co[byte][k];
                    if (p->landed[byte][k] > last)
                        e->from = (uint32_t)(from + 1);
                    if (p->landed[byte][k] > last)
                        last = p->landed[byte][k];
                }
        }
        p->truth[n].source[i] = from;
        if (from >= 0 && i < 8)
            ((uint8_t *)&e->value)[i] = (uint8_t)(p->events[from].kind == EV_RMW
                                                      ? p->events[from].wrote
                                                      : p->events[from].value);
    }
}

static inline int play_load(struct play *p, int thread, int site, int at,
                            int size)
{
    int n = play_access(p, EV_LOAD, thread, site, at, size, 0);

    play_read(p, n, n);
    return n;
}

/* Memory as it was before the last change but `back` of a byte of it. */
static inline int play_stale(struct play *p, int thread, int site, int at,
                             int size, int back)
{
    int n = play_access(p, EV_LOAD, thread, site, at, size, 0), moment = n;

    for (int k = 0; k <= back; k++) {
        int latest = -1;

        for (int i = 0; i < size; i++)
            for (int c = 0; c < p->co_count[at + i]; c++)
                if (p->landed[at + i][c] < moment &&
                    p->landed[at + i][c] > latest)
                    latest = p->landed[at + i][c];
        if (latest >= 0)
            moment = latest;
    }
    play_read(p, n, moment);
    if (moment < n && !(p->events[n].flags & EVF_FORWARDED)) {
        p->events[n].flags |= EVF_STALE;
        p->truth[n].effect = 2 * moment;
    } else {
        p->events[n].flags &= ~(uint32_t)EVF_FORWARDED;
        play_read(p, n, n);
    }
    return n;
}

static inline int play_rmw(struct play *p, int thread, int site, int at,
                           int size)
{
    int n;

    while (p->buffered[thread])
        play_commit(p, p->buffer[thread][0]);
    n = play_access(p, EV_RMW, thread, site, at, size, ORDER_RELAXED);
    play_read(p, n, n);
    p->events[n].wrote = ++p->values * 0x0101010101010101ull;
    play_land(p, n, n);
    return n;
}

/* Synchronisation and fences; no access. */
static inline int play_other(struct play *p, enum event_kind kind, int thread,
                             int object, uint64_t value, uint32_t flags)
{
    return play_event(p, (struct event){.kind = (uint8_t)kind,
                                        .size = object ? 8 : 0,
                                        .thread = (uint16_t)thread,
                                        .object = (uint32_t)object,
                                        .value = value,
                                        .flags = flags});
}

/* What is still buffered goes to memory after the end, oldest first. */
static inline void play_end(struct play *p)
{
    int when = (int)p->trace.event_count;

    for (int n = 0; n < (int)p->trace.event_count; n++)
        for (int t = 0; t < PLAY_THREADS; t++)
            for (int k = 0; k < p->buffered[t]; k++)
                if (p->buffer[t][k] == n)
                    play_land(p, n, when++);
    memset(p->buffered, 0, sizeof(p->buffered));
}

/* ---- docs/cycles.md, word by word ---- */

static inline bool play_overlap(const struct play *p, int e, int f)
{
    const struct event *x = &p->events[e], *y = &p->events[f];

    return x->offset < y->offset + y->size && y->offset < x->offset + x->size;
}

static inline bool play_conflict(const struct play *p, int e, int f)
{
    return p->events[e].thread != p->events[f].thread &&
           play_overlap(p, e, f) && (p->truth[e].writes || p->truth[f].writes);
}

static inline int play_position(const struct play *p, int write, int byte)
{
    if (write < 0)
        return 0;
    return p->truth[write].position[byte - (int)p->events[write].offset];
}

/* Conflict order. */
static inline bool play_before(const struct play *p, int e, int f)
{
    const struct event *x = &p->events[e], *y = &p->events[f];

    if (!play_conflict(p, e, f))
        return false;
    for (int byte = 0; byte < PLAY_BYTES; byte++) {
        int in_x = byte - (int)x->offset, in_y = byte - (int)y->offset;

        if (in_x < 0 || in_x >= x->size || in_y < 0 || in_y >= y->size)
            continue;
        if (p->truth[e].writes && p->truth[f].writes &&
            play_position(p, e, byte) < play_position(p, f, byte))
            return true;
        if (p->truth[e].reads && p->truth[f].writes &&
            play_position(p, p->truth[e].source[in_x], byte) <
                play_position(p, f, byte))
            return true;
        if (p->truth[e].writes && p->truth[f].reads) {
            int source = p->truth[f].source[in_y];

            if (source == e)
                return true;
            if (source >= 0 && p->events[source].thread != y->thread &&
                play_position(p, e, byte) < play_position(p, source, byte))
                return true;
        }
    }
    return false;
}

struct play_cycle {
    int length;
    int events[16];
    bool pair[16]; /* events i and i + 1 are a pair */
};

typedef bool play_edge_fn(const struct play *p, int e, int f);
typedef void play_found_fn(const struct play *p, const struct play_cycle *c,
                           void *context);

static inline bool play_is_pair(const struct play *p, int e, int f)
{
    return p->events[e].thread == p->events[f].thread && e < f &&
           !play_overlap(p, e, f);
}

static inline bool play_is_critical(const struct play *p,
                                    const struct play_cycle *c,
                                    play_edge_fn *edge)
{
    int n = c->length;

    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;

        if (c->pair[i] && !play_is_pair(p, c->events[i], c->events[next]))
            return false;
        if (!c->pair[i] && !edge(p, c->events[i], c->events[next]))
            return false;
        for (int k = i + 1; k < n; k++) {
            bool neighbours = k == i + 1 || (i == 0 && k == n - 1);
            bool in_pair = (k == i + 1 && c->pair[i]) ||
                           (i == 0 && k == n - 1 && c->pair[k]);

            if (p->events[c->events[i]].thread ==
                    p->events[c->events[k]].thread &&
                !in_pair)
                return false;
            if (!neighbours && play_conflict(p, c->events[i], c->events[k]))
                return false;
        }
    }
    return true;
}

static inline void play_extend(const struct play *p, struct play_cycle *c,
                               int max_length, play_edge_fn *edge,
                               play_found_fn *found, void *context)
{
    int n = c->length;

    if (n >= 4 && play_is_critical(p, c, edge))
        found(p, c, context);
    if (n == max_length)
        return;
    for (int x = 0; x < (int)p->trace.event_count; x++)
        for (int pair = 0; pair < 2; pair++) {
            bool seen = false;

            if (!p->truth[x].is_one)
                continue;
            for (int i = 0; i < n; i++)
                seen |= c->events[i] == x;
            if (seen)
                continue;
            if (n && pair && !play_is_pair(p, c->events[n - 1], x))
                continue;
            if (n && !pair && !edge(p, c->events[n - 1], x))
                continue;
            if (!n && pair)
                continue;
            if (n)
                c->pair[n - 1] = pair;
            c->pair[n] = false;
            c->events[n] = x;
            c->length = n + 1;
            play_extend(p, c, max_length, edge, found, context);
            c->length = n;
            if (n)
                c->pair[n - 1] = false;
        }
}

/* Every instance of every critical cycle, from every place it may begin at. */
static inline void play_enumerate(const struct play *p, int max_length,
                                  play_edge_fn *edge, play_found_fn *found,
                                  void *context)
{
    struct play_cycle c = {0};

    play_extend(p, &c, max_length, edge, found, context);
}

static inline void play_put(char *key, uint32_t site, char role)
{
    sprintf(key + strlen(key), "%02u%c ", site, role);
}

/* "siterole siterole ...", roles a: alone, f, s: of a pair, from there on. */
static inline void play_key(const struct play *p, const struct play_cycle *c,
                            char *key)
{
    *key = '\0';
    for (int i = 0; i < c->length; i++) {
        int before = (i + c->length - 1) % c->length;

        play_put(key, p->events[c->events[i]].site,
                 c->pair[i]        ? 'f'
                 : c->pair[before] ? 's'
                                   : 'a');
    }
}

static inline void play_key_of(const struct cycle *c, char *key)
{
    *key = '\0';
    for (uint32_t i = 0; i < c->length; i++)
        play_put(key, c->nodes[i].site, "afs"[c->nodes[i].pair]);
}

/* ---- Threads, fences, and accesses of any kind ---- */

static inline int play_access_as(struct play *p, enum event_kind kind,
                                 int thread, int site, int at, uint32_t flags)
{
    int n = kind == EV_STORE ? play_store(p, thread, site, at, 4, false)
            : kind == EV_RMW ? play_rmw(p, thread, site, at, 4)
                             : play_load(p, thread, site, at, 4);

    p->events[n].kind = (uint8_t)kind;
    p->events[n].flags = flags;
    return n;
}

static inline void play_create(struct play *p, int parent, int child)
{
    p->threads[child].parent = (uint32_t)parent;
    play_other(p, EV_CREATE, parent, 0, (uint64_t)child, 0);
    play_other(p, EV_START, child, 0, (uint64_t)child, 0);
}

static inline void play_join(struct play *p, int thread, int child)
{
    play_other(p, EV_EXIT, child, 0, (uint64_t)child, 0);
    play_other(p, EV_JOIN, thread, 0, (uint64_t)child, 0);
}

static inline void play_fence(struct play *p, int thread,
                              enum event_order order, unsigned bits)
{
    play_other(p, EV_FENCE, thread, 0, 0,
               (uint32_t)order | bits << EVF_FENCE_SHIFT);
}

#endif
