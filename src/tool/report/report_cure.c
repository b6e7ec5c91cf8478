/* SPDX-License-Identifier: MIT
 *
 * What to do about a finding: orders to change, fences to add, and what is
 * known of them.
 *
 *      Change: ring.c:31: head: memory_order_relaxed -> memory_order_release
 *      With it no execution fails, on every model explored.
 */
#include "report/report.h"
#include "report/steps.h"

/* ---- Fences ---- */

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

const char *report_fence_order(uint32_t bits)
{
    if (bits & (FENCE_FULL | FENCE_SL))
        return "seq_cst";
    return bits & FENCE_SS ? "release" : "acquire";
}

unsigned report_line_before_fence(const struct fencer_site *site)
{
    struct sources *s = sources_new();
    unsigned line = sources_statement_end(s, site);

    sources_free(s);
    return line;
}

/* A fence after what a condition reads is wanted on both ways out of it. */
static const char *ways_words(const struct fencer_site *site)
{
    struct sources *s = sources_new();
    bool both = sources_in_condition(s, site);

    sources_free(s);
    return both ? ", on both ways from there" : "";
}

static void put_fence(const struct trace *t, const struct channel_fence *f,
                      struct buf *out)
{
    const struct fencer_site *s = &t->sites[f->site];
    const char *ways = ways_words(s);

    buf_printf(out,
               "Fence: %s, after line %u of %s%s:%sfencer_fence_%s() or%s"
               "atomic_thread_fence(memory_order_%s)\n",
               fence_words(f->bits), report_line_before_fence(s), steps_file(s),
               ways, *ways ? "\n       " : " ", report_fence_kind(f->bits),
               *ways ? " " : "\n       ", report_fence_order(f->bits));
}

static void put_fences(const struct shown *f, struct buf *out)
{
    buf_putc(out, '\n');
    for (size_t i = 0; i < f->fence_count; i++)
        put_fence(&f->trace, &f->fences[i], out);
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

/* ---- Changes ---- */

bool report_is_order(const struct channel_fence *f)
{
    return f->bits & CHANNEL_FENCE_ORDER;
}

enum event_order report_order_from(const struct channel_fence *f)
{
    return f->bits >> CHANNEL_FENCE_FROM & EVF_ORDER;
}

enum event_order report_order_to(const struct channel_fence *f)
{
    return f->bits & EVF_ORDER;
}

static void put_from(const struct channel_fence *f, struct buf *out)
{
    enum event_order from = report_order_from(f);

    if (f->bits & CHANNEL_FENCE_FAILURE)
        buf_puts(out, "if it fails, ");
    if (from >= ORDER_RELAXED)
        buf_printf(out, "memory_order_%s", order_words(from));
    else
        buf_printf(out, "%s, not atomic", order_words(from));
}

static void put_change(const struct trace *t, const struct channel_fence *f,
                       struct buf *out)
{
    const struct fencer_site *s = &t->sites[f->site];

    if (!report_is_order(f)) {
        put_fence(t, f, out);
        return;
    }
    buf_printf(out, "Change: %s:%u: ", steps_file(s), s->line);
    if (*s->name)
        buf_printf(out, "%s: ", s->name);
    put_from(f, out);
    buf_printf(out, " -> memory_order_%s\n", order_words(report_order_to(f)));
}

static void put_changes(const struct shown *f, struct buf *out)
{
    buf_putc(out, '\n');
    for (size_t i = 0; i < f->cure_count; i++)
        put_change(&f->trace, &f->cure[i], out);
    buf_printf(out, "With %s no execution fails, on every model explored.\n",
               f->cure_count == 1 ? "it" : "all of them");
    if (f->others)
        buf_printf(out, "%u more finding%s the same cure; --all tells %s.\n",
                   f->others, f->others == 1 ? " has" : "s have",
                   f->others == 1 ? "it" : "them");
}

void report_cure(const struct shown *f, struct buf *out)
{
    if (f->cure_count)
        put_changes(f, out);
    else if (f->fence_count)
        put_fences(f, out);
    else if (f->others)
        buf_printf(out,
                   "%u more data race%s between these lines; --all tells %s.\n",
                   f->others, f->others == 1 ? " is" : "s are",
                   f->others == 1 ? "it" : "them");
}
