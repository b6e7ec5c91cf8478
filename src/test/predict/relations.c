/* SPDX-License-Identifier: MIT
 *
 * One walk through the trace with what the machine had: the store buffers, and
 * for each byte the list of writes that reached it.  co of a byte is the order
 * of those; a load's source is the newest own store in the buffer over the
 * byte if it was forwarded, an older write if it was stale, else the last one.
 *
 * A trace may end early, at a failure, with stores still buffered.  They are
 * taken to commit after its end in the order of issue, which every model
 * allows: the cycle that such a store closes is as real as the failure.
 */
#include "predict/relations.h"

#include <string.h>

#include "base/check.h"
#include "model/model.h"
#include "predict/language.h"

/* A write that reached a byte. */
struct landed {
    uint32_t access;
    uint32_t older; /* number + 1, 0: none */
    uint32_t position;
    uint64_t at; /* event */
};

/* Accesses whose stores wait, oldest first. */
struct buffer {
    VEC(uint32_t);
    size_t first; /* those before it have landed after the end */
};

struct walk {
    const struct trace *t;
    struct relations *r;
    struct arena scratch;
    struct map newest; /* per byte: number + 1 of its last landed */
    VEC(struct landed) landed;
    struct buffer *buffers; /* per thread */
};

static uint8_t byte_of(uint64_t value, unsigned i)
{
    return i < 8 ? (uint8_t)(value >> 8 * i) : 0;
}

/* ---- Writes ---- */

static void land(struct walk *w, uint32_t access, uint64_t at)
{
    const struct access *a = &w->r->accesses.list[access];

    w->r->effect[access] = 2 * at + 1;
    for (unsigned i = 0; i < a->size; i++) {
        uint64_t *newest = map_put(&w->newest, a->address + i);
        uint32_t before =
            *newest ? VEC_AT(&w->landed, *newest - 1).position : 0;

        VEC_PUSH_IN(&w->scratch, &w->landed,
                    {access, (uint32_t)*newest, before + 1, at});
        *newest = w->landed.count;
        w->r->position[w->r->first[access] + i] = before + 1;
    }
}

/* The store of that COMMIT leaves its buffer for memory. */
static void commit(struct walk *w, const struct event *e, uint64_t at)
{
    uint32_t access =
        e->from ? w->r->accesses.of_event[e->from - 1] : ACCESS_NONE;
    struct buffer *b = &w->buffers[e->thread];
    size_t i = 0;

    if (access == ACCESS_NONE)
        return; /* of an object, or to memory nobody shares */
    while (i < b->count && b->list[i] != access)
        i++;
    if (i == b->count)
        return;
    b->count--;
    memmove(&b->list[i], &b->list[i + 1], (b->count - i) * sizeof(*b->list));
    land(w, access, at);
}

/* What is still buffered lands after the end. */
static void commit_rest(struct walk *w)
{
    uint64_t at = w->t->event_count;

    for (;; at++) {
        struct buffer *best = NULL;

        for (size_t i = 0; i < w->t->thread_count; i++) {
            struct buffer *b = &w->buffers[i];

            if (b->first < b->count &&
                (!best || b->list[b->first] < best->list[best->first]))
                best = b;
        }
        if (!best)
            return;
        land(w, best->list[best->first++], at);
    }
}

/* ---- Reads ---- */

/* The newest own store in the buffer over that byte, or ACCESS_NONE. */
static uint32_t forwarded(const struct walk *w, uint16_t thread,
                          uint64_t address)
{
    for (size_t i = w->buffers[thread].count; i-- > 0;) {
        uint32_t access = w->buffers[thread].list[i];
        const struct access *s = &w->r->accesses.list[access];

        if (address - s->address < s->size)
            return access;
    }
    return ACCESS_NONE;
}

/* Memory as a stale load may have seen it: per byte the landed write. */
struct view {
    uint32_t of[ACCESS_BYTES];
    uint64_t replaced; /* event that ended it */
};

/* One change of a needed byte further back.  False: there is none. */
static bool look_back(const struct walk *w, unsigned size, uint32_t need,
                      struct view *v)
{
    uint64_t latest = 0;
    bool any = false;

    for (unsigned i = 0; i < size; i++)
        if (need >> i & 1 && v->of[i] &&
            (!any || w->landed.list[v->of[i] - 1].at > latest)) {
            latest = w->landed.list[v->of[i] - 1].at;
            any = true;
        }
    if (!any)
        return false;
    for (unsigned i = 0; i < size; i++)
        if (need >> i & 1 && v->of[i] &&
            w->landed.list[v->of[i] - 1].at == latest)
            v->of[i] = w->landed.list[v->of[i] - 1].older;
    v->replaced = latest;
    return true;
}

static uint64_t left_by(const struct event *e)
{
    return e->kind == EV_RMW ? e->wrote : e->value;
}

/* Would the load have got its value from there?  What memory held before the
 * first write is not known, so that any value will do. */
static bool values_fit(const struct walk *w, const struct event *e,
                       const struct access *a, uint32_t need,
                       const struct view *v)
{
    for (unsigned i = 0; i < e->size && i < 8; i++) {
        const struct access *s;

        if (!(need >> i & 1) || !v->of[i])
            continue;
        s = &w->r->accesses.list[w->landed.list[v->of[i] - 1].access];
        if (byte_of(e->value, i) !=
            byte_of(left_by(&w->t->events[s->event]),
                    (unsigned)(a->address + i - s->address)))
            return false;
    }
    return true;
}

static bool writer_fits(const struct walk *w, const struct event *e,
                        uint32_t need, const struct view *v)
{
    const struct landed *last = NULL;

    for (; need; need &= need - 1) {
        uint32_t n = v->of[__builtin_ctz(need)];

        if (n && (!last || w->landed.list[n - 1].at > last->at))
            last = &w->landed.list[n - 1];
    }
    return (last ? w->r->accesses.list[last->access].event + 1 : 0) == e->from;
}

/* The latest past moment at which the first byte that came from memory had the
 * writer that the event names, and all of them the value that was loaded. */
static void find_stale(const struct walk *w, const struct event *e,
                       const struct access *a, uint32_t need, struct view *v)
{
    struct view at = *v, by_value = *v, by_writer = *v;
    bool has_value = false, has_writer = false;

    while (look_back(w, a->size, need, &at)) {
        bool value = values_fit(w, e, a, need, &at);
        bool writer = writer_fits(w, e, need, &at);

        if (value && writer) {
            *v = at;
            return;
        }
        if (value && !has_value)
            by_value = at;
        if (writer && !has_writer)
            by_writer = at;
        has_value |= value;
        has_writer |= writer;
    }
    *v = has_writer ? by_writer : has_value ? by_value : *v;
}

static void read(struct walk *w, uint32_t access, const struct event *e)
{
    const struct access *a = &w->r->accesses.list[access];
    uint32_t *source = &w->r->source[w->r->first[access]];
    uint32_t need = 0;
    struct view v = {.replaced = UINT64_MAX};

    w->r->effect[access] = 2 * (uint64_t)a->event + 1;
    for (unsigned i = 0; i < a->size; i++) {
        source[i] = ACCESS_NONE;
        if (e->flags & EVF_FORWARDED)
            source[i] = forwarded(w, a->thread, a->address + i);
        if (source[i] != ACCESS_NONE)
            continue;
        need |= 1u << i;
        v.of[i] = (uint32_t)*map_put(&w->newest, a->address + i);
    }
    if (e->flags & EVF_STALE && need)
        find_stale(w, e, a, need, &v);
    if (v.replaced != UINT64_MAX)
        w->r->effect[access] = 2 * v.replaced;
    for (unsigned i = 0; i < a->size; i++)
        if (need >> i & 1 && v.of[i])
            source[i] = w->landed.list[v.of[i] - 1].access;
}

/* ---- The walk ---- */

static void step(struct walk *w, size_t i)
{
    const struct event *e = &w->t->events[i];
    uint32_t access = w->r->accesses.of_event[i];

    if (e->kind == EV_COMMIT) {
        commit(w, e, i);
        return;
    }
    if (access == ACCESS_NONE)
        return;
    if (w->r->accesses.list[access].reads)
        read(w, access, e);
    if (e->flags & EVF_BUFFERED && !w->r->accesses.list[access].reads)
        VEC_PUSH_IN(&w->scratch, &w->buffers[e->thread], access);
    else if (w->r->accesses.list[access].writes)
        land(w, access, i);
}

static void allocate(struct walk *w, struct arena *a)
{
    struct relations *r = w->r;
    uint32_t bytes = 0;

    r->effect = arena_array(a, r->accesses.count, sizeof(*r->effect));
    r->first = arena_array(a, r->accesses.count, sizeof(*r->first));
    for (uint32_t i = 0; i < r->accesses.count; i++) {
        CHECK(r->accesses.list[i].size <= ACCESS_BYTES);
        r->first[i] = bytes;
        bytes += r->accesses.list[i].size;
    }
    r->position = arena_array(a, bytes, sizeof(*r->position));
    r->source = arena_array(a, bytes, sizeof(*r->source));
    VEC_FIT_IN(&w->scratch, &w->landed, bytes);
    w->buffers =
        arena_array(&w->scratch, w->t->thread_count, sizeof(*w->buffers));
}

/* ---- What nobody ran ---- */

static void take_told(struct relations *r, uint32_t access)
{
    const struct access *a = &r->accesses.list[access];
    const struct event *e = &r->t->events[a->event];
    uint32_t from = e->from ? r->accesses.of_event[e->from - 1] : ACCESS_NONE;

    r->effect[access] = e->depth;
    for (unsigned i = 0; i < a->size; i++) {
        r->position[r->first[access] + i] = a->writes ? e->co : 0;
        r->source[r->first[access] + i] = from;
    }
}

static bool is_told(const struct trace *t, bool *without_order)
{
    const struct model *m = model_find(t->model);

    /* Axioms of its own: there is no one order. */
    *without_order = m && !model_has_machine(m) && m->axioms->lets;
    return m && !model_has_machine(m);
}

void relations_build(const struct trace *t, enum access_scope scope,
                     struct arena *a, struct relations *r)
{
    struct walk w = {.t = t, .r = r, .scratch = ARENA_INIT};

    r->t = t;
    r->told = is_told(t, &r->without_order);

    w.newest = (struct map)MAP_IN(&w.scratch);
    access_collect(t, scope, a, &r->accesses);
    allocate(&w, a);
    for (uint32_t i = 0; r->told && i < r->accesses.count; i++)
        take_told(r, i);
    for (size_t i = 0; !r->told && i < t->event_count; i++)
        step(&w, i);
    commit_rest(&w);
    arena_free(&w.scratch);
}

bool relations_reordered(const struct relations *r, uint32_t e, uint32_t f)
{
    if (r->without_order)
        return !language_keeps_apart(r->t, r->accesses.list[e].event,
                                     r->accesses.list[f].event);
    return r->effect[f] < r->effect[e];
}

/* ---- Conflict order ---- */

/* Position of what access x read at that address; 0: the initial value. */
static uint32_t source_position(const struct relations *r, uint32_t x,
                                uint64_t address, uint32_t *source)
{
    const struct access *list = r->accesses.list;

    *source = r->source[r->first[x] + (address - list[x].address)];
    if (*source == ACCESS_NONE)
        return 0;
    return r->position[r->first[*source] + (address - list[*source].address)];
}

static bool before_at(const struct relations *r, uint32_t e, uint32_t f,
                      uint64_t address)
{
    const struct access *list = r->accesses.list;
    const struct access *x = &list[e], *y = &list[f];
    uint32_t at_e = r->position[r->first[e] + (address - x->address)];
    uint32_t at_f = r->position[r->first[f] + (address - y->address)];
    uint32_t source;

    if (x->writes && y->writes && at_e < at_f)
        return true;
    if (x->reads && y->writes && source_position(r, e, address, &source) < at_f)
        return true;
    if (x->writes && y->reads) {
        uint32_t read = source_position(r, f, address, &source);

        if (source == e)
            return true;
        return at_e < read && list[source].thread != y->thread;
    }
    return false;
}

bool relations_before(const struct relations *r, uint32_t e, uint32_t f)
{
    const struct access *x = &r->accesses.list[e], *y = &r->accesses.list[f];
    uint64_t low = x->address > y->address ? x->address : y->address;
    uint64_t x_end = x->address + x->size, y_end = y->address + y->size;
    uint64_t high = x_end < y_end ? x_end : y_end;

    if (!access_conflict(x, y))
        return false;
    for (uint64_t at = low; at < high; at++)
        if (before_at(r, e, f, at))
            return true;
    return false;
}
