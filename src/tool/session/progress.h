/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that is written over again and again.  Nothing where
 * stderr is none, or the user wants quiet.
 */
#ifndef SESSION_PROGRESS_H
#define SESSION_PROGRESS_H

#include <stdbool.h>

void progress_init(bool quiet);

/* Is it time for another line?  Then it begins with the phase, and the caller
 * goes on. */
bool progress_begin(const char *phase);
void progress_put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* ", 4 s left", if that part of the phase is done. */
void progress_put_left(double part);
void progress_flush(void);
/* The phase alone. */
void progress_tell(const char *phase);

/* Takes the line away. */
void progress_end(void);

#endif
