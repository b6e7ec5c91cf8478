/* SPDX-License-Identifier: MIT
 *
 * Nothing that a tested program starts outlives us, or the program.
 */
#ifndef WORKER_CONFINE_H
#define WORKER_CONFINE_H

/* Before the first process is started.  Does nothing when called again. */
void confine_children(void);

/* A program has ended: so do the processes that it left behind, however they
 * hide. */
void confine_end_strays(void);

#endif
