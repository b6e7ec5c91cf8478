/* SPDX-License-Identifier: MIT
 *
 * Reports for people: first the sentence they need, in their names and lines,
 * then the shortest interleaving, then the command that replays it, and at the
 * end what was not covered.
 */
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/steps.h"

#define OUTPUT_LINES 20

void report_check(const struct report *r)
{
    for (size_t i = 0; i < r->finding_count; i++)
        CHECK(r->findings[i]->past_gate);
}

bool report_has_color(enum report_color color)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

    if (color != COLOR_AUTO)
        return color == COLOR_ALWAYS;
    return isatty(STDOUT_FILENO) && !(none && *none) &&
           !(term && strcmp(term, "dumb") == 0);
}

struct report_style report_style(enum report_color color, bool full)
{
    struct report_style s = {
        .width = 100, .color = report_has_color(color), .full = full};
    struct winsize size;

    if (isatty(STDOUT_FILENO)) {
        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            s.width = size.ws_col;
    }
    if (s.width < 80)
        s.width = 80;
    if (s.width > 160)
        s.width = 160;
    return s;
}

/* A failure that no site belongs to, a kill say, is near the last step. */
uint32_t report_failure_site(const struct trace *t, bool *near)
{
    *near = false;
    if (t->failure.site)
        return t->failure.site;
    *near = true;
    for (size_t i = t->event_count; i-- > 0;) {
        const struct event *ev = &t->events[i];

        if (ev->thread == t->failure.thread && ev->site &&
            ev->kind != EV_COMMIT)
            return ev->site;
    }
    return 0;
}

void report_headline(const struct shown *f, struct buf *out)
{
    const struct trace *t = &f->trace;
    bool near;
    const struct fencer_site *site = &t->sites[report_failure_site(t, &near)];

    if (t->failure.kind == FAIL_NONE || f->error) {
        buf_printf(out, "%s, on %s",
                   f->error ? f->error
                            : "an execution that SC does not have, without "
                              "harm",
                   f->finding.model->words);
        return;
    }
    buf_puts(out, *t->failure.message ? t->failure.message
                                      : failure_kind_words(t->failure.kind));
    if (site->line)
        buf_printf(out, "%s %s:%u", near ? ", after" : ", at", site->file,
                   site->line);
    if (*site->function)
        buf_printf(out, " in %s", site->function);
    buf_printf(out, ", on %s", f->finding.model->words);
}

/* The last lines of what the program printed. */
static void put_output(const struct shown *f, struct buf *out)
{
    const char *text = f->finding.output;

    if (!text || *text == '\0')
        return;

    size_t n = strlen(text), start = n, lines = 0;

    if (text[n - 1] == '\n')
        start--;
    while (start > 0 && (text[start - 1] != '\n' || ++lines < OUTPUT_LINES))
        start--;
    buf_printf(out, "\nThe program printed%s:\n",
               f->finding.output_lost ? ", before it was too much to keep"
               : start > 0            ? " at the end"
                                      : "");
    for (text += start; *text;) {
        size_t line = strcspn(text, "\n");

        buf_printf(out, "    %.*s\n", (int)line, text);
        text += line + (text[line] == '\n');
    }
}

/* The two accesses of a race are the steps (1) and (2) below. */
static void put_race(const struct shown *f, struct buf *out)
{
    buf_puts(out, "Neither happens before the other, and not both are atomic: "
                  "from here on\nthe program's behaviour is undefined.\n");
    if (f->missing)
        buf_printf(out, "Missing: %s.\n", f->missing);
    report_cure(f, out);
    buf_putc(out, '\n');
}

static void put_why(const struct shown *f, struct buf *out)
{
    if (f->class == CLASS_RACE) {
        put_race(f, out);
        return;
    }
    report_reordered(f, out);
    report_cycle(f, out);
    if (f->cycle.length)
        buf_putc(out, '\n');
}

void report_finding(const struct shown *f, const struct report_style *style,
                    struct buf *out)
{
    const struct trace *t = &f->trace;
    struct shown_cycle race = {.length = 2, .events = {f->race[0], f->race[1]}};

    if (style->color)
        buf_puts(out, "\033[1m");
    report_headline(f, out);
    if (style->color)
        buf_puts(out, "\033[0m");
    buf_putc(out, '\n');
    if (f->test_count) {
        report_test_names(f, out);
        buf_putc(out, '\n');
    }
    put_why(f, out);
    if (strcmp(t->strategy, "solver") == 0)
        buf_puts(out, "an execution that the solver found, checked against "
                      "the model's axioms\n\n");
    else if (!model_has_machine(f->finding.model))
        buf_puts(out, "an execution that the search found, checked against "
                      "the model's axioms\n\n");
    else
        buf_printf(out, "execution %" PRIu64 " (%s, seed %" PRIu64 ")\n\n",
                   t->run, t->strategy, t->seed);
    interleaving_put(t, f->class == CLASS_RACE ? &race : &f->cycle, style, out);
    if (shown_is_alpha_only(f))
        buf_puts(out, "\nOnly machines that break dependent loads (Alpha) show "
                      "this execution; ARM,\nPOWER and RISC-V do not.  --deps "
                      "keeps dependent loads in order.\n");
    put_output(f, out);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_outcomes(const struct report_model *m, struct buf *out)
{
    size_t width = 7;

    if (m->outcomes.count == 0)
        return;
    for (size_t i = 0; i < m->outcomes.count; i++) {
        if (strlen(m->outcomes.list[i].text) > width)
            width = strlen(m->outcomes.list[i].text);
    }
    buf_printf(out, "\n  %-*s  executions\n", (int)width, "outcome");
    for (size_t i = 0; i < m->outcomes.count; i++)
        buf_printf(out, "  %-*s  %10" PRIu64 "\n", (int)width,
                   m->outcomes.list[i].text, m->outcomes.list[i].count);
}

static void put_model(const struct report *r, const struct report_model *m,
                      struct buf *out)
{
    if (m->executions == 0) {
        buf_printf(out, "nothing could be run on %s: %s\n", m->model->words,
                   m->stopped ? m->stopped : "no execution");
        return;
    }
    if (m->failed == 0)
        buf_printf(out, "no failure in %" PRIu64 " execution%s", m->executions,
                   plural(m->executions));
    else
        buf_printf(out, "%" PRIu64 " of %" PRIu64 " execution%s failed",
                   m->failed, m->executions, plural(m->executions));
    buf_printf(out, " on %s (%s, seed %" PRIu64 ")\n", m->model->words,
               m->strategy, r->seed);
    if (m->stopped)
        buf_printf(out, "stopped: %s\n", m->stopped);
    put_outcomes(m, out);
}

/* ---- fencer test ---- */

static void put_site(const struct fencer_site *s, struct buf *out)
{
    buf_printf(out, "%s:%u %s", steps_file(s), s->line, s->name);
}

/* "store-load swapped: sb.c:12 x and sb.c:13 y" */
static void put_pair(const struct shown *f, uint32_t i, struct buf *out)
{
    const struct trace *t = &f->trace;
    const struct shown_cycle *c = &f->cycle;
    const struct event *a = &t->events[c->events[i]];
    const struct event *b = &t->events[c->events[(i + 1) % c->length]];

    buf_printf(out, "%s %s: ", report_swapped(a, b),
               !model_has_machine(f->finding.model) ? "not kept" : "swapped");
    put_site(&t->sites[a->site], out);
    buf_puts(out, " and ");
    put_site(&t->sites[b->site], out);
}

/* A finding after the first, in a few lines. */
static void put_short(const struct shown *f, size_t number, struct buf *out)
{
    const struct shown_cycle *c = &f->cycle;

    buf_printf(out, "\nf%zu  ", number);
    if (f->class == CLASS_BENIGN)
        buf_printf(out, "benign, on %s", f->finding.model->words);
    else
        report_headline(f, out);
    if (f->test_count) {
        buf_puts(out, "\n    ");
        report_test_names(f, out);
    }
    for (uint32_t i = 0; i < c->length; i++) {
        if (f->class == CLASS_RACE || !(c->reordered >> i & 1))
            continue;
        buf_puts(out, "\n    ");
        put_pair(f, i, out);
    }
    for (size_t i = 0; i < f->fence_count; i++) {
        const struct fencer_site *s = &f->trace.sites[f->fences[i].site];

        buf_printf(out, "\n    fence: fencer_fence_%s() after line %u of %s",
                   report_fence_kind(f->fences[i].bits),
                   report_line_before_fence(s), steps_file(s));
    }
    if (f->replay)
        buf_printf(out, "\n    %s", f->replay);
    buf_putc(out, '\n');
}

static void put_counts(const struct report *r, struct buf *out)
{
    buf_printf(out, "\n%-12s%10s%11s%9s%8s%12s%11s%13s\n", "cycles",
               "predicted", "confirmed", "harmful", "benign", "infeasible",
               "undecided", "executions");
    for (size_t i = 0; i < r->model_count; i++) {
        const struct report_model *m = &r->models[i];
        const struct cycle_counts *c = m->counts;

        if (c)
            buf_printf(out, "%-12s%10zu%11zu%9zu%8zu%12zu%11zu%13" PRIu64 "\n",
                       m->model->words, c->predicted, c->confirmed, c->harmful,
                       c->benign, c->infeasible, c->undecided, m->executions);
        else
            buf_printf(out, "%-12s%74" PRIu64 "\n", m->model->words,
                       m->executions);
    }
}

static void put_limits(const struct report *r, struct buf *out)
{
    if (r->limit_count == 0)
        return;
    buf_puts(out, "\nNot covered:\n");
    for (size_t i = 0; i < r->limit_count; i++)
        buf_printf(out, "  %s\n", r->limits[i]);
}

static void put_replays(const struct report *r, struct buf *out)
{
    const char *gap = "\n";

    for (size_t i = 0; i < r->finding_count; i++) {
        if (!r->findings[i]->replay)
            continue;
        buf_printf(out, "%s%s\n", gap, r->findings[i]->replay);
        gap = "";
    }
}

/* run, replay, report: every finding in full. */
static void put_run(const struct report *r, const struct report_style *style,
                    struct buf *out)
{
    bool worked = strcmp(r->command, "report") != 0;

    if (worked && report_exit_code(r) == EXIT_UNFINISHED)
        report_heading(r, out);
    for (size_t i = 0; i < r->finding_count; i++) {
        if (i)
            buf_putc(out, '\n');
        report_finding(r->findings[i], style, out);
    }
    if (r->finding_count && r->model_count)
        buf_putc(out, '\n');
    for (size_t i = 0; i < r->model_count; i++)
        put_model(r, &r->models[i], out);
    put_limits(r, out);
    put_replays(r, out);
}

static bool has_counts(const struct report *r)
{
    for (size_t i = 0; i < r->model_count; i++) {
        if (r->models[i].counts)
            return true;
    }
    return false;
}

/* Benign ones are counted. */
static bool is_told(const struct report *r, const struct shown *f)
{
    return f->class != CLASS_BENIGN || r->all || r->strict;
}

static void put_benign(size_t count, bool more, struct buf *out)
{
    if (count)
        buf_printf(out, "\n%zu %s%s SC without harm; --all tells %s.\n", count,
                   more ? "more " : "",
                   count == 1 ? "execution leaves" : "executions leave",
                   count == 1 ? "it" : "them");
}

/* The worst finding that counts in full, or that there is none; the others
 * short. */
static void put_findings(const struct report *r,
                         const struct report_style *style, struct buf *out)
{
    bool found = report_exit_code(r) == EXIT_FOUND;
    size_t benign = 0;

    if (found) {
        report_fails_where(r, out);
        report_finding(r->findings[0], style, out);
        if (r->findings[0]->replay)
            buf_printf(out, "\n%s\n", r->findings[0]->replay);
    } else {
        report_heading(r, out);
    }
    for (size_t i = found; i < r->finding_count; i++) {
        if (is_told(r, r->findings[i]))
            put_short(r->findings[i], i + 1, out);
        else
            benign++;
    }
    put_benign(benign, benign < r->finding_count, out);
}

/* ---- fencer verify ---- */

const char *report_answer(enum answer a)
{
    return a == ANSWER_YES ? "yes" : a == ANSWER_NO ? "no" : "unknown";
}

static void put_answers(const struct report *r, struct buf *out)
{
    buf_printf(out, "\n%-12s%12s%17s%13s\n", "", "leaves SC", "property broken",
               "executions");
    for (size_t i = 0; i < r->model_count; i++) {
        const struct report_model *m = &r->models[i];
        struct answers a = answers_of(&m->done);

        buf_printf(out, "%-12s%12s%17s%13" PRIu64 "  %s\n", m->model->words,
                   report_answer(a.sc_violation),
                   report_answer(a.property_broken), m->executions,
                   m->because ? m->because : "");
    }
}

static void put_notes(const struct report *r, struct buf *out)
{
    if (r->note_count)
        buf_putc(out, '\n');
    for (size_t i = 0; i < r->note_count; i++)
        buf_printf(out, "%s\n", r->notes[i]);
}

void report_text(const struct report *r, const struct report_style *style,
                 struct buf *out)
{
    bool tests = r->test_count > 0;
    bool cycles = has_counts(r) || strcmp(r->command, "test") == 0;
    bool verified = strcmp(r->command, "verify") == 0;

    report_check(r);
    if (!tests && !cycles && !verified) {
        put_run(r, style, out);
        return;
    }
    put_findings(r, style, out);
    if (tests)
        report_tests(r, out);
    if (tests)
        report_fence_set(r, out);
    if (cycles)
        put_counts(r, out);
    if (verified)
        put_answers(r, out);
    put_notes(r, out);
    put_limits(r, out);
}
