/* SPDX-License-Identifier: MIT
 *
 * A trace for grep and diff: one line per event, and counts.  fencer-trace(5)
 * documents both; scripts read them, so columns only ever get added at the end.
 */
#include "trace/trace.h"

#include <inttypes.h>

/* FLAG(bit, word in dumps) */
#define DUMP_FLAGS(FLAG)                                                       \
    FLAG(EVF_FORWARDED, "forwarded")                                           \
    FLAG(EVF_STALE, "stale")                                                   \
    FLAG(EVF_BUFFERED, "buffered")                                             \
    FLAG(EVF_ATOMIC, "atomic")                                                 \
    FLAG(EVF_TIMED_OUT, "timed-out")                                           \
    FLAG(EVF_ALPHA, "alpha")                                                   \
    FLAG(EVF_GHOST, "ghost")                                                   \
    FLAG(EVF_SPURIOUS, "spurious")

/* Bit by bit from EVF_FENCE_SHIFT on, as enum model_fence has them. */
static const char *const fences[] = {"ss", "sl", "ll", "ls", "full"};

static void put_failure(const struct trace *t, struct buf *out)
{
    const struct channel_failure *f = &t->failure;
    const struct fencer_site *s = &t->sites[f->site];

    if (f->kind == FAIL_NONE)
        return;
    buf_printf(out, "# failure T%u %s:%u:%u %s", f->thread, s->file, s->line,
               s->column,
               *f->message ? f->message : failure_kind_words(f->kind));
    if (f->signal)
        buf_printf(out, " signal %u", f->signal);
    if (f->exit_code)
        buf_printf(out, " exit %" PRId64, f->exit_code);
    buf_putc(out, '\n');
}

static void put_head(const struct trace *t, struct buf *out)
{
    buf_printf(out,
               "# program %s model %s strategy %s seed %" PRIu64 " run %" PRIu64
               "\n",
               t->program, t->model, t->strategy, t->seed, t->run);
    put_failure(t, out);
    if (t->events_lost)
        buf_printf(out, "# lost %" PRIu64 "\n", t->events_lost);
}

static void put_flags(uint32_t flags, struct buf *out)
{
    if (flags & EVF_ORDER)
        buf_printf(out, " %s", order_words(flags & EVF_ORDER));
#define FLAG(bit, word)                                                        \
    if (flags & (bit))                                                         \
        buf_printf(out, " %s", word);
    DUMP_FLAGS(FLAG)
#undef FLAG
    for (unsigned i = 0; i < sizeof(fences) / sizeof(fences[0]); i++) {
        if (flags >> EVF_FENCE_SHIFT & 1u << i)
            buf_printf(out, " %s", fences[i]);
    }
}

static void put_event(const struct trace *t, size_t i, struct buf *out)
{
    const struct event *ev = &t->events[i];
    const struct fencer_site *s = &t->sites[ev->site];

    buf_printf(out, "%zu T%u.%u %c ", i + 1, ev->thread, ev->index,
               event_kind_letter(ev->kind));
    if (ev->site)
        buf_printf(out, "%s:%u:%u", s->file, s->line, s->column);
    else
        buf_putc(out, '-');
    buf_putc(out, ' ');
    if (ev->object) {
        trace_place(t, ev->object, ev->offset, out);
        buf_printf(out, "/%u", ev->size);
    } else {
        buf_putc(out, '-');
    }
    buf_puts(out, " = ");
    trace_value(t, ev->value, ev->size, out);
    if (ev->kind == EV_RMW) {
        buf_puts(out, " -> ");
        trace_value(t, ev->wrote, ev->size, out);
    }
    if (event_reads(ev) || ev->kind == EV_COMMIT)
        buf_printf(out, " from %u", ev->from);
    if (ev->co)
        buf_printf(out, " co %u", ev->co);
    if (ev->depth)
        buf_printf(out, " %s %u",
                   ev->kind == EV_COMMIT || ev->flags & EVF_BUFFERED ? "waiting"
                                                                     : "effect",
                   ev->depth);
    put_flags(ev->flags, out);
    buf_putc(out, '\n');
}

void trace_dump(const struct trace *t, struct buf *out)
{
    put_head(t, out);
    for (size_t i = 0; i < t->event_count; i++)
        put_event(t, i, out);
}

static void stats_kinds(const struct trace *t, struct buf *out)
{
    size_t count[EV_KIND_COUNT] = {0};

    for (size_t i = 0; i < t->event_count; i++)
        count[t->events[i].kind]++;
    for (int k = 0; k < EV_KIND_COUNT; k++) {
        if (count[k])
            buf_printf(out, "kind %c %zu %s\n", event_kind_letter(k), count[k],
                       event_kind_words(k));
    }
}

static void stats_threads(const struct trace *t, struct arena *a,
                          struct buf *out)
{
    size_t *count = arena_array(a, t->thread_count, sizeof(*count));

    for (size_t i = 0; i < t->event_count; i++)
        count[t->events[i].thread]++;
    for (size_t i = 0; i < t->thread_count; i++)
        buf_printf(out, "thread T%zu %zu\n", i, count[i]);
}

static void stats_objects(const struct trace *t, struct arena *a,
                          struct buf *out)
{
    struct tally {
        size_t reads, writes;
        uint64_t threads; /* a bit each, those from 63 on share one */
    } *tally = arena_array(a, t->object_count, sizeof(*tally));

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];
        struct tally *o = &tally[ev->object];

        o->reads += event_reads(ev);
        o->writes += event_writes(ev);
        o->threads |= 1ull << (ev->thread < 63 ? ev->thread : 63);
    }
    for (size_t i = 1; i < t->object_count; i++) {
        if (!tally[i].reads && !tally[i].writes)
            continue;
        buf_printf(out, "object %s reads %zu writes %zu threads %d\n",
                   t->objects[i].name, tally[i].reads, tally[i].writes,
                   __builtin_popcountll(tally[i].threads));
    }
}

void trace_stats(const struct trace *t, struct buf *out)
{
    struct arena a = ARENA_INIT;

    put_head(t, out);
    buf_printf(out, "events %zu\n", t->event_count);
    stats_kinds(t, out);
    stats_threads(t, &a, out);
    stats_objects(t, &a, out);
    arena_free(&a);
}
