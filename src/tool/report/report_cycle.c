/* SPDX-License-Identifier: MIT
 *
 * The cycle of a finding: which two accesses were swapped, how each step comes
 * before the next, and the fence that would have kept them in order.
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

const char *report_fence_kind(uint32_t bits)
{
    if (bits & FENCE_FULL)
        return "full";
    if (bits & FENCE_SL)
        return "sl";
    if (bits & FENCE_SS)
        return "ss";
    return bits & FENCE_LL ? "ll" : "ls";
}

static const char *fence_words(uint32_t bits)
{
    if (bits & FENCE_FULL)
        return "full";
    if (bits & FENCE_SL)
        return "store-load";
    if (bits & FENCE_SS)
        return "store-store";
    return bits & FENCE_LL ? "load-load" : "load-store";
}

/* What C11 has for it. */
static const char *fence_order(uint32_t bits)
{
    if (bits & (FENCE_FULL | FENCE_SL))
        return "seq_cst";
    return bits & FENCE_SS ? "release" : "acquire";
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

/* The language has no time at which something takes effect. */
static void put_unordered(const struct trace *t, const struct event *a,
                          const struct event *b, struct buf *out)
{
    buf_printf(out, "not ordered in T%u: ", a->thread);
    put_access(t, a, out);
    buf_puts(out, "\n                   and ");
    put_access(t, b, out);
    buf_putc(out, '\n');
}

void report_reordered(const struct shown *f, struct buf *out)
{
    const struct trace *t = &f->trace;

    for (uint32_t i = 0; i < f->cycle.length; i++) {
        const struct event *a = event_at(f, i), *b = event_at(f, i + 1);

        if (!(f->cycle.reordered >> i & 1))
            continue;
        if (f->finding.model->by_language) {
            put_unordered(t, a, b, out);
            continue;
        }
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

static const char *edge_words(const struct shown *f, uint32_t i)
{
    const struct event *a = event_at(f, i), *b = event_at(f, i + 1);

    if (f->cycle.pairs[i] == GOAL_FIRST)
        return !(f->cycle.reordered >> i & 1)  ? "program order"
               : f->finding.model->by_language ? "program order, not kept"
                                               : "program order, swapped";
    if (is_load(a))
        return "read memory before that was written";
    return is_load(b) ? "was there when that read" : "was in memory before";
}

unsigned report_line_before_fence(const struct fencer_site *site)
{
    struct sources *s = sources_new();
    unsigned line = sources_statement_end(s, site);

    sources_free(s);
    return line;
}

static void put_fences(const struct shown *f, struct buf *out)
{
    if (!f->fence_count)
        return;
    buf_putc(out, '\n');
    for (size_t i = 0; i < f->fence_count; i++) {
        const struct fencer_site *s = &f->trace.sites[f->fences[i].site];

        buf_printf(out,
                   "Fence: %s, after line %u of %s: fencer_fence_%s() or\n"
                   "       atomic_thread_fence(memory_order_%s)\n",
                   fence_words(f->fences[i].bits), report_line_before_fence(s),
                   steps_file(s), report_fence_kind(f->fences[i].bits),
                   fence_order(f->fences[i].bits));
    }
    if (f->proved)
        buf_printf(out, "With %s no execution%s%s on %s fails.\n",
                   f->fence_count == 1 ? "it" : "all of them",
                   f->test_count ? " of " : "",
                   f->test_count ? f->tests[0] : "", f->finding.model->words);
    else if (!f->cured)
        buf_puts(out, "Whether that is enough was not tried out.\n");
    else if (f->fence_count == 1)
        buf_puts(out, "With it the search for this cycle found nothing.\n");
    else
        buf_puts(out, "With all of them the search for this cycle found "
                      "nothing.\n");
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
                       edge_words(f, i));
        }
    }
    put_fences(f, out);
}
