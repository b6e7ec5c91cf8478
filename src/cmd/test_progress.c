/* SPDX-License-Identifier: MIT
 *
 * "x86 (TSO): 12 of 47 cycles, 3 harmful, 1 benign, 4 s left"
 */
#include "cmd/test_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EVERY_MS 100

static struct {
    bool on, shown;
    const char *phase;
    uint64_t begun, last; /* ms; of the phase, and of the line */
} line;

static void put_left(const struct expose_progress *p, uint64_t now)
{
    uint64_t spent = now - line.begun;

    if (spent > 1000 && p->done)
        fprintf(stderr, ", %" PRIu64 " s left",
                spent * (p->total - p->done) / p->done / 1000 + 1);
}

static void tell(void *arg, const struct expose_progress *p)
{
    uint64_t now = worker_now_ms();
    bool new_phase = !line.phase || strcmp(line.phase, p->phase) != 0;

    (void)arg;
    if (!line.on || (!new_phase && now - line.last < EVERY_MS))
        return;
    if (new_phase) {
        line.phase = p->phase;
        line.begun = now;
    }
    line.last = now;
    fprintf(stderr, "\r\033[K%s", p->phase);
    if (p->total) {
        fprintf(stderr, ": %" PRIu64 " of %" PRIu64 " cycles", p->done,
                p->total);
        fprintf(stderr, ", %" PRIu64 " harmful, %" PRIu64 " benign", p->harmful,
                p->benign);
        put_left(p, now);
    }
    fflush(stderr);
    line.shown = true;
}

void test_progress_init(bool quiet,
                        void (**function)(void *,
                                          const struct expose_progress *),
                        void **arg)
{
    line.on = !quiet && isatty(STDERR_FILENO);
    *function = tell;
    *arg = NULL;
}

void test_progress_end(void)
{
    if (line.shown)
        fprintf(stderr, "\r\033[K");
    line.shown = false;
}
