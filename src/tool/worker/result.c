/* SPDX-License-Identifier: MIT
 *
 * What a worker left behind.  The channel may hold anything by now, so texts
 * are ended and cleaned here.
 */
#include "worker/worker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clean.h"

/* More output than this in one execution is of no use to a reader. */
#define OUTPUT_KEPT 65536

/* One line, which is the same each time it comes: also where it was cut inside
 * a character. */
static void clean_message(char *text, size_t size)
{
    text[size - 1] = '\0';
    for (char *c = text; *c; c++) {
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    }
    clean_line(text, size);
}

/* The process ended in the middle of an execution and nobody said why. */
static void from_status(const struct worker *w, struct channel_failure *f)
{
    *f = (struct channel_failure){.run = w->channel->run};
    if (w->end == WORKER_HUNG) {
        /* The runtime itself knows a loop that cannot end.  Here nothing is
         * known but that nothing came: no failure of the program. */
        const char *name = w->channel->outside;

        f->kind = FAIL_UNSUPPORTED;
        f->site = *name ? w->channel->outside_site : 0;
        snprintf(f->message, sizeof(f->message),
                 "no sign of life for too long: %s%s", *name ? name : "stuck",
                 *name ? ", which is not instrumented, did not come back"
                       : " in code that is not instrumented?");
    } else if (WIFSIGNALED(w->status)) {
        int number = WTERMSIG(w->status);
        const char *name = sigabbrev_np(number);

        f->kind = FAIL_SIGNAL;
        f->signal = (uint32_t)number;
        snprintf(f->message, sizeof(f->message), "killed by SIG%s",
                 name ? name : "?");
    } else {
        f->kind = FAIL_EXIT_CODE;
        f->exit_code = WEXITSTATUS(w->status);
        snprintf(f->message, sizeof(f->message),
                 "the process ended with exit code %d", WEXITSTATUS(w->status));
    }
}

bool worker_failure(const struct worker *w, struct channel_failure *f)
{
    const struct channel *c = w->channel;
    bool cut_short = w->end == WORKER_DIED || w->end == WORKER_HUNG;

    *f = c->failure;
    if (f->kind > 0 && f->kind < FAIL_KIND_COUNT && c->failed > 0 &&
        (!cut_short || f->run == c->run)) {
        clean_message(f->message, sizeof(f->message));
        return true;
    }
    if (!cut_short)
        return false;
    from_status(w, f);
    clean_message(f->message, sizeof(f->message));
    return true;
}

uint64_t worker_outcomes(const struct worker *w, struct tally *to,
                         struct arena *a)
{
    const struct channel *c = w->channel;
    const char *at = (const char *)c + CHANNEL_OUTCOMES_AT;
    uint64_t count = c->outcome_count;

    if (count > CHANNEL_OUTCOMES_MAX)
        count = CHANNEL_OUTCOMES_MAX;
    for (uint64_t i = 0; i < count; i++) {
        struct outcome o;
        size_t n;

        memcpy(&o, at + i * sizeof(o), sizeof(o));
        n = strnlen(o.text, sizeof(o.text) - 1);
        while (n > 0 && o.text[n - 1] == ' ')
            n--;
        o.text[n] = '\0';
        clean_line(o.text, sizeof(o.text));
        tally_add(to, o.text, o.count, a);
    }
    return c->outcomes_lost;
}

/* What went past the runtime to the real descriptors: its end. */
static void add_past_us(const struct worker *w, struct buf *out)
{
    char text[4096];
    off_t size = w->output >= 0 ? lseek(w->output, 0, SEEK_END) : 0;
    off_t at = size > OUTPUT_KEPT ? size - OUTPUT_KEPT : 0;

    while (at < size) {
        ssize_t n = pread(w->output, text, sizeof(text), at);

        if (n <= 0)
            return;
        clean_put(out, text, (size_t)n, CLEAN_LINES);
        at += n;
    }
}

void worker_output(const struct worker *w, struct buf *out)
{
    const char *text = (const char *)w->channel + CHANNEL_OUTPUT_AT;
    uint64_t n = w->channel->output_count;

    if (n > CHANNEL_OUTPUT_MAX)
        n = CHANNEL_OUTPUT_MAX;
    if (n > OUTPUT_KEPT) {
        text += n - OUTPUT_KEPT;
        n = OUTPUT_KEPT;
    }
    buf_puts(out, "");
    clean_put(out, text, n, CLEAN_LINES);
    add_past_us(w, out);
}

void worker_complaint(const struct worker *w, struct buf *out)
{
    const struct channel *c = w->channel;
    struct buf past = {0};

    if ((c->state == STATE_BAD_PROGRAM || c->state == STATE_BROKEN) &&
        c->message[0]) {
        clean_put(out, c->message, strnlen(c->message, sizeof(c->message)),
                  CLEAN_LINES);
        return;
    }
    buf_puts(&past, "");
    add_past_us(w, &past);
    past.bytes[strcspn(past.bytes, "\n")] = '\0';
    buf_puts(out, "the program did not get to main");
    if (WIFSIGNALED(w->status))
        buf_printf(out, " (signal %d)", WTERMSIG(w->status));
    if (past.bytes[0])
        buf_printf(out, ": %s", past.bytes);
    buf_free(&past);
}
