/* SPDX-License-Identifier: MIT
 *
 * What the tool decided and why, on stderr, off unless --log=AREA asks for it.
 * Always compiled, so that it cannot rot.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

/* AREA(NAME, name on the command line, what it tells) */
#define LOG_AREAS(AREA)                                                        \
    AREA(CC, "cc", "compiler driver: commands run")                            \
    AREA(INSTRUMENT, "instrument", "what was instrumented, and what was not")  \
    AREA(WORKER, "worker", "program processes: start, progress, end")          \
    AREA(REPLAY, "replay", "findings replayed and compared")                   \
    AREA(TRACE, "trace", "traces and programs read and written")               \
    AREA(EXPOSE, "expose", "cycles: searched, created, judged")                \
    AREA(VERIFY, "verify", "explorations, reports, witnesses")                 \
    AREA(CHECK, "check", "bounds, specifications, solver")

enum log_area {
#define AREA(name, word, tells) LOG_##name,
    LOG_AREAS(AREA)
#undef AREA
        LOG_AREA_COUNT
};

extern bool log_is_on[LOG_AREA_COUNT];

/* Turns on one area by its name, or "all".  False: no such area. */
bool log_enable(const char *word);

void log_line(enum log_area area, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#define LOG(area, ...)                                                         \
    (log_is_on[LOG_##area] ? log_line(LOG_##area, __VA_ARGS__) : (void)0)

#endif
