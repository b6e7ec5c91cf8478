/* SPDX-License-Identifier: MIT
 *
 * Where the value that a step read came from, in words.  Where accesses differ
 * in size its bytes may have come from several writes.
 */
#include "report/steps.h"

#include <string.h>

#include "model/model.h"

#define BYTES_MAX 16
#define LOOK_BACK 4096 /* events; what is further away counts as initial */

static uint64_t left_in_memory(const struct event *ev)
{
    return ev->kind == EV_RMW ? ev->wrote : ev->value;
}

/* The newest write to exactly this place before event i, or NULL. */
static const struct event *newest_write(const struct trace *t, size_t i)
{
    const struct event *ev = &t->events[i];

    for (size_t k = i; k-- > 0;) {
        const struct event *w = &t->events[k];

        if (event_writes(w) && w->object == ev->object &&
            w->offset == ev->offset && w->size == ev->size)
            return w;
    }
    return NULL;
}

static void put_stale(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *w = newest_write(t, i);

    buf_puts(out, "; older value: memory already holds ");
    if (w)
        trace_value(t, left_in_memory(w), w->size, out);
    else
        buf_puts(out, "a newer one");
}

static const char *writer_words(const struct event *w)
{
    switch (w->kind) {
    case EV_COMMIT:
        return "store";
    case EV_RMW:
        return "RMW";
    default:
        return event_kind_words(w->kind);
    }
}

static bool touches(const struct event *w, const struct event *ev,
                    unsigned byte)
{
    return w->object == ev->object && ev->offset + byte - w->offset < w->size;
}

/* Does the store of event k still wait when step i comes? */
static bool waits(const struct trace *t, size_t k, size_t i)
{
    const struct event *w = &t->events[k];

    if (w->kind != EV_STORE || !(w->flags & EVF_BUFFERED))
        return false;
    while (++k < i)
        if (t->events[k].kind == EV_COMMIT &&
            t->events[k].from == (uint32_t)(w - t->events) + 1)
            return false;
    return true;
}

static void put_writer(const struct trace *t, const struct event *ev,
                       const struct event *w, struct buf *out)
{
    if (w->thread != ev->thread)
        buf_printf(out, "from T%u's %s", w->thread, writer_words(w));
    else if (waits(t, (size_t)(w - t->events), (size_t)(ev - t->events)))
        buf_puts(out, "from own buffer, store");
    else
        buf_printf(out, "from own %s", writer_words(w));
    const struct fencer_site *there = &t->sites[w->site];

    if (!w->site)
        buf_printf(out, " at step %zu", (size_t)(w - t->events) + 1);
    else if (strcmp(there->file, t->sites[ev->site].file) == 0)
        buf_printf(out, " at line %u", there->line);
    else
        buf_printf(out, " at %s:%u", steps_file(there), there->line);
}

/* ---- Bytes of different sources ---- */

/* Number + 1 of the event that this byte of step i came from, 0: none of those
 * that are looked at. */
static size_t source_of(const struct trace *t, size_t i, unsigned byte)
{
    const struct event *ev = &t->events[i];
    bool forwards = ev->flags & EVF_FORWARDED;
    size_t in_memory = 0;

    for (size_t k = i; k-- > 0 && i - k <= LOOK_BACK;) {
        const struct event *w = &t->events[k];

        if (!touches(w, ev, byte))
            continue;
        if (forwards && w->thread == ev->thread && waits(t, k, i))
            return k + 1;
        if (event_writes(w) && !in_memory)
            in_memory = k + 1;
        if (in_memory && !forwards)
            break;
    }
    return in_memory;
}

/* Was the value what a buffer or memory held?  Else only the event knows. */
static bool is_of_the_moment(const struct trace *t, const struct event *ev)
{
    const struct model *m = model_find(t->model);

    return m && model_has_machine(m) && !(ev->flags & EVF_STALE);
}

/* The different sources of its bytes, in their order. */
static unsigned find_sources(const struct trace *t, size_t i, size_t *sources)
{
    const struct event *ev = &t->events[i];
    unsigned count = 0;

    for (unsigned byte = 0; byte < ev->size && byte < BYTES_MAX; byte++) {
        size_t source = source_of(t, i, byte);
        unsigned k = 0;

        while (k < count && sources[k] != source)
            k++;
        if (k == count)
            sources[count++] = source;
    }
    return count;
}

static void put_sources(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];
    size_t sources[BYTES_MAX];
    unsigned count = is_of_the_moment(t, ev) ? find_sources(t, i, sources) : 1;

    if (count <= 1)
        sources[0] = ev->from;
    for (unsigned k = 0; k < count || k == 0; k++) {
        buf_puts(out, k ? " and " : "");
        if (sources[k])
            put_writer(t, ev, &t->events[sources[k] - 1], out);
        else
            buf_puts(out, "initial value");
    }
}

void steps_source(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];

    put_sources(t, i, out);
    if (ev->flags & EVF_STALE)
        put_stale(t, i, out);
    if (ev->from > i + 1)
        buf_printf(out, ", step %u: the load takes effect after that",
                   ev->from);
    if (ev->flags & EVF_ALPHA)
        buf_puts(out, ", and before the load that its address depends on");
}
