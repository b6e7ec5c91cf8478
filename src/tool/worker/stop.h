/* SPDX-License-Identifier: MIT
 *
 * Is it time to stop?  One answer for all commands and engines.  Once it is yes
 * it stays yes, for the same reason.
 */
#ifndef WORKER_STOP_H
#define WORKER_STOP_H

#include <stdbool.h>
#include <stdint.h>

struct stop {
    uint64_t until_ms;   /* of worker_now_ms; 0: no time limit */
    bool own;            /* that is a limit of ours, not the user's */
    bool own_came;       /* and it is what ended it */
    const char *why;     /* it ended before its time; NULL: it did not */
    const char *refused; /* the program cannot be run: why, or NULL */
};

/* Looks at the clock and for an interrupt. */
bool stop_now(struct stop *s);

#endif
