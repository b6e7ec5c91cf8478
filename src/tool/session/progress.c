/* SPDX-License-Identifier: MIT
 *
 * "x86 (TSO): 12 of 47 cycles, 3 harmful, 1 benign, 4 s left"
 * "SC: 52000 of 1000000 executions, 41000 a second, 23 s left"
 */
#include "session/progress.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "worker/worker.h"

#define EVERY_MS 100

static struct {
    bool on, shown;
    char phase[80];
    uint64_t begun, last; /* ms; of the phase, and of the line */
} line;

void progress_init(bool quiet)
{
    line.on = !quiet && isatty(STDERR_FILENO);
}

bool progress_begin(const char *phase)
{
    uint64_t now = worker_now_ms();
    bool new_phase = strcmp(line.phase, phase) != 0;

    if (!line.on || (!new_phase && now - line.last < EVERY_MS))
        return false;
    if (new_phase) {
        snprintf(line.phase, sizeof(line.phase), "%s", phase);
        line.begun = now;
    }
    line.last = now;
    line.shown = true;
    fprintf(stderr, "\r\033[K%s", phase);
    return true;
}

void progress_put(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
}

void progress_put_left(double part)
{
    double spent = (double)(line.last - line.begun) / 1000;

    if (spent > 1 && part > 0 && part <= 1)
        progress_put(", %.0f s left", spent * (1 - part) / part + 0.5);
}

void progress_put_rate(uint64_t done)
{
    double spent = (double)(line.last - line.begun) / 1000;

    if (spent > 0.5 && done)
        progress_put(", %.0f a second", (double)done / spent);
}

uint64_t progress_next_ms(uint64_t until_ms)
{
    uint64_t next = worker_now_ms() + EVERY_MS;

    return line.on && (!until_ms || next < until_ms) ? next : until_ms;
}

void progress_flush(void)
{
    fflush(stderr);
}

void progress_tell(const char *phase)
{
    if (progress_begin(phase))
        progress_flush();
}

void progress_end(void)
{
    if (line.shown)
        fprintf(stderr, "\r\033[K");
    line.shown = false;
}
