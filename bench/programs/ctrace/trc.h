/* SPDX-License-Identifier: MIT
 *
 * A library that traces the threads of a program: each thread has a name, a
 * level and a set of units, which any thread may change at any time.
 */
#ifndef TRC_H
#define TRC_H

#include <stdbool.h>

void trc_init(void);

/* The calling thread is traced from here to trc_remove_thread.  Calls of other
 * threads have no effect. */
bool trc_add_thread(const char *name, int level, unsigned units);
void trc_remove_thread(void);

/* False if no thread of that name is there now. */
bool trc_turn_on(const char *name, int level, unsigned units);
bool trc_turn_off(const char *name);

/* A function of some unit begins and ends.  Balanced in every thread. */
void trc_enter(unsigned unit, const char *function);
void trc_return(unsigned unit, const char *function);

/* A value on the way. */
void trc_value(unsigned unit, int level, const char *name, long value);

/* After all threads are gone: how many calls and lines they had, and the
 * lines, each "NUMBER NAME DEPTH text". */
int trc_calls(void);
int trc_lines(void);
const char *trc_line(int number);

#endif
