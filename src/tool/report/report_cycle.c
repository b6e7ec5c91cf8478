/* SPDX-License-Identifier: MIT
 *
 * The cycle of a finding: what happened, in a sentence, and how each step comes
 * before the next.
 *
 *      (1) T1  sb.c:12  store left_flag = 1
 *       |  program order, swapped
 *      (2) T1  sb.c:13  load right_flag, 0
 *       |  read memory before that was written
 *      (3) T2  ...
 */
#include <string.h>

#include "report/report.h"
#include "report/steps.h"

static const struct event *event_at(const struct shown *f, uint32_t i)
{
    const struct shown_cycle *c = &f->cycle;

    return &f->trace.events[c->events[i % c->length]];
}

static bool is_load(const struct event *ev)
{
    return ev->kind == EV_LOAD || ev->kind == EV_CAS_FAIL;
}

const char *report_swapped(const struct event *first,
                           const struct event *second)
{
    static const char *const words[3][3] = {
        {"load-load", "load-store", "load-RMW"},
        {"store-load", "store-store", "store-RMW"},
        {"RMW-load", "RMW-store", "RMW-RMW"}};
    int a = is_load(first) ? 0 : first->kind == EV_RMW ? 2 : 1;
    int b = is_load(second) ? 0 : second->kind == EV_RMW ? 2 : 1;

    return words[a][b];
}

static const char *access_words(const struct event *ev)
{
    return ev->kind == EV_LOAD ? "load of" : event_kind_words(ev->kind);
}

static const char *name_of(const struct trace *t, const struct event *ev,
                           struct buf *place)
{
    const char *name = t->sites[ev->site].name;

    if (*name)
        return name;
    buf_clear(place);
    trace_place(t, ev->object, ev->offset, place);
    return place->count ? place->bytes : "memory";
}

static void put_access(const struct trace *t, const struct event *ev,
                       struct buf *out)
{
    struct buf place = {0};
    const struct fencer_site *s = &t->sites[ev->site];

    buf_printf(out, "the %s %s (%s:%u)",
               ev->kind == EV_STORE ? "store to" : access_words(ev),
               name_of(t, ev, &place), steps_file(s), s->line);
    buf_free(&place);
}

/* Is pair k at the same two places as pair i, and swapped, too? */
static bool same_pair(const struct shown *f, uint32_t i, uint32_t k)
{
    return f->cycle.reordered >> k & 1 &&
           event_at(f, i)->site == event_at(f, k)->site &&
           event_at(f, i + 1)->site == event_at(f, k + 1)->site;
}

/* Threads that run the same code swap the same pair: it is told once. */
static bool was_told(const struct shown *f, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (same_pair(f, i, k))
            return true;
    return false;
}

/* "T1", or "T1 and T2". */
static void put_threads(const struct shown *f, uint32_t i, struct buf *out)
{
    buf_printf(out, "T%u", event_at(f, i)->thread);
    for (uint32_t k = i + 1; k < f->cycle.length; k++)
        if (same_pair(f, i, k))
            buf_printf(out, " and T%u", event_at(f, k)->thread);
}

/* The language has no time at which something takes effect. */
static void put_unordered(const struct shown *f, uint32_t i, struct buf *out)
{
    size_t begun = out->count;

    buf_puts(out, "not ordered in ");
    put_threads(f, i, out);
    buf_puts(out, ": ");
    begun = out->count - begun;
    put_access(&f->trace, event_at(f, i), out);
    buf_printf(out, "\n%*sand ", (int)begun, "");
    put_access(&f->trace, event_at(f, i + 1), out);
    buf_putc(out, '\n');
}

/* What the processor is free to do. */
static void put_free(const struct shown *f, uint32_t i, struct buf *out)
{
    struct buf threads = {0};

    put_threads(f, i, &threads);
    buf_printf(out, "%s may do ", f->finding.model->words);
    put_access(&f->trace, event_at(f, i), out);
    buf_puts(out, "\n       after ");
    put_access(&f->trace, event_at(f, i + 1), out);
    if (strchr(threads.bytes, ' '))
        buf_printf(out, ", in %s", threads.bytes);
    buf_putc(out, '\n');
    buf_free(&threads);
}

static void put_place(const struct trace *t, const struct event *ev,
                      struct buf *out)
{
    struct buf place = {0};
    const struct fencer_site *s = &t->sites[ev->site];

    buf_printf(out, "%s (%s:%u)", name_of(t, ev, &place), steps_file(s),
               s->line);
    buf_free(&place);
}

/* The store of the pair, and who looked at memory before it was there. */
static void put_late(const struct trace *t, const struct event *store,
                     const struct event *reader, struct buf *out)
{
    buf_printf(out, "T%u's store to ", store->thread);
    put_place(t, store, out);
    buf_printf(out, " was still in its store buffer\nwhen T%u read ",
               reader->thread);
    put_place(t, reader, out);
    buf_puts(out, " and saw ");
    trace_value(t, reader->value, reader->size, out);
    buf_puts(out, ".\n");
}

/* The two loads of the pair: the second was done first. */
static void put_early(const struct trace *t, const struct event *first,
                      const struct event *second, struct buf *out)
{
    buf_printf(out, "T%u read ", second->thread);
    put_place(t, second, out);
    buf_puts(out, " and saw ");
    trace_value(t, second->value, second->size, out);
    buf_puts(out, " before it\nread ");
    put_place(t, first, out);
    buf_puts(out, " and saw ");
    trace_value(t, first->value, first->size, out);
    buf_puts(out, ".\n");
}

/* What happened to a pair, in a sentence; false: there is none for it. */
static bool put_story(const struct shown *f, uint32_t i, struct buf *out)
{
    const struct event *a = event_at(f, i), *b = event_at(f, i + 1);
    const struct event *before = event_at(f, i + f->cycle.length - 1);

    if (a->kind == EV_STORE && before->thread != a->thread &&
        (is_load(before) || before->kind == EV_RMW))
        put_late(&f->trace, a, before, out);
    else if (is_load(a) && is_load(b))
        put_early(&f->trace, a, b, out);
    else
        return false;
    return true;
}

void report_reordered(const struct shown *f, struct buf *out)
{
    const struct trace *t = &f->trace;

    for (uint32_t i = 0; i < f->cycle.length; i++) {
        const struct event *a = event_at(f, i), *b = event_at(f, i + 1);

        if (!(f->cycle.reordered >> i & 1))
            continue;
        if (!model_has_machine(f->finding.model) && was_told(f, i))
            continue;
        if (f->finding.model->by_language) {
            put_unordered(f, i, out);
            continue;
        }
        if (f->finding.model->by_axioms) {
            put_free(f, i, out);
            continue;
        }
        if (put_story(f, i, out))
            continue;
        buf_printf(out, "swapped in T%u: ", a->thread);
        put_access(t, a, out);
        buf_puts(out, " took effect\n               after ");
        put_access(t, b, out);
        buf_putc(out, '\n');
    }
}

static void put_node(const struct trace *t, uint32_t number,
                     const struct event *ev, struct buf *out)
{
    const struct fencer_site *s = &t->sites[ev->site];
    struct buf where = {0}, place = {0};

    buf_printf(&where, "%s:%u", steps_file(s), s->line);
    buf_printf(out, "  (%u) T%u  %s  %s %s", number, ev->thread, where.bytes,
               event_kind_words(ev->kind), name_of(t, ev, &place));
    buf_puts(out, ev->kind == EV_STORE ? " = " : ", ");
    trace_value(t, ev->kind == EV_RMW ? ev->wrote : ev->value, ev->size, out);
    buf_putc(out, '\n');
    buf_free(&where);
    buf_free(&place);
}

const char *report_edge_words(const struct shown *f, uint32_t i)
{
    const struct event *a = event_at(f, i), *b = event_at(f, i + 1);

    if (f->cycle.pairs[i] == GOAL_FIRST)
        return !(f->cycle.reordered >> i & 1) ? "program order"
               : !model_has_machine(f->finding.model)
                   ? "program order, not kept"
                   : "program order, swapped";
    if (is_load(a))
        return "read memory before that was written";
    return is_load(b) ? "was there when that read" : "was in memory before";
}

void report_cycle(const struct shown *f, struct buf *out)
{
    const struct shown_cycle *c = &f->cycle;

    if (c->length) {
        buf_puts(out, "\nThe cycle: each is before the next, and the last "
                      "before the first.\n");
        for (uint32_t i = 0; i < c->length; i++) {
            put_node(&f->trace, i + 1, event_at(f, i), out);
            buf_printf(out, "   %c      %s\n", i + 1 < c->length ? '|' : '^',
                       report_edge_words(f, i));
        }
    }
    report_cure(f, out);
}
