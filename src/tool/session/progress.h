/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that is written over again and again.  Nothing where
 * stderr is none, or the user wants quiet.
 */
#ifndef SESSION_PROGRESS_H
#define SESSION_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

void progress_init(bool quiet);

/* Is it time for another line?  Then it begins with the phase, and the caller
 * goes on. */
bool progress_begin(const char *phase);
void progress_put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* ", 4 s left", if that part of the phase is done. */
void progress_put_left(double part);
/* ", 1200 a second", of what the phase has done so far. */
void progress_put_rate(uint64_t done);
/* When there will be time for another line, if that is before `until_ms`, which
 * 0 says is never; else that. */
uint64_t progress_next_ms(uint64_t until_ms);
void progress_flush(void);
/* The phase alone. */
void progress_tell(const char *phase);

/* Takes the line away. */
void progress_end(void);

#endif
