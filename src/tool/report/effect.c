/* SPDX-License-Identifier: MIT
 *
 * One step in words: the variable, the value, where the value came from, and
 * where a store is on its way to memory.
 */
#include "report/steps.h"

#include <inttypes.h>
#include <string.h>

#include "base/words.h"

#define MESSAGE_MAX 60 /* in a row */

const char *steps_file(const struct fencer_site *site)
{
    return words_file_name(site->file);
}

/* A name as the source has it, and the memory behind it where the name alone
 * does not tell ("q->tail" is "heap#2+8" here). */
static void put_name(const struct trace *t, const struct event *ev,
                     struct buf *out)
{
    const char *name = t->sites[ev->site].name;
    struct buf place = {0};

    buf_puts(&place, "");
    if (ev->object)
        trace_place(t, ev->object, ev->offset, &place);
    if (*name == '\0')
        buf_puts(out, place.count ? place.bytes : "memory");
    else
        buf_puts(out, name);
    if (*name && place.count && strcmp(name, place.bytes) != 0 &&
        strpbrk(name, "*[>"))
        buf_printf(out, " (%s)", place.bytes);
    buf_free(&place);
}

/* A synchronisation object has no access of its own in the source: its memory
 * names it better. */
static void put_object(const struct trace *t, const struct event *ev,
                       struct buf *out)
{
    if (ev->object)
        trace_place(t, ev->object, ev->offset, out);
    else
        buf_puts(out, t->sites[ev->site].name);
}

static void put_value(const struct trace *t, const struct event *ev,
                      struct buf *out)
{
    trace_value(t, ev->value, ev->size, out);
}

static void put_read(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];

    put_name(t, ev, out);
    buf_puts(out, " is ");
    put_value(t, ev, out);
    buf_puts(out, ", ");
    steps_source(t, i, out);
    if (ev->kind == EV_CAS_FAIL)
        buf_puts(out, "; not swapped");
    if (ev->kind == EV_AWAIT)
        buf_puts(out, "; waits for another");
}

bool steps_is_prompt(const struct trace *t, size_t i)
{
    return t->events[i].kind == EV_STORE && i + 1 < t->event_count &&
           t->events[i + 1].kind == EV_COMMIT && t->events[i + 1].from == i + 1;
}

static void put_store(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];

    put_name(t, ev, out);
    buf_puts(out, " = ");
    put_value(t, ev, out);
    if (ev->flags & EVF_BUFFERED && !steps_is_prompt(t, i))
        buf_printf(out, ", buffered (%u waiting)", ev->depth);
}

static void put_commit(const struct trace *t, const struct event *ev,
                       struct buf *out)
{
    put_name(t, ev, out);
    buf_puts(out, " = ");
    put_value(t, ev, out);
    buf_puts(out, " reaches memory");
    if (ev->from)
        buf_printf(out, " (issued at step %u)", ev->from);
}

static void put_rmw(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];

    put_name(t, ev, out);
    buf_puts(out, ": ");
    put_value(t, ev, out);
    buf_puts(out, " -> ");
    trace_value(t, ev->wrote, ev->size, out);
    buf_puts(out, ", ");
    steps_source(t, i, out);
}

static void put_fence(const struct event *ev, struct buf *out)
{
    static const char *const kinds[] = {"store-store", "store-load",
                                        "load-load", "load-store", "full"};
    const char *gap = "";
    uint32_t bits = ev->flags >> EVF_FENCE_SHIFT;

    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (bits & 1u << k) {
            buf_printf(out, "%s%s", gap, kinds[k]);
            gap = ", ";
        }
    }
    if (*gap)
        buf_puts(out, " fence");
    else
        buf_printf(out, "fence (%s), nothing on this model",
                   order_words(ev->flags & EVF_ORDER));
}

static void put_sync(const struct trace *t, const struct event *ev,
                     const char *verb, struct buf *out)
{
    buf_printf(out, "%s ", verb);
    put_object(t, ev, out);
    if (ev->flags & EVF_TIMED_OUT)
        buf_puts(out, ev->flags & EVF_SPURIOUS ? ", woken by nobody"
                                               : ", timed out");
    if (ev->flags & EVF_BUFFERED)
        buf_printf(out, ", buffered (%u waiting)", ev->depth);
}

/* A long message stands in the headline already. */
static void put_failure(const struct trace *t, struct buf *out)
{
    size_t n = strlen(t->failure.message);

    buf_printf(out, "FAILS: %s",
               n > 0 && n <= MESSAGE_MAX ? t->failure.message
                                         : failure_kind_words(t->failure.kind));
}

void steps_effect(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];

    switch ((enum event_kind)ev->kind) {
    case EV_LOAD:
    case EV_CAS_FAIL:
    case EV_AWAIT:
        put_read(t, i, out);
        break;
    case EV_STORE:
        put_store(t, i, out);
        break;
    case EV_COMMIT:
        put_commit(t, ev, out);
        break;
    case EV_RMW:
        put_rmw(t, i, out);
        break;
    case EV_FENCE:
        put_fence(ev, out);
        break;
    case EV_CREATE:
        buf_printf(out, "creates T%" PRIu64, ev->value);
        break;
    case EV_JOIN:
        buf_printf(out, "joins T%" PRIu64, ev->value);
        break;
    case EV_START:
        buf_puts(out, "starts");
        break;
    case EV_EXIT:
        buf_puts(out, "ends");
        break;
    case EV_LOCK:
        put_sync(t, ev, "locks", out);
        break;
    case EV_LOCK_FAIL:
        put_sync(t, ev, "does not get", out);
        break;
    case EV_UNLOCK:
        put_sync(t, ev, "unlocks", out);
        break;
    case EV_WAIT:
        put_sync(t, ev, "waited for", out);
        break;
    case EV_POST:
        put_sync(t, ev, "signals", out);
        break;
    case EV_ALLOC:
        put_sync(t, ev, "allocates", out);
        break;
    case EV_FREE:
        put_sync(t, ev, "frees", out);
        break;
    case EV_CHOOSE:
        buf_printf(out, "is given %" PRIu64, ev->value);
        break;
    case EV_OBSERVE:
        buf_puts(out, "observes ");
        trace_value(t, ev->value, 8, out);
        break;
    case EV_YIELD:
    case EV_CALL:
        buf_printf(out, "%ss %s", event_kind_words(ev->kind),
                   t->sites[ev->site].name);
        break;
    case EV_STUCK:
        buf_puts(out, "waits for ever");
        break;
    case EV_FAIL:
        put_failure(t, out);
        break;
    case EV_NONE:
    case EV_KIND_COUNT:
        buf_puts(out, event_kind_words(ev->kind));
        break;
    }
}
